// SPDX-License-Identifier: Apache-2.0
// Near misses: what a name that is not known may have been meant for.

#include "support/error.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
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

/// What a name consists of: "gb200-nvl72" of the words gb and nvl and the numbers 200 and 72.
struct NameParts {
  Parts words;
  Parts numbers;
  Parts codes;                   ///< words of one or two letters glued before a number: gb
  std::size_t words_before = 0;  ///< those before the last number

  bool says_something() const { return !words.empty() || !numbers.empty(); }
};

NameParts parts_of(const std::string& plain) {
  constexpr std::size_t kLongestCode = 2;
  NameParts parts;
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
    (number ? parts.numbers : parts.words).push_back(plain.substr(i, end - i));
    if (number) parts.words_before = parts.words.size();
    const bool code = !number && end - i <= kLongestCode && end < plain.size() && plain[end] != '-';
    if (code) parts.codes.push_back(parts.words.back());
    i = end;
  }
  return parts;
}

/// True when `some`, of words the first `words`, are all among `all`, the numbers in their order.
bool has_parts(const NameParts& all, const NameParts& some, std::size_t words) {
  auto number = some.numbers.begin();
  for (const std::string& one : all.numbers) {
    if (number != some.numbers.end() && *number == one) ++number;
  }
  const auto word_end = some.words.begin() + static_cast<std::ptrdiff_t>(words);
  return number == some.numbers.end() &&
         std::all_of(some.words.begin(), word_end,
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

/// One wanted name against known ones.
class Search {
 public:
  explicit Search(std::string_view name) : plain_(plain_name(name)), parts_(parts_of(plain_)) {}

  Parts meant(const Parts& known) const {
    Parts found = those(known, [&](const std::string& one) { return says_the_same(one); });
    if (found.empty()) found = misspelt_or_longer(known);
    if (!found.empty()) return found;
    return those(known, [&](const std::string& one) { return begins_alike(one); });
  }

 private:
  /// How far `one` is in letters; nothing when that is too far.
  std::optional<std::size_t> misspelt_by(const std::string& one) const {
    const std::size_t limit = std::max<std::size_t>(1, plain_.size() / 3);
    if (one.size() > plain_.size() + limit) return {};
    const std::string plain = plain_name(one);
    const NameParts parts = parts_of(plain);
    if (parts.numbers != parts_.numbers || parts.codes != parts_.codes) return {};
    const std::size_t far = distance(plain_, plain);
    return far <= limit ? std::optional(far) : std::nullopt;
  }

  template <typename Condition>
  static Parts those(const Parts& known, const Condition& condition) {
    Parts found;
    std::copy_if(known.begin(), known.end(), std::back_inserter(found), condition);
    return found;
  }

  bool says_the_same(const std::string& one) const {
    const NameParts parts = parts_of(plain_name(one));
    return parts_.says_something() && parts.words == parts_.words &&
           parts.numbers == parts_.numbers;
  }

  Parts misspelt_or_longer(const Parts& known) const {
    std::optional<std::size_t> least;
    for (const std::string& one : known) {
      const std::optional<std::size_t> far = misspelt_by(one);
      if (far && (!least || *far < *least)) least = far;
    }
    Parts found = those(known, [&](const std::string& one) {
      return says_more(one, parts_.words.size()) || (least && misspelt_by(one) == least);
    });
    // Those first that say least beside the name.
    std::ranges::stable_sort(
        found, {}, [](const std::string& one) { return parts_of(plain_name(one)).words.size(); });
    return found;
  }

  /// A word that is not whole, or what follows the last number left away.
  bool begins_alike(const std::string& one) const {
    if (!parts_.numbers.empty())
      return parts_.words_before > 0 && says_more(one, parts_.words_before);
    return parts_.says_something() && plain_.size() >= kShortestPart &&
           plain_name(one).starts_with(plain_);
  }

  bool says_more(const std::string& one, std::size_t words) const {
    return parts_.says_something() && plain_.size() >= kShortestPart &&
           has_parts(parts_of(plain_name(one)), parts_, words);
  }

  std::string plain_;
  NameParts parts_;
};

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
  Parts found;
  for (const auto& one : Search(name).meant(known)) {
    if (!contains(found, one)) found.push_back(one);
  }
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
