// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_cards.h"

#include <array>
#include <tuple>

#include "cli/foreign_words.h"
#include "cli/line_reading.h"
#include "cli/meant_options.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "4" of "x4", "×4", "*4" and "x 4" behind a card or a machine; "" without one.
std::string take_times(LineReading& line) {
  for (const std::string_view sign : {"x", "×", "*"}) {
    const std::string word = line.letters(line.at);
    if (!word.starts_with(sign)) continue;
    const bool apart = word.size() == sign.size();
    const std::string many = apart ? line.letters(line.at + 1) : word.substr(sign.size());
    if (!is_count_word(many)) continue;
    line.at += apart ? 2 : 1;
    return many;
  }
  return "";
}

/// "2x8 H100": two machines of eight.
bool take_machines_of_cards(LineReading& line) {
  const std::string word = line.letters(line.at);
  const std::size_t sign = word.find('x');
  if (sign == word.npos || !is_count_word(word.substr(0, sign))) return false;
  const std::string each = word.substr(sign + 1);
  if (!is_count_word(each) || line.at + 1 >= line.words.size()) return false;
  if (line.means.card_at(line.words, line.at + 1, line.words[line.at + 1]) == 0) return false;
  put_figure(kNodes, word.substr(0, sign), line.parts);
  return take_counted_cards(line, each);
}

/// "2x p5.48xlarge", "4 x p4d.24xlarge", "2x 8xh100": so many machines of a cloud, or of cards.
bool take_counted_machines(LineReading& line) {
  std::string many = line.letters(line.at);
  const bool times = many.size() > 1 && many.back() == 'x';
  if (times) many.pop_back();
  if (!is_count_word(many)) return false;
  const bool apart = !times && contains({"x", "×", "*"}, line.letters(line.at + 1));
  const std::size_t next = line.at + (apart ? 2 : 1);
  if (next >= line.words.size()) return false;
  if (put_counted_machine(many + "x" + line.words[next], line.means, line.parts)) {
    line.at = next + 1;
    return true;
  }
  const auto [card, each] = parts_of_cards(line.words[next]);
  if (each == 0 || line.means.gpu_in(line.words[next]) || !line.means.gpu_in(card)) return false;
  put_figure(kNodes, many, line.parts);
  line.parts.cards.push_back({card, std::to_string(each)});
  line.at = next + 1;
  return true;
}

}  // namespace

bool take_counted_cards(LineReading& line, const std::string& count) {
  std::size_t from = line.at + 1;
  while (contains({"x", "×", "*", "of", "nvidia", "amd"}, line.letters(from))) ++from;
  const std::size_t used =
      from < line.words.size() ? line.means.card_at(line.words, from, line.words[from]) : 0;
  if (used == 0) return false;
  line.parts.cards.push_back({joined_words(line.words, from, used), count});
  line.at = from + used;
  return true;
}

bool take_cards(LineReading& line) {
  if (take_machines_of_cards(line) || take_counted_machines(line)) return true;
  const std::string in_words = count_in_words(line.letters(line.at));
  const std::string count = in_words.empty() ? line.words[line.at] : in_words;
  if (is_count_word(count) &&
      (!in_words.empty() || line.means.card_at(line.words, line.at, count) == 0)) {
    return take_counted_cards(line, count);
  }
  if (line.means.is_machine(line.words[line.at])) {
    const std::string machine = line.words[line.at++];
    const std::string many = take_times(line);
    if (many.empty() || !put_counted_machine(many + "x" + machine, line.means, line.parts)) {
      line.parts.cards.push_back({machine, ""});
    }
    return true;
  }
  if (put_counted_machine(line.words[line.at], line.means, line.parts)) {
    ++line.at;
    return true;
  }
  if (line.parts.models.empty() && line.means.is_model(line.words[line.at])) return false;
  std::string first = line.words[line.at];
  std::int64_t many = 0;
  std::size_t used = line.means.card_at(line.words, line.at, first);
  if (used == 0) {
    std::tie(first, many) = parts_of_cards(first);
    used = many > 0 ? line.means.card_at(line.words, line.at, first) : 0;
  }
  if (used == 0) return false;
  const std::string rest = used > 1 ? joined_words(line.words, line.at + 1, used - 1) : "";
  const std::string name = first.empty() || rest.empty() ? first + rest : first + " " + rest;
  line.at += used;
  const std::string times = many == 0 ? take_times(line) : std::to_string(many);
  line.parts.cards.push_back({name, times});
  return true;
}

bool take_lone_count(LineReading& line) {
  const std::string count = line.letters(line.at + 1);
  const bool ends = line.at + 2 >= line.words.size() || is_filler(line.letters(line.at + 2));
  const bool one_card = line.parts.cards.size() == 1 && line.parts.cards.front().count.empty();
  if (!one_card || !ends || !is_count_word(count) || line.parts.options.contains("--gpus")) {
    return false;
  }
  line.parts.cards.front().count = count;
  line.at += 2;
  return true;
}

}  // namespace sizesheet
