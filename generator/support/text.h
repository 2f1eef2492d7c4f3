// SPDX-License-Identifier: Apache-2.0
// Text as people read it and as a terminal or a page may show it. No locale is ever consulted.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

// ---- Numbers and words as people read them. No locale is ever consulted.

inline constexpr double kGiB = 1073741824.0;
inline constexpr std::string_view kAbsent = "–";  // unknown, never 0

/// Fixed point with `decimals` places, thousands separated by commas, minus as U+2212, never "−0".
std::string format_number(double value, int decimals);
/// Thousands separated by commas, minus as U+2212.
std::string format_integer(std::int64_t value);
/// Bytes as GiB with `decimals` places (no unit).
std::string format_gib(std::int64_t bytes, int decimals);
/// "8.0 bn", "70.6 bn", "355 M": a parameter count for people.
std::string format_parameters(std::int64_t count);
/// Fewest digits that read back as the same double ("0.1", "1e+300"); for exports.
std::string shortest(double value);
void append_shortest(double value, std::string& text);  ///< the same, behind `text`

/// The number that is all of the text; nullopt for other texts, and beyond the type's numbers.
template <typename T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && last == end ? std::optional(value) : std::nullopt;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator);
/// "a", "a and b", "a, b and c".
std::string joined_words(const std::vector<std::string>& words);
std::vector<std::string> split(std::string_view text, char separator);
bool starts_with(std::string_view text, std::string_view prefix);
/// With small letters for the capitals of ASCII.
std::string small_letters(std::string_view text);

/// An ASCII digit, whatever the locale.
inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
inline bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }
inline bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || is_capital(c) || is_digit(c);
}

template <typename List>
bool contains(const List& list, const typename List::value_type& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}
inline bool contains(std::initializer_list<std::string_view> list, std::string_view one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

/// The first entry whose `member` is `value`, or nullptr.
template <typename Entry, typename Owner, typename Member, typename Value>
const Entry* entry_with(const std::vector<Entry>& all, Member Owner::*member, const Value& value) {
  for (const Entry& entry : all) {
    if (entry.*member == value) return &entry;
  }
  return nullptr;
}

/// The text that `member` is of every entry.
template <typename List, typename Member>
std::vector<std::string> each_of(const List& all, Member member) {
  std::vector<std::string> texts;
  for (const auto& entry : all) texts.emplace_back(std::invoke(member, entry));
  return texts;
}

template <typename T>
std::vector<std::string> keys_of(const std::map<std::string, T>& map) {
  return each_of(map, &std::map<std::string, T>::value_type::first);
}

// ---- Text as characters and back: UTF-8 as ICU reads and writes it.

/// The character at `at`, before the end, which moves behind it; nullopt for bytes that are none,
/// of which `at` moves behind as many as belong together.
std::optional<char32_t> next_character(std::string_view text, std::size_t& at);

/// A byte of a character that another byte begins.
inline bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Characters of well-formed UTF-8.
std::size_t width_of(std::string_view text);

/// Filled with blanks to `width` characters, behind or before.
std::string padded_right(const std::string& text, std::size_t width);
std::string padded_left(const std::string& text, std::size_t width);

/// The beginning of a text, at most `most` bytes of whole characters.
std::string_view beginning_of(std::string_view text, std::size_t most);

/// True when every byte sequence is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Bytes that are no character become U+FFFD.
std::u32string decode(std::string_view text);

std::string encode(std::u32string_view characters);

// ---- Texts from outside that a terminal or a page would act on instead of showing them.

/// For a terminal: what unfit_character tells of, and every joiner, stands as \u{202E}, bytes that
/// are no UTF-8 as \x{FF}.
std::string plain_text(std::string_view raw);

/// The same between quotation marks: what a message is about.
std::string in_quotes(std::string_view raw);

/// The same as plain_text line by line: line ends stay.
std::string plain_lines(std::string_view raw);

/// True when the text is letters and signs of currencies, as "€", "CHF", "R$" or "zł".
bool is_currency_sign(std::string_view text);

/// A path in a message, written with '/': a name with an end of line forges none.
std::string shown_path(const std::filesystem::path& path);

/// The first character that has no place in a name or a sentence, as "U+202E"; "" where there is
/// none: by its Unicode properties a control, an end of a line, a mark that turns, joins or hides
/// text, for private use, or not assigned (in the version that ICU knows). Joiners within emoji and
/// behind letters that join are fine, and so are marks upon letters.
std::string unfit_character(std::string_view text);

/// The first address in a sentence that is not to be followed; "" where there is none. Followed is
/// https:// with a host of letters, digits, '.' and '-', perhaps a port, and no user's name.
std::string unsafe_address(std::string_view text);

/// True when the whole text is one address to follow, without blanks and quotes.
bool is_address(std::string_view text);

inline constexpr double kHoursOfLongestMonth = 31 * 24;

/// Days since 1970-01-01 of "YYYY-MM-DD", or of the first day of "YYYY-MM"; nullopt when it is no
/// date.
std::optional<std::int64_t> day_number(std::string_view date);

/// "YYYY-MM-DD" of a Unix time in seconds (SOURCE_DATE_EPOCH).
std::string date_of_epoch(std::int64_t seconds);

}  // namespace sizesheet
