// SPDX-License-Identifier: Apache-2.0
#include "cli/examples.h"

#include <algorithm>
#include <map>

#include "cli/question_table.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What each command is begun with; one that works on files is explained by its help.
const std::map<std::string, std::string>& beginnings() {
  static const std::map<std::string, std::string> kBeginnings = {
      {"ask", "ask llama-3.1-8b --method lora --gpu h100"},
      {"compare", "compare llama-3.1-8b lora h100 a100 l40s"},
      {"cost", "cost --gpu h100 --hours 300"},
      {"explain", "explain llama-3.1-8b lora 1xh100"},
      {"fits", "fits 2xh100 --method qlora"},
      {"list", "list prices --gpu h100"},
      {"record", "record llama-3.1-8b lora 1xh100 --micro-batch 4 --gib 31 --catalog ours"},
      {"measure-script", "measure-script llama-3.1-8b lora 1xh100 --micro-batch 4"},
      {"init", "init sheet.json"},
      {"plan", "plan"},
      {"sweep", "sweep --model llama-3.1-8b --method lora --gpu h100 --seq 4k"},
      {"models", "models"},
      {"gpus", "gpus"},
      {"prices", "prices --gpu h100"},
      {"providers", "providers --gpu h100"},
      {"completion", "completion bash"},
      {"version", "version"},
      {"help", "help"},
      {"", "llama-3.1-8b lora h100"}};
  return kBeginnings;
}

/// What an option has no meaning without.
std::string beside(std::string_view option) {
  if (option == "--failed") return "--runs 30 ";
  if (option == "--mean-length") return "--examples 20000 ";
  return option == "--epochs" ? "--tokens 20M " : "";
}

}  // namespace

std::span<const ExampleQuestion> example_questions() {
  static const std::vector<ExampleQuestion> kQuestions = {
      {"How many GPUs, how long, how much?", {"llama-3.1-8b", "lora"}},
      {"On the cards I have, within a day and a budget?",
       {"llama-3.1-8b", "lora", "2x4090", "--tokens", "20M", "--deadline", "24h", "--budget",
        "50"}},
      {"What can I train on what I have?", {"fits", "2x4090", "--method", "qlora"}},
      {"Where does the memory go?", {"explain", "llama-3.1-8b", "lora", "1xh100"}},
      {"Rent or buy, at 30 runs per month?",
       {"ask", "llama-3.1-8b", "lora", "--runs", "30", "--failed", "10%"}},
      {"Who rents out an H100, and for how much?", {"prices", "--gpu", "h100"}}};
  return kQuestions;
}

std::string example_text() {
  std::string text;
  for (const ExampleQuestion& one : example_questions()) {
    text += std::string(one.question) + "\n  " + shell_line(one.words) + "\n";
  }
  return text + "\nAll commands: sizesheet help; one of them: sizesheet help ask\n";
}

std::string example_of(const std::string& command, const std::string& option) {
  const QuestionWord* word = option.empty() ? nullptr : question_word(option);
  if (word != nullptr && word->example != std::string("config.json")) {
    const std::vector<std::string> takers(word->commands.begin(), word->commands.end());
    const std::string taker = contains(takers, command) ? command : takers.front();
    const std::string said = beside(word->name) + word->name + " " + word->example;
    if (taker == "fits") {
      const bool cards = contains({"--gpu", "--vram"}, word->name);
      return "sizesheet fits " + (cards ? said : "h100 " + said);
    }
    if (taker == "cost") {
      return "sizesheet cost " + (word->name == std::string("--gpu") ? said : "h100 " + said);
    }
    if (taker == "ask" && word->name != std::string("--model")) {
      return "sizesheet ask llama-3.1-8b " + said;
    }
  }
  const auto found = beginnings().find(command);
  return "sizesheet " + (found != beginnings().end() ? found->second : "help " + command);
}

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" '\"$&|;<>()*?#\\`") == word.npos;
  return plain ? word : "'" + word + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line = "sizesheet";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

}  // namespace sizesheet
