// SPDX-License-Identifier: Apache-2.0
// Near misses: what a name that is not known may have been meant for.

#include "support/error.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <utility>

#include "support/text.h"

namespace sizesheet {
namespace {

/// The tokens of a JSON pointer, "~1" and "~0" undone.
std::vector<std::string> pointer_tokens(const std::string& pointer) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (tokens.empty()) {
      tokens.emplace_back(1, pointer[i]);
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      tokens.back() += pointer[++i] == '1' ? '/' : '~';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

constexpr std::size_t kLongestName = 200;  // distances are quadratic; no name is this long
constexpr std::size_t kShortestPart = 3;   // shorter ones are part of too much
constexpr std::size_t kMostNamed = 8;

using Parts = std::vector<std::string>;

/// In small letters, every separator but the point of a number a "-".
std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto letter = static_cast<unsigned char>(plain[i]);
    if (letter >= 0x80 || std::isalnum(letter) != 0) {
      plain[i] = static_cast<char>(letter < 0x80 ? std::tolower(letter) : letter);
      continue;
    }
    const bool point = letter == '.' && i > 0 && is_digit(plain[i - 1]) && i + 1 < plain.size() &&
                       is_digit(plain[i + 1]);
    if (!point) plain[i] = '-';
  }
  return plain;
}

/// A name as it is compared: "gb200-nvl72" has the words gb and nvl and the numbers 200 and 72.
struct Name {
  explicit Name(std::string_view name);

  bool says_something() const { return !words.empty() || !numbers.empty(); }
  bool is_long_enough() const { return says_something() && plain.size() >= kShortestPart; }

  std::string plain;
  Parts words;
  Parts numbers;
  Parts codes;                   ///< words of one or two letters glued before a number: gb
  std::size_t words_before = 0;  ///< those before the last number
};

Name::Name(std::string_view name) : plain(plain_name(name)) {
  constexpr std::size_t kLongestCode = 2;
  for (std::size_t i = 0; i < plain.size();) {
    if (plain[i] == '-') {
      ++i;
      continue;
    }
    const bool number = is_digit(plain[i]);
    std::size_t end = i;
    const auto goes_on = [&](char letter) {
      return number ? is_digit(letter) || letter == '.' : letter != '-' && !is_digit(letter);
    };
    while (end < plain.size() && goes_on(plain[end])) ++end;
    (number ? numbers : words).push_back(plain.substr(i, end - i));
    if (number) words_before = words.size();
    const bool code = !number && end - i <= kLongestCode && end < plain.size() && plain[end] != '-';
    if (code) codes.push_back(words.back());
    i = end;
  }
}

/// Whether `all` has what the name says, of its words the first `count`, the numbers in their
/// order.
bool says_more(const Name& all, const Name& name, std::size_t count) {
  if (!name.is_long_enough()) return false;
  auto number = name.numbers.begin();
  for (const std::string& one : all.numbers) {
    if (number != name.numbers.end() && *number == one) ++number;
  }
  const auto word_end = name.words.begin() + static_cast<std::ptrdiff_t>(count);
  return number == name.numbers.end() &&
         std::all_of(name.words.begin(), word_end,
                     [&](const std::string& word) { return contains(all.words, word); });
}

/// Optimal string alignment: insert, delete, replace, or swap two neighbours, each at cost 1.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

/// How far `one` is in letters; nothing when that is too far.
std::optional<std::size_t> misspelt_by(const Name& name, const Name& one) {
  const std::size_t limit = std::max<std::size_t>(1, name.plain.size() / 3);
  if (one.plain.size() > name.plain.size() + limit) return {};
  if (one.numbers != name.numbers || one.codes != name.codes) return {};
  const std::size_t far = distance(name.plain, one.plain);
  return far <= limit ? std::optional(far) : std::nullopt;
}

/// A word that is not whole, or what follows the last number left away.
bool begins_alike(const Name& name, const Name& one) {
  if (!name.numbers.empty()) {
    return name.words_before > 0 && says_more(one, name, name.words_before);
  }
  return name.is_long_enough() && one.plain.starts_with(name.plain);
}

/// What of `known` may be meant, each once.
Parts meant_by(const Name& name, const Parts& known) {
  std::vector<Name> names;
  for (const std::string& one : known) names.emplace_back(one);
  const auto those = [&](const auto& is_meant) {
    Parts found;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (is_meant(names[i]) && !contains(found, known[i])) found.push_back(known[i]);
    }
    return found;
  };
  Parts found = those([&](const Name& one) {
    return name.says_something() && one.words == name.words && one.numbers == name.numbers;
  });
  if (!found.empty()) return found;
  std::optional<std::size_t> least;
  for (const Name& one : names) {
    const std::optional<std::size_t> far = misspelt_by(name, one);
    if (far && (!least || *far < *least)) least = far;
  }
  found = those([&](const Name& one) {
    return says_more(one, name, name.words.size()) || (least && misspelt_by(name, one) == least);
  });
  // Those first that say least beside the name.
  std::ranges::stable_sort(found, {},
                           [](const std::string& one) { return Name(one).words.size(); });
  if (!found.empty()) return found;
  return those([&](const Name& one) { return begins_alike(name, one); });
}

}  // namespace

std::string to_text(const Fault& fault) {
  std::string place = fault.file;
  if (!fault.pointer.empty()) place += (place.empty() ? "" : ":") + plain_text(fault.pointer);
  return place.empty() ? fault.message : place + ": " + fault.message;
}

std::string to_request_text(const Fault& fault) {
  std::string place;
  for (const std::string& token : pointer_tokens(fault.pointer)) {
    if (!token.empty() && std::ranges::all_of(token, is_digit)) {
      place += "[" + token + "]";
    } else {
      place += (place.empty() ? "" : ".") + token;
    }
  }
  return place.empty() ? fault.message : place + ": " + fault.message;
}

void Faults::add(std::string file, std::string pointer, std::string message) {
  all_.push_back({std::move(file), std::move(pointer), std::move(message)});
}

std::string Faults::request_text() const {
  std::string text;
  for (const Fault& fault : all_) text += (text.empty() ? "" : "; ") + to_request_text(fault);
  return text;
}

void Faults::refuse() const {
  if (all_.empty()) return;
  constexpr std::size_t kMostShown = 200;
  std::vector<std::string> lines;
  for (const Fault& fault : all_) {
    if (lines.size() == kMostShown) {
      const std::size_t more = all_.size() - kMostShown;
      lines.push_back("and " + std::to_string(more) + (more == 1 ? " fault more" : " faults more"));
      break;
    }
    lines.push_back(to_text(fault));
  }
  throw InputError(join(lines, "\n"));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongestName) return "";
  const Parts found = meant_by(Name(name), known);
  if (found.empty()) return "";
  std::string text;
  const std::size_t named = std::min(found.size(), kMostNamed);
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == found.size();
    if (i > 0) text += last ? " or " : ", ";
    text += in_quotes(found[i]);
  }
  if (named < found.size()) text += " or one of " + std::to_string(found.size() - named) + " more";
  return " (did you mean " + text + "?)";
}

}  // namespace sizesheet
