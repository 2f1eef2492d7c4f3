// SPDX-License-Identifier: Apache-2.0
#include "catalog/files/spelling.h"

#include <algorithm>
#include <utility>

#include "support/text.h"

namespace sizesheet {
namespace {

/// The name of a Hub id without its owner.
std::string_view without_owner(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

char small_letter(char letter) {
  return is_capital(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_between_digits(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) && is_digit(text[at + 1]);
}

/// The words of a name, parted where a number begins as well: qwen, 3.5, 35b, a, 3b.
std::vector<std::string> finest_words(std::string_view name) {
  std::vector<std::string> parts;
  for (std::string& word : name_words(name)) {
    for (char& letter : word) {
      if (letter == '_') letter = '.';
    }
    std::size_t begin = 0;
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (!is_digit(word[i]) || is_digit(word[i - 1]) || word[i - 1] == '.') continue;
      if (begin == 0 && is_digit(word.front())) continue;  // "8x7b" is one word
      parts.push_back(word.substr(begin, i - begin));
      begin = i;
    }
    parts.push_back(word.substr(begin));
  }
  return parts;
}

/// How much of their words two names share, from 0 to 1.
double likeness(const std::vector<std::string>& asked, const std::vector<std::string>& known) {
  const auto shared =
      std::ranges::count_if(asked, [&](const std::string& word) { return contains(known, word); });
  return 2.0 * static_cast<double>(shared) / static_cast<double>(asked.size() + known.size());
}

}  // namespace

std::string squeezed(std::string_view name) {
  std::string plain = small_letters(name);
  std::erase_if(plain, [](char letter) { return !is_letter_or_digit(letter); });
  return plain;
}

bool is_plain_name(std::string_view name) {
  constexpr std::string_view kSeparators = " -_.:()";
  return std::ranges::all_of(name, [&](char letter) {
    return is_letter_or_digit(letter) || kSeparators.find(letter) != kSeparators.npos;
  });
}

std::string spelled(std::string_view name) {
  std::string text;
  std::string parting;
  for (const char letter : name) {
    if (!is_letter_or_digit(letter)) {
      parting += letter;
      continue;
    }
    const bool numbers = !text.empty() && is_digit(text.back()) && is_digit(letter);
    if (numbers && !parting.empty()) {
      text += parting == "." || parting == "_" ? parting.front() : '-';
    }
    parting.clear();
    text += small_letter(letter);
  }
  return text;
}

bool spells(std::string_view name, std::string_view asked) {
  const auto same = [](char of_name, char of_asked) {
    if (of_name == of_asked) return true;
    const bool parts = of_asked == '-' || of_asked == '_';
    if (of_name == '.') return parts;
    if (of_name == '-') return of_asked == '_';
    return of_name == '_' && (parts || of_asked == '.');
  };
  return std::equal(name.begin(), name.end(), asked.begin(), asked.end(), same);
}

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool point = (name[i] == '.' || name[i] == '_') && is_between_digits(name, i);
    if (is_letter_or_digit(name[i]) || point) {
      words.back() += small_letter(name[i]);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::vector<std::string> bare_words(std::string_view name) {
  std::string plain(name);
  for (char& letter : plain) {
    if (!is_letter_or_digit(letter)) letter = ' ';
  }
  return name_words(plain);
}

bool has_each(const std::vector<std::string>& all, const std::vector<std::string>& words) {
  return !words.empty() &&
         std::ranges::all_of(words, [&](const std::string& word) { return contains(all, word); });
}

std::vector<std::string> nearest_names(std::string_view asked,
                                       const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 200;
  constexpr std::size_t kMost = 3;
  constexpr double kLeast = 0.4;
  if (asked.size() > kLongest) return {};
  const std::vector<std::string> words = finest_words(without_owner(asked));
  const auto is_telling = [](const std::string& word) {
    return word.size() > 2 && !is_digit(word.front());
  };
  std::vector<std::pair<double, std::string>> alike;
  for (const std::string& name : known) {
    const std::vector<std::string> of_name = finest_words(name);
    const bool named = std::ranges::any_of(words, [&](const std::string& word) {
      return is_telling(word) && contains(of_name, word);
    });
    const double like = named ? likeness(words, of_name) : 0;
    if (like >= kLeast) alike.emplace_back(-like, name);
  }
  std::ranges::sort(alike);
  std::vector<std::string> names;
  for (const auto& [unlike, name] : alike) {
    if (names.size() < kMost) names.push_back(name);
  }
  return names;
}

bool has_words_of(std::string_view name, std::string_view asked) {
  return has_each(finest_words(name), finest_words(asked));
}

}  // namespace sizesheet
