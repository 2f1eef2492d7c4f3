// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "catalog/prices/price.h"
#include "cli/question_table.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Words of other programs for an option of ours.
constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
    {"--batch", "--micro-batch"},
    {"--batch-size", "--micro-batch"},
    {"--cost", "--budget"},
    {"--dollars", "--budget"},
    {"--length", "--seq"},
    {"--max-length", "--seq"},
    {"--max-time", "--deadline"},
    {"--nodes", "--gpus"},
    {"--price", "--rent"},
    {"--time", "--deadline"},
    {"--utilization", "--hours"},
    {"--utilisation", "--hours"},
    {"--spot", "--tier"},
    {"--reserved", "--tier"},
    {"--on-demand", "--tier"},
    {"--dataset", "--examples"},
    {"--max-gpus", "--gpus"},
    {"--output", "--out"},
    {"-o", "--out"},
    {"--output", "--json"},
    {"-o", "--json"},
    {"--pricing", "--tier"},
    {"--lora-alpha", "--rank"},
    {"--prompts", "--examples"}};

/// "--seq" of "--seq=8k".
std::string name_in(const std::string& word) { return word.substr(0, word.find('=')); }

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* one : app.get_subcommands({})) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

bool takes_value(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = is_option(name) ? command.get_option_no_throw(name) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0;
}

/// "1 year, 2 years or 3 years": the terms that `--tier` takes.
std::string reserved_terms() {
  std::vector<std::string> terms;
  for (const RentTier& tier : kPriceTiers) {
    const bool priced = tier.paid != PaidFor::kNothingSaid;
    if (priced && std::string_view(tier.key).starts_with("reserved_"))
      terms.emplace_back(tier.words);
  }
  return join(terms, ", ");
}

UsageError unknown_option(const CLI::App& command, const std::string& name) {
  const std::string& of = command.get_name();
  if (const QuestionWord* word = question_word(name)) {
    return UsageError(no_meaning_words(of, *word), word->name);
  }
  const std::vector<std::string> known = option_names(command);
  for (const auto& [other, ours] : kElsewhere) {
    if (name != other) continue;
    const QuestionWord* word = question_word(ours);
    if (!contains(known, std::string(ours))) {
      if (word == nullptr) continue;
      return UsageError(no_meaning_words(of, *word), word->name);
    }
    return UsageError(of + ": no option " + name + "; it is " + std::string(ours) + " here" +
                          (name == "--reserved" ? ": " + reserved_terms() : ""),
                      std::string(ours));
  }
  return UsageError(of + ": no option " + shown(Json(name)) + did_you_mean(name, known) +
                    "; sizesheet help " + of + " lists them");
}

/// The option that is said a second time, by whichever of its names; nullopt where none is.
std::optional<UsageError> said_twice(const CLI::App& command,
                                     const std::vector<std::string>& words) {
  std::map<const CLI::Option*, std::string> said;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::string name = name_in(words[i]);
    const CLI::Option* option = is_option(name) ? command.get_option_no_throw(name) : nullptr;
    if (option == nullptr || option->get_expected_max() > 1) continue;
    const auto [before, first] = said.try_emplace(option, name);
    if (first) continue;
    return UsageError(name + ": is said twice" +
                      (before->second == name ? "" : ", " + before->second + " says it too"));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  return names;
}

UsageError parse_refusal(const CLI::App& app, const std::vector<std::string>& words,
                         const CLI::ParseError& error) {
  const CLI::App* command = command_named(app, words.empty() ? "" : words.front());
  if (command == nullptr) return UsageError(plain_text(error.what()));
  const auto* extras = dynamic_cast<const CLI::ExtrasError*>(&error);
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::string name = name_in(words[i]);
    const bool value = i > 1 && words[i - 1].find('=') == std::string::npos &&
                       takes_value(*command, words[i - 1]);  // "-1" of --budget
    if (!value && is_option(name) && command->get_option_no_throw(name) == nullptr) {
      return unknown_option(*command, name);
    }
  }
  if (extras != nullptr) {
    return UsageError(command->get_name() + ": expected no further word, got " +
                      shown(Json(words.back())));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    if (const auto twice = said_twice(*command, words)) return *twice;
  }
  return UsageError(command->get_name() + ": " + plain_text(error.what()));
}

bool asks_json(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") return false;
    if (word == "--json" || word == "--format=json") return true;
    if (word == "--format" && i + 1 < arguments.size() && arguments[i + 1] == "json") return true;
  }
  return false;
}

std::string error_json(const std::string& words, const std::string& works,
                       const std::vector<std::string>& left_out) {
  Json error = {{"error", words}, {"ok", false}, {"try", works.empty() ? Json() : Json(works)}};
  if (!left_out.empty()) error["left_out"] = left_out;
  return error.dump() + "\n";
}

}  // namespace sizesheet
