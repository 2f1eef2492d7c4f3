// SPDX-License-Identifier: Apache-2.0
#include "cli/said_shares.h"

#include "cli/said_words.h"
#include "cli/word_table.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What a share is of, by the word behind it or before it.
constexpr WordPair kShared[] = {
    {"utilization", kUseShare}, {"utilisation", kUseShare}, {"util", kUseShare},
    {"utilized", kUseShare},    {"utilised", kUseShare},    {"usage", kUseShare},
    {"use", kUseShare},         {"used", kUseShare},        {"busy", kUseShare},
    {"load", kUseShare},        {"duty", kUseShare},        {"uptime", kUseShare},
    {"headroom", "--headroom"}, {"margin", "--headroom"},   {"slack", "--headroom"},
    {"failed", "--failed"},     {"fail", "--failed"},       {"failures", "--failed"},
    {"failing", "--failed"}};

/// "40%" of "40%", "40 %" and "40 percent", and how many words say it; "" where none does.
struct SaidPercent {
  std::string value;
  std::size_t used = 0;
};

SaidPercent percent_at(const std::vector<std::string>& words, std::size_t at) {
  std::string value = letters_at(words, at);
  if (value.empty() || !is_digit(value.front())) return {};
  const bool apart =
      is_digit(value.back()) && contains({"%", "percent", "pct"}, letters_at(words, at + 1));
  if (apart) value += "%";
  return value.ends_with('%') ? SaidPercent{value, apart ? std::size_t{2} : std::size_t{1}}
                              : SaidPercent();
}

/// "utilization of 60%", "used 70%"; "at 40%" where no word behind says what it is of.
std::optional<SaidFigure> share_behind_word(const std::vector<std::string>& words, std::size_t at) {
  const std::string first = letters_at(words, at);
  const auto shared = meant_in(kShared, first);
  if (shared.empty() && first != "at") return std::nullopt;
  std::size_t next = at + 1;
  while (!shared.empty() &&
         contains({"of", "is", "at", "=", ":", "about"}, letters_at(words, next)))
    ++next;
  const SaidPercent percent = percent_at(words, next);
  const std::size_t end = next + percent.used;
  const bool whole = !shared.empty() || is_filler(letters_at(words, end));
  if (percent.value.empty() || !whole) return std::nullopt;
  return SaidFigure{shared.empty() ? kUseShare : std::string(shared), percent.value, end - at};
}

/// Whether the words say "of the time" from a place on.
bool says_of_the_time(const std::vector<std::string>& words, std::size_t at) {
  return letters_at(words, at) == "of" && letters_at(words, at + 1) == "the" &&
         contains({"time", "month", "hours", "day", "week", "year"}, letters_at(words, at + 2));
}

}  // namespace

std::optional<SaidFigure> share_at(const std::vector<std::string>& words, std::size_t at) {
  if (contains({"24/7", "24x7", "24-7"}, letters_at(words, at))) {
    return SaidFigure{kUseShare, "100%", 1};
  }
  if (auto behind = share_behind_word(words, at)) return behind;
  const SaidPercent percent = percent_at(words, at);
  if (percent.value.empty()) return std::nullopt;
  const std::size_t end = at + percent.used;
  if (says_of_the_time(words, end)) return SaidFigure{kUseShare, percent.value, percent.used + 3};
  const auto shared = meant_in(kShared, letters_at(words, end));
  if (shared.empty()) return std::nullopt;
  return SaidFigure{std::string(shared), percent.value, percent.used + 1};
}

bool is_percentage(const std::string& word) {
  return word.size() > 1 && is_digit(word.front()) && word.back() == '%';
}

}  // namespace sizesheet
