// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "catalog/prices/price.h"
#include "cli/foreign_words.h"
#include "cli/question_table.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

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

/// Why an option of another program is none here, and what says the same; nullopt where the command
/// has nothing like it.
std::optional<UsageError> foreign_refusal(const std::string& command,
                                          const std::vector<std::string>& known,
                                          const std::string& name, const ForeignOption& foreign) {
  const std::string none = command + ": no option " + name;
  if (foreign.form == OptionForm::kForm && !contains(known, std::string(foreign.ours))) {
    return UsageError(none +
                      "; the answer goes to standard output, and > FILE puts it into a file");
  }
  if (foreign.form == OptionForm::kCostKey) {
    return UsageError(none + "; cost takes " + std::string(foreign.ours) + " in --request");
  }
  if (foreign.form == OptionForm::kRequest) {
    return UsageError(none + "; " + std::string(foreign.words) + ", and explain takes " +
                      std::string(foreign.ours) + " in --request");
  }
  const std::string ours(foreign.ours);
  if (foreign.form == OptionForm::kSteps)
    return UsageError(none + "; " + std::string(foreign.words));
  if (contains(known, ours)) {
    const std::string more = name == "--reserved" ? ": " + reserved_terms()
                             : ours == "--micro-batch" && !foreign.words.empty()
                                 ? ": " + std::string(foreign.words)
                                 : "";
    return UsageError(none + "; it is " + ours + " here" + more, ours);
  }
  if (const QuestionWord* word = question_word(ours); word != nullptr && foreign.words.empty()) {
    return UsageError(no_meaning_words(command, *word, name), word->name);
  }
  if (foreign.words.empty()) return std::nullopt;
  return UsageError(none + "; " + std::string(foreign.words));
}

UsageError unknown_option(const CLI::App& command, const std::string& name) {
  const std::string& of = command.get_name();
  if (const QuestionWord* word = question_word(name)) {
    return UsageError(no_meaning_words(of, *word, name), word->name);
  }
  const std::vector<std::string> known = option_names(command);
  const ForeignOption* foreign = foreign_option(name);
  if (foreign != nullptr) {
    if (const auto error = foreign_refusal(of, known, name, *foreign)) return *error;
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
  if (command == nullptr) {
    const bool begins = !words.empty() && is_option(name_in(words.front()));
    return UsageError(begins ? "expected a command or a model, got " + shown(Json(words.front()))
                             : plain_text(error.what()));
  }
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

std::string error_json(const std::string& words, const MendedLine& works) {
  Json error = {
      {"error", words}, {"ok", false}, {"try", works.line.empty() ? Json() : Json(works.line)}};
  if (!works.left_out.empty()) error["left_out"] = works.left_out;
  if (!works.notes.empty()) error["notes"] = works.notes;
  if (works.example) error["example"] = true;
  return error.dump() + "\n";
}

}  // namespace sizesheet
