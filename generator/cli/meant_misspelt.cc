// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_misspelt.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "catalog/names.h"
#include "cli/line_reading.h"
#include "cli/meant_names.h"
#include "cli/meant_options.h"
#include "cli/near_lines.h"
#include "cli/near_models.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The id that the catalog has nearly like this; "" where there is none.
std::string near_model(const LineReading& line, const std::string& word) {
  try {
    static_cast<void>(line.means.models().resolved(word));
  } catch (const InputError& error) {
    const std::vector<std::string> near = suggested_names(error.what(), word);
    const bool spelled = std::string_view(error.what()).find("did you mean") != std::string::npos;
    const std::string own = small_letters(without_owner(word));
    const bool of_another = contains(near, own);  // the owner is misspelt
    if (of_another) return own;
    if (spelled && !near.empty()) return near.front();
  }
  return "";
}

/// "H10O", where one type of GPU has nearly this name.
bool take_misspelt_card(LineReading& line) {
  const std::string& word = line.words[line.at];
  const std::string near = near_card(word, line.means);
  if (near.empty()) return false;
  line.parts.cards.push_back({near, ""});
  line.parts.notes.push_back(in_quotes(word) + " is taken as " + near);
  ++line.at;
  return true;
}

/// "lamma 3 8b": a name of several words, the first of them misspelt.
bool take_misspelt_words(LineReading& line) {
  constexpr std::size_t kLeastLetters = 4;
  const std::string first = line.letters(line.at);
  const bool letters_alone = first.size() >= kLeastLetters && std::ranges::none_of(first, is_digit);
  if (!letters_alone || !line.parts.models.empty() || is_filler(first)) return false;
  for (const std::size_t count : {std::size_t{3}, std::size_t{2}}) {
    if (line.at + count > line.words.size()) continue;
    const auto names_more = [&](std::size_t at) {
      return looks_like_option(line.words[at]) || line.words[at].find('/') != std::string::npos ||
             (line.means.is_model(line.words[at]) && !is_model_size(line.words[at]) &&
              !is_count_word(line.words[at]));
    };
    bool whole = true;
    for (std::size_t i = line.at + 1; i < line.at + count; ++i) whole = whole && !names_more(i);
    if (!whole) continue;
    const std::string said = joined_words(line.words, line.at, count);
    std::string name = said;
    std::ranges::replace(name, ' ', '-');
    const std::string model = is_model_name(name) ? near_model(line, name) : "";
    if (model.empty()) continue;
    line.parts.models.push_back(model);
    line.parts.notes.push_back(in_quotes(said) + " is taken as " + model);
    line.at += count;
    return true;
  }
  return false;
}

}  // namespace

std::string spelled_verb(const std::string& word) {
  static const std::vector<std::string> kSpelled = {
      "price",   "prices",    "pricing", "cheapest", "compare", "comparison", "explain",
      "sellers", "providers", "regions", "versus",   "changes", "changelog"};
  constexpr std::size_t kLeastLetters = 4;
  const bool letters_alone = word.size() >= kLeastLetters && std::ranges::none_of(word, is_digit);
  if (!letters_alone || contains(kSpelled, word)) return "";
  const std::vector<std::string> near = suggested_names(did_you_mean(word, kSpelled), word);
  return near.empty() ? "" : near.front();
}

bool take_misspelt(LineReading& line) {
  const std::string& word = line.words[line.at];
  std::string method = method_meant(word, line.means);
  if (method.front() != word.front()) method = word;  // "pull" is not "full" with a slip
  const bool may_be_model =
      line.parts.models.empty() && line.parts.list.empty() && is_model_name(word);
  const std::string model = may_be_model ? near_model(line, word) : "";
  if (method == word && model.empty()) return take_misspelt_words(line) || take_misspelt_card(line);
  const std::string& name = model.empty() ? method : model;
  (model.empty() ? line.parts.methods : line.parts.models).push_back(name);
  line.parts.notes.push_back(in_quotes(word) + " is taken as " + name);
  ++line.at;
  return true;
}

}  // namespace sizesheet
