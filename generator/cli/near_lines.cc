// SPDX-License-Identifier: Apache-2.0
#include "cli/near_lines.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cli/question_table.h"
#include "cli/tier_names.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using LineWords = std::vector<std::string>;

std::string option_name(const std::string& word) { return word.substr(0, word.find('=')); }

/// Texts in quotation marks of a sentence from a place on.
LineWords quoted_in(const std::string& text, std::size_t from) {
  LineWords found;
  std::size_t open = text.find('"', from);
  while (open != text.npos) {
    const std::size_t end = text.find('"', open + 1);
    if (end == text.npos) break;
    found.push_back(text.substr(open + 1, end - open - 1));
    open = text.find('"', end + 1);
  }
  return found;
}

/// Whether the error is about the word: it quotes it, begins with it, or has no such option.
bool is_about(const std::string& error, const std::string& word) {
  if (word.empty()) return false;
  if (error.find('"' + word + '"') != error.npos) return true;
  if (!looks_like_option(word)) return false;
  const std::string name = option_name(word);
  const QuestionWord* known = question_word(name);
  const std::string ours = known != nullptr ? known->name : name;
  return error.starts_with(ours + ":") || error.find(" " + name + ";") != error.npos ||
         error.find("\"" + name + "\"") != error.npos ||
         error.find(": " + ours + " ") != error.npos;
}

/// Makes the lines; a line that was made before is not made again.
class LineMaker {
 public:
  explicit LineMaker(const LineWords& said) : said_(said) {}

  /// The words from `at` on, `count` of them, become `words`.
  void add(std::size_t at, std::size_t count, const LineWords& words) {
    LineWords line(said_.begin(), said_.begin() + static_cast<std::ptrdiff_t>(at));
    line.insert(line.end(), words.begin(), words.end());
    const std::size_t rest = std::min(at + count, said_.size());
    line.insert(line.end(), said_.begin() + static_cast<std::ptrdiff_t>(rest), said_.end());
    if (line.empty() || line == said_ || std::ranges::find(all_, line) != all_.end()) return;
    all_.push_back(std::move(line));
  }

  std::vector<LineWords> taken() && { return std::move(all_); }

 private:
  const LineWords& said_;
  std::vector<LineWords> all_;
};

/// Of an option that the command does not take, or whose value it does not.
void add_for_option(const LineWords& said, std::size_t at, const std::string& option,
                    LineMaker& lines) {
  const std::string name = option_name(said[at]);
  const bool joined = name != said[at];
  const bool next = !joined && at + 1 < said.size() && !looks_like_option(said[at + 1]);
  const std::string value = joined ? said[at].substr(name.size() + 1) : next ? said[at + 1] : "";
  const std::size_t used = next ? 2 : 1;
  if (const std::string tier = tier_of_option(name, value); !tier.empty()) {
    lines.add(at, used, {"--tier", tier});
    lines.add(at, 1, {"--tier", tier});
  }
  if (!option.empty()) {
    if (!value.empty()) lines.add(at, used, {option, value});
    const QuestionWord* word = question_word(option);
    if (word != nullptr) lines.add(at, used, {option, word->example});
  }
  const QuestionWord* own = question_word(name);
  if (own != nullptr && value.find(',') == value.npos) lines.add(at, used, {name, own->example});
  lines.add(at, used, {});
  if (used > 1) lines.add(at, 1, {});
}

}  // namespace

bool looks_like_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string without_owner(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == name.npos ? name : name.substr(slash + 1);
}

std::vector<std::string> suggested_names(const std::string& error, const std::string& word) {
  LineWords names;
  constexpr std::string_view kMeant = "did you mean ";
  if (const std::size_t at = error.find(kMeant); at != error.npos) names = quoted_in(error, at);
  for (const std::string_view list_of : {"nearest are ", "say one of "}) {
    const std::size_t at = error.find(list_of);
    if (at == error.npos) continue;
    std::string list = error.substr(at + list_of.size());
    for (std::size_t comma = list.find(", "); !list.empty(); comma = list.find(", ")) {
      names.push_back(list.substr(0, comma));
      list = comma == list.npos ? "" : list.substr(comma + 2);
    }
    // Of versions of one model the last is the newest.
    if (list_of.starts_with("say")) std::ranges::reverse(names);
  }
  // Of a name on the Hub the owner is no part.
  const std::string own = small_letters(without_owner(word));
  LineWords parts;
  for (const std::string& part : split(own, '-')) {
    for (const std::string& one : split(part, ' ')) parts.push_back(one);
  }
  const bool fitting = error.find("say one of ") != error.npos;
  std::ranges::stable_sort(names, {}, [&](const std::string& name) {
    const auto lacking = std::ranges::count_if(
        split(name, '-'), [&](const std::string& part) { return !contains(parts, part); });
    // Of several that fit the newest is first already.
    const auto length = fitting ? 0
                                : std::abs(static_cast<std::ptrdiff_t>(name.size()) -
                                           static_cast<std::ptrdiff_t>(own.size()));
    return std::pair(lacking, length);
  });
  // A row of the sheet by size is no model that anybody names.
  std::stable_partition(names.begin(), names.end(),
                        [](const auto& name) { return !name.starts_with("size-"); });
  return names;
}

NearLines near_lines(const std::vector<std::string>& arguments, const std::string& error,
                     const std::string& option) {
  LineMaker same(arguments);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // A name is put in the place of a name, not of a sentence or a list.
    const bool name_alone =
        arguments[i].find(',') == std::string::npos && std::ranges::count(arguments[i], ' ') < 4;
    if (!name_alone || !is_about(error, arguments[i])) continue;
    const LineWords names = suggested_names(error, arguments[i]);
    const LineWords parts = split(arguments[i], ' ');
    const bool sentence = parts.size() > 1 && std::ranges::any_of(parts, [&](const auto& part) {
                            return contains(names, small_letters(part));
                          });
    // "rtx 2080": another card of the family would take the number for a count.
    const bool numbered = i + 1 < arguments.size() && !arguments[i + 1].empty() &&
                          std::ranges::all_of(arguments[i + 1], is_digit);
    if (sentence || (numbered && error.find("expected a model") != error.npos)) continue;
    for (const std::string& name : names) same.add(i, 1, {name});
  }
  LineMaker other(arguments);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_about(error, arguments[i])) continue;
    if (looks_like_option(arguments[i])) {
      add_for_option(arguments, i, option, other);
      continue;
    }
    const QuestionWord* before = i > 0 ? question_word(arguments[i - 1]) : nullptr;
    if (before != nullptr && arguments[i].find(',') == std::string::npos) {
      // Another seller or place answers another question.
      const bool drops = contains({"--provider", "--region", "--gpu"}, before->name);
      if (drops) other.add(i - 1, 2, {});
      // Another model answers another question; what the words mean is read elsewhere.
      if (before->name != std::string_view("--model")) other.add(i, 1, {before->example});
    } else if (i > 0 && looks_like_option(arguments[i - 1])) {
      other.add(i - 1, 2, {});
    } else {
      other.add(i, 1, {});
    }
  }
  if (error.find("expected a model") != error.npos) {
    other.add(arguments.size(), 0, {"llama-3.1-8b"});
  }
  return {std::move(same).taken(), std::move(other).taken()};
}

}  // namespace sizesheet
