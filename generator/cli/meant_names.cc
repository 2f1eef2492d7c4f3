// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_names.h"

#include <filesystem>
#include <vector>

#include "catalog/catalog.h"
#include "cli/area_names.h"
#include "cli/foreign_words.h"
#include "cli/line_reading.h"
#include "cli/meant_options.h"
#include "cli/meant_stacks.h"
#include "cli/near_lines.h"
#include "cli/near_models.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Where the name is of several models, the one that is taken is told.
void push_single_model(LineReading& line, const std::string& name) {
  const std::string model = single_model(name, line.means);
  if (model != name) {
    const std::string family = name.substr(0, name.find_first_of(" -0123456789"));
    const std::string list = family.empty() ? "" : "; sizesheet models " + family + " lists them";
    line.parts.notes.push_back(in_quotes(name) + " is taken as " + model +
                               ", the newest of several" + list);
  }
  line.parts.models.push_back(model);
}

/// "gemma 9b", "a 9b gemma": where it is no name of a model.
bool take_family_and_size(LineReading& line) {
  if (line.at + 1 >= line.words.size()) return false;
  const std::string& first = line.words[line.at];
  const std::string second = without_signs(line.words[line.at + 1]);
  const bool size_first = is_model_size(first);
  const std::string& family = size_first ? second : first;
  const std::string& size = size_first ? first : second;
  if (!is_model_family(line.means.catalog(), family) || !is_model_size(size)) return false;
  if (line.means.is_model(family + " " + size)) {
    push_single_model(line, family + " " + size);
  } else {
    line.parts.near_models.push_back({small_letters(family), size});
  }
  line.at += 2;
  return true;
}

bool take_family(LineReading& line) {
  const std::string& word = line.words[line.at];
  if (is_model_family(line.means.catalog(), word)) {
    line.parts.near_models.push_back({small_letters(word), ""});
  } else if (is_model_size(word) && small_letters(word).back() == 'b') {
    line.parts.near_models.push_back({"", word});
  } else {
    return false;
  }
  ++line.at;
  return true;
}

}  // namespace

bool is_model_name(const std::string& word) {
  return word.find_first_of("0123456789/") != word.npos && !is_count_word(word);
}

bool take_names(LineReading& line) {
  const std::string noun = line.letters(line.at);
  if (!list_of_noun(noun).empty() || !command_meant(noun).empty()) return false;
  if (contains({"fully", "full-parameter", "full-weight"}, noun)) {
    line.parts.methods.emplace_back("full");
    ++line.at;
    return true;
  }
  if (line.parts.models.empty() && is_config_file(line.words[line.at]) &&
      std::filesystem::is_regular_file(line.words[line.at])) {
    line.parts.models.push_back(line.words[line.at++]);
    return true;
  }
  if (is_config_file(line.words[line.at]) &&
      std::filesystem::is_regular_file(line.words[line.at])) {
    line.parts.kept.insert(line.parts.kept.end(), {"--config", line.words[line.at++]});
    return true;
  }
  if (take_family_and_size(line)) return true;
  std::size_t most = 1;  // no name goes on behind an option
  while (most < kMostNameWords && line.at + most < line.words.size() &&
         !looks_like_option(line.words[line.at + most])) {
    ++most;
  }
  for (std::size_t count = most; count > 0; --count) {
    const std::string name = without_signs(joined_words(line.words, line.at, count));
    // "and" is a word of "q and v only".
    const bool joined = count > 1 && is_filler(line.letters(line.at + count - 1));  // "LoRA and"
    const bool share = name.find('%') != name.npos;  // of the use of a machine
    if (share) continue;
    const bool says_nothing = joined || (count == 1 && is_filler(noun));
    if (!says_nothing && (line.means.is_method(name) || line.means.is_ranked(name))) {
      line.parts.methods.push_back(name);
      line.at += count;
      return true;
    }
    const bool ends_in_method =
        count > 1 && line.means.is_method(without_signs(line.words[line.at + count - 1]));
    // "a 3b" is no A3B.
    const bool article = count > 1 && contains({"a", "an", "the"}, line.letters(line.at));
    if (ends_in_method || article || !is_model_name(name) || !line.means.is_model(name)) continue;
    push_single_model(line, name);
    line.at += count;
    return true;
  }
  return take_family(line);
}

bool take_seller(LineReading& line) {
  for (const std::size_t count : {std::size_t{2}, std::size_t{1}}) {
    if (line.at + count > line.words.size()) continue;
    const std::string name = without_signs(joined_words(line.words, line.at, count));
    if (line.means.is_provider(name)) {
      if (!line.parts.options.contains("--provider")) line.parts.options["--provider"] = name;
      line.parts.providers.push_back(name);
      line.at += count;
      if (contains({"labs", "cloud", "ai"}, line.letters(line.at))) ++line.at;
      return true;
    }
  }
  return take_stack(line);
}

bool leave_out_sellers(LineReading& line) {
  std::size_t end = line.at;
  for (std::size_t next = line.at + 1; next < line.words.size(); ++next) {
    const bool seller = line.means.is_provider(line.words[next]);
    if (seller) end = next + 1;
    if (!seller && !contains({"and", "or", "nor", "from"}, line.letters(next))) break;
  }
  if (end == line.at) return false;
  line.parts.left_out.push_back(joined_words(line.words, line.at, end - line.at));
  line.parts.notes.emplace_back(
      "no option leaves out a seller; --provider names the sellers that you want");
  line.at = end;
  return true;
}

bool take_region(LineReading& line) {
  const std::string word = line.letters(line.at);
  const std::string known = known_region(word, line.means.catalog());
  const bool name = word.find('-') != word.npos && !known.empty();
  if (name || says_area(without_signs(line.words[line.at]))) {
    line.parts.options["--region"] = word;
    ++line.at;
    return true;
  }
  // No price is of "europe-west4": the part of the world where it is stands for it.
  const std::string area(area_of_region(word));
  if (!known.empty() || area.empty()) return false;
  line.parts.options["--region"] = area;
  line.parts.note("no price is of " + word + ": " + area + " is the part of the world where it is");
  ++line.at;
  return true;
}

}  // namespace sizesheet
