// SPDX-License-Identifier: Apache-2.0
#include "cli/question_table.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "cli/examples.h"
#include "cli/value_options.h"
#include "support/text.h"

namespace sizesheet {
namespace {

template <const ValueKind& (*kKind)()>
const ValueKind* of() {
  return &kKind();
}

constexpr Bounds<double> kAny = {0, 0};
constexpr Bounds<double> kLeastHours = {0.01, 1e9};
constexpr Bounds<double> kFailed = {0, 0.99};
constexpr Bounds<double> kRanks = {1, 65536};
constexpr Bounds<double> kEpochs = {0.001, 100000};

// An entry an option.
// clang-format off
/// What runs, on what, and how each step runs.
std::vector<QuestionWord> words_of_set_up() {
  return {
      {"--model", {"--model-name", "--model-id", "--base-model", "-m"}, nullptr, kAny,
       "The model: id, title, name on the Hub, or a config.json", "llama-3.1-8b", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep", "init"}},
      {"--config", {}, nullptr, kAny,
       "A config.json instead of the model; or a training config, whose format --framework may name", "config.json", {"ask", "explain", "record", "measure-script", "fits"}},
      {"--method", {}, nullptr, kAny,
       "full, lora, qlora, dora, QLoRA r64 …", "lora", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--rank", {"--lora-rank", "--lora-r"}, of<count_kind>, kRanks,
       "Rank of the adapters: 16, 64; of adapters alone", "32", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--gpu", {"--card", "--gpu-type", "--gpu-name", "--machine", "--machine-type", "--instance", "--instance-type", "--vm-size", "-g"}, nullptr, kAny,
       "The GPU: 4090, H100, 2xH100, an id …", "h100", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep", "cost", "list", "init"}},
      {"--gpus", {"--num-gpus", "--n-gpus", "--gpu-count", "--count", "-n"}, of<count_kind>, kAny,
       "How many GPUs", "8", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep", "cost"}},
      {"--vram", {"--memory"}, of<memory_kind>, {1, 10000},
       "Or the memory of any card: 24GB", "24GB", {"fits"}},
      {"--seq", {"--seq-len", "--seq-length", "--sequence-length", "--max-seq-len", "--max-seq-length", "--context"}, of<length_kind>, kAny,
       "Tokens of a sequence: 4096, 8k", "8k", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--micro-batch", {"--micro-batch-size", "--per-device-train-batch-size", "--mbs"}, of<count_kind>, kAny,
       "Sequences that a GPU takes at once; searched if left out", "1", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--global-batch", {"--global-batch-size", "--gbs", "--train-batch-size"}, of<count_kind>, kAny,
       "Sequences of an optimizer step; the sheet's if left out", "32", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--grad-accum", {"--gradient-accumulation-steps", "--gradient-accumulation", "--accumulation-steps"}, of<count_kind>, {1, 1000000},
       "Or micro-batches of an optimizer step on each GPU", "8", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--group-size", {"--num-generations", "--generations", "--rollouts"}, of<count_kind>, {2, 100000},
       "Completions of a prompt; of GRPO alone", "8", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--prompt-length", {"--max-prompt-length"}, of<length_kind>, kAny,
       "The most tokens of a prompt; of GRPO alone", "512", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--completion-length", {"--max-completion-length", "--response-length", "--max-response-length", "--max-new-tokens"}, of<length_kind>, kAny,
       "The most tokens of a completion; of GRPO alone", "1024", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--generation-gpus", {"--vllm-gpus", "--rollout-gpus", "--server-gpus"}, of<count_kind>, {1, 100000},
       "GPUs of vLLM servers beside the trainer's; of a config that has one", "8", {"ask", "explain", "fits", "compare", "sweep"}},
  };
}

/// How long a run is, what it may cost, and what an owned machine costs.
std::vector<QuestionWord> words_of_length_and_money() {
  return {
      {"--tokens", {"--train-tokens", "--dataset-tokens", "--total-tokens", "--num-tokens"}, of<tokens_kind>, kAny,
       "Training tokens of a run: 50M, 1B; with --epochs of one epoch", "50M", {"ask", "record", "explain", "fits", "compare", "sweep"}},
      {"--examples", {"--samples", "--pairs", "--num-samples", "--train-samples", "--num-examples", "--prompts", "--dataset-size"}, of<tokens_kind>, {1, 1e12},
       "Or examples of a data set: 20000, 50k, with --mean-length and --epochs", "20000", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--mean-length", {"--avg-length", "--average-length", "--tokens-per-example", "--tokens-per-sample", "--avg-tokens"}, of<length_kind>, kAny,
       "Tokens of an example on average: 600; a whole sequence if left out", "600", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--epochs", {"--num-epochs", "--num-train-epochs"}, of<number_kind>, kEpochs,
       "How often the data are trained on: 3 [1]", "3", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--deadline", {"--deadline-hours", "--within", "--max-hours"}, of<hours_kind>, kAny,
       "Hours for a run at most: 24, 24h, 3d, 90m", "24h", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--budget", {"--budget-usd", "--max-cost", "--max-price", "--max-usd"}, of<dollars_kind>, kAny,
       "Dollars for a run at most, its upper end: 500, $1,500, 2k", "500", {"ask", "explain", "fits"}},
      {"--provider", {"--seller", "--cloud"}, nullptr, kAny,
       "Rented from this provider alone, or from one of several: runpod,lambda", "runpod", {"ask", "explain", "fits", "compare", "sweep", "cost", "list"}},
      {"--region", {}, nullptr, kAny,
       "In this region alone: us-east-1, eu …", "us-east-1", {"ask", "explain", "fits", "compare", "sweep", "cost", "list"}},
      {"--tier", {}, nullptr, kAny,
       "on demand, spot, 1 year …", "spot", {"ask", "cost", "list"}},
      {"--stack", {"--framework"}, nullptr, kAny,
       "The framework, also --framework: hf-trl, unsloth, torchtune …; the sheet's if left out", "unsloth", {"ask", "explain", "record", "measure-script", "fits", "compare", "sweep"}},
      {"--headroom", {}, of<share_kind>, kAny,
       "Share of the need that stays free: 10%; the sheet's if left out", "10%", {"ask", "explain", "fits", "compare", "sweep"}},
      {"--runs", {"--runs-per-month"}, of<number_kind>, kRunsPerMonth,
       "Runs per month: says rent or buy", "30", {"ask"}},
      {"--failed", {"--failed-share"}, of<share_kind>, kFailed,
       "With --runs, which are finished: the share of all started that is lost", "10%", {"ask"}},
      {"--hours", {"--hours-per-month"}, of<hours_kind>, kLeastHours,
       "Hours of use per month of a machine that is owned: 200, 8d", "300", {"ask", "record", "cost"}},
      {"--life", {"--life-years", "--lifetime"}, of<years_kind>, kAny,
       "Years that a machine is owned: 3, 36 months", "3", {"ask", "cost"}},
      {"--electricity", {"--electricity-price", "--power-price", "--usd-per-kwh", "--kwh"}, of<energy_kind>, kAny,
       "Dollars per kWh of a machine that is owned: 0.12", "0.12", {"ask", "cost"}},
      {"--write", {"--write-config", "--out-dir"}, nullptr, kAny,
       "Folder for the config of the pick; --framework says for which framework", "run", {"ask"}},
      {"--rent", {}, of<rate_kind>, kAny,
       "Or dollars per GPU-hour: 2.49, $2.49/h", "2.49", {"ask", "cost"}},
  };
}
// clang-format on

const QuestionWord& known_word(const std::string& name) {
  const QuestionWord* word = question_word(name);
  if (word == nullptr) throw std::logic_error(name + " is not in the table of options");
  return *word;
}

/// Other words than those of the table, where there are some.
std::string help_of(const QuestionWord& word, const std::string& words) {
  return words.empty() ? word.words : words;
}

}  // namespace

std::span<const QuestionWord> question_words() {
  static const std::vector<QuestionWord> kWords = [] {
    std::vector<QuestionWord> words = words_of_set_up();
    std::ranges::move(words_of_length_and_money(), std::back_inserter(words));
    return words;
  }();
  return kWords;
}

const QuestionWord* question_word(std::string_view name) {
  for (const QuestionWord& word : question_words()) {
    if (name == word.name) return &word;
    for (const char* other : word.other) {
      if (name == other) return &word;
    }
  }
  return nullptr;
}

std::string all_names(const std::string& name) {
  std::string names = name;
  for (const char* other : known_word(name).other) names += std::string(",") + other;
  return names;
}

CLI::Option* add_text(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& words) {
  return command.add_option(all_names(name), target, help_of(known_word(name), words));
}

CLI::Option* add_texts(CLI::App& command, const std::string& name, std::vector<std::string>& target,
                       const std::string& words) {
  return command.add_option(all_names(name), target, help_of(known_word(name), words))
      ->allow_extra_args(false);
}

CLI::Option* add_number(CLI::App& command, const std::string& name,
                        const std::function<void(double)>& put, const std::string& words,
                        std::optional<Bounds<double>> bounds) {
  const QuestionWord& word = known_word(name);
  if (word.kind == nullptr) throw std::logic_error(name + " has no unit in the table of options");
  const ValueKind& kind = *word.kind();
  const bool own = word.bounds.low != word.bounds.high;
  const Bounds<double> within = bounds.value_or(own ? word.bounds : kind.bounds);
  return command
      .add_option_function<std::string>(
          all_names(name),
          [name, &kind, within, put](const std::string& text) {
            put(value_in(name, text, kind, within));
          },
          help_of(word, words))
      ->type_name(kind.id);
}

std::string no_meaning_words(const std::string& command, const QuestionWord& word,
                             const std::string& said) {
  const std::vector<std::string> takers(word.commands.begin(), word.commands.end());
  return command + ": " + said + (said == word.name ? "" : " (" + std::string(word.name) + ")") +
         " has no meaning here; " +
         (takers.size() == 1 ? takers.front() + " takes it"
                             : join({takers.begin(), takers.end() - 1}, ", ") + " and " +
                                   takers.back() + " take it");
}

}  // namespace sizesheet
