// SPDX-License-Identifier: Apache-2.0
#include "support/text.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>

namespace sizesheet {
namespace {

constexpr std::string_view kMinus = "−";
constexpr int kMostPlaces = 30;

/// Commas between groups of three of the digits before the point.
std::string grouped(std::string_view digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// to_chars rounds a tie to the even digit, people round it up. A binary fraction with at most n
/// binary places has at most n decimal ones, so a tie shows as a last decimal 5 that is exact.
std::string fixed(double size, int decimals) {
  char buffer[400];
  const auto print = [&](double value, int places) {
    const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value,
                                   std::chars_format::fixed, places);
    return std::string(std::begin(buffer), end.ptr);
  };
  const double shifted = std::ldexp(size, decimals + 1);
  const bool exact = shifted == std::floor(shifted);
  if (exact && print(size, decimals + 1).back() == '5') {
    size = std::nextafter(size, std::numeric_limits<double>::infinity());
  }
  return print(size, decimals);
}

/// Most texts are, and an edition has millions of letters.
bool is_plain_ascii(std::string_view text) {
  // Eight at a time: a byte from ' ' on has bit 5 or 6, none has bit 7, and 0x7F alone all others.
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  for (; text.size() >= sizeof kOnes; text.remove_prefix(sizeof kOnes)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    const auto bit = [&](unsigned n) { return bytes >> n; };
    const std::uint64_t all = bytes & bit(1) & bit(2) & bit(3) & bit(4) & bit(5) & bit(6);
    if (((bit(5) | bit(6)) & ~bit(7) & ~all & kOnes) != kOnes) return false;
  }
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
}

/// What turns, joins, ends or hides text, and what no version of Unicode has given a meaning.
bool is_unsafe(char32_t character) {
  const auto code = static_cast<UChar32>(character);
  constexpr std::uint32_t kOthersAndEnds = U_GC_C_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
  return (U_GET_GC_MASK(code) & kOthersAndEnds) != 0 ||
         u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

/// Joiners and variations belong in a text where they change what is seen: in emoji, and behind
/// letters that join (as CONTEXTJ of RFC 5892 has it).
bool belongs_behind(char32_t previous, char32_t code) {
  const auto before = static_cast<UChar32>(previous);
  constexpr char32_t kNonJoiner = 0x200C;
  constexpr char32_t kJoiner = 0x200D;
  constexpr char32_t kTextStyle = 0xFE0E;
  constexpr char32_t kEmojiStyle = 0xFE0F;
  constexpr std::uint8_t kVirama = 9;
  const bool styles = code == kTextStyle || code == kEmojiStyle;
  if (!styles && code != kJoiner && code != kNonJoiner) return false;
  const bool ascii = before < 0x80;  // digits are emoji in keycaps
  if (!ascii && u_hasBinaryProperty(before, UCHAR_EMOJI) != 0) return code != kNonJoiner;
  if (styles) return false;
  if (previous == kEmojiStyle) return code == kJoiner;
  const int joins = u_getIntPropertyValue(before, UCHAR_JOINING_TYPE);
  return u_getCombiningClass(before) == kVirama || joins == U_JT_DUAL_JOINING ||
         joins == U_JT_RIGHT_JOINING || joins == U_JT_LEFT_JOINING;
}

constexpr std::string_view kScheme = "https";
constexpr std::string_view kAfterScheme = "://";

/// "example.org" or "example.org:8080".
bool is_authority(std::string_view text) {
  const std::string_view host = text.substr(0, text.find(':'));
  const bool letters = std::ranges::all_of(
      host, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-'; });
  if (host.empty() || !letters || !is_letter_or_digit(host.front())) return false;
  if (host.size() == text.size()) return true;
  constexpr std::size_t kMostDigits = 5;
  const std::string_view port = text.substr(host.size() + 1);
  return !port.empty() && port.size() <= kMostDigits && std::ranges::all_of(port, is_digit);
}

/// What follows "://" up to the path, or to the end of the word.
std::string_view authority_of(std::string_view rest) {
  std::string_view found = rest.substr(0, rest.find_first_of("/?# \t\n\"'<>()[]{},;`|\\"));
  while (!found.empty() && (found.back() == '.' || found.back() == ':')) found.remove_suffix(1);
  return found;
}

}  // namespace

std::string format_number(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kAbsent);
  const std::string digits = fixed(std::fabs(value), std::min(std::max(decimals, 0), kMostPlaces));
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? std::string(kMinus) : "") + grouped(digits);
}

std::string format_integer(std::int64_t value) {
  const std::string digits = std::to_string(value);
  if (value >= 0) return grouped(digits);
  return std::string(kMinus) + grouped(std::string_view(digits).substr(1));
}

std::string format_gib(std::int64_t bytes, int decimals) {
  return format_number(static_cast<double>(bytes) / kGiB, decimals);
}

std::string format_parameters(std::int64_t count) {
  // The limits lie where the smaller unit would round up to 1,000.
  if (count >= 999500000) return format_number(static_cast<double>(count) / 1e9, 1) + " bn";
  if (count >= 9950000) return format_number(static_cast<double>(count) / 1e6, 0) + " M";
  if (count >= 1000000) return format_number(static_cast<double>(count) / 1e6, 1) + " M";
  return format_integer(count);
}

std::string shortest(double value) {
  std::string text;
  append_shortest(value, text);
  return text;
}

void append_shortest(double value, std::string& text) {
  if (value == 0) {  // also for -0
    text += '0';
    return;
  }
  // Plain digits wherever a person would write them; 5e+08 is shorter but nobody reads it.
  const bool plain = std::abs(value) >= 1e-6 && std::abs(value) < 1e16;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  char buffer[64];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value, format);
  text.append(std::begin(buffer), end.ptr);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string joined_words(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words, "");
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return join(first, ", ") + " and " + words.back();
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (is_capital(letter)) letter = static_cast<char>(letter - 'A' + 'a');
  }
  return small;
}

// ICU's macros narrow and wrap on purpose, which the compiler and clang's integer checks would
// tell.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wattributes"  // g++ knows no such check

[[clang::no_sanitize("integer")]] std::optional<char32_t> next_character(std::string_view text,
                                                                         std::size_t& at) {
  UChar32 code = 0;
  U8_NEXT(text.data(), at, text.size(), code);
  if (code < 0) return std::nullopt;
  return static_cast<char32_t>(code);
}

[[clang::no_sanitize("integer")]] std::string encode(std::u32string_view characters) {
  std::string text;
  for (const char32_t character : characters) {
    char bytes[U8_MAX_LENGTH];
    std::size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, character);
    text.append(bytes, length);
  }
  return text;
}

#pragma GCC diagnostic pop

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return !continues_character(byte); }));
}

std::string padded_right(const std::string& text, std::size_t width) {
  const std::size_t length = width_of(text);
  return text + std::string(width > length ? width - length : 0, ' ');
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t length = width_of(text);
  return std::string(width > length ? width - length : 0, ' ') + text;
}

std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_character(text[most])) --most;
  return text.substr(0, most);
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!next_character(text, at)) return false;
  }
  return true;
}

std::u32string decode(std::string_view text) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::u32string characters;
  for (std::size_t at = 0; at < text.size();) {
    characters += next_character(text, at).value_or(kReplacement);
  }
  return characters;
}

std::string plain_text(std::string_view raw) {
  if (is_plain_ascii(raw)) return std::string(raw);
  std::string plain;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t from = at;
    const auto code = next_character(raw, at);
    const std::string_view bytes = raw.substr(from, at - from);
    if (!code) {
      for (const char byte : bytes) {
        plain += fmt::format("\\x{{{:02X}}}", static_cast<unsigned char>(byte));
      }
    } else if (is_unsafe(*code)) {
      plain += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(*code));
    } else {
      plain += bytes;
    }
  }
  return plain;
}

std::string in_quotes(std::string_view raw) { return "\"" + plain_text(raw) + "\""; }

std::string plain_lines(std::string_view raw) {
  std::vector<std::string> lines = split(raw, '\n');
  for (std::string& line : lines) line = plain_text(line);
  return join(lines, "\n");
}

std::string shown_path(const std::filesystem::path& path) {
  return plain_text(path.generic_string());
}

std::string unfit_character(std::string_view text) {
  if (is_plain_ascii(text)) return "";
  char32_t before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_character(text, at).value_or(before);
    if (is_unsafe(code) && !belongs_behind(before, code)) {
      return fmt::format("U+{:04X}", static_cast<std::uint32_t>(code));
    }
    before = code;
  }
  return "";
}

bool is_currency_sign(std::string_view text) {
  const std::u32string characters = decode(text);
  const auto is_sign = [](char32_t c) {
    const auto point = static_cast<UChar32>(c);
    constexpr std::uint32_t kSigns = U_GC_L_MASK | U_GC_M_MASK | U_GC_SC_MASK;
    return (U_GET_GC_MASK(point) & kSigns) != 0;
  };
  return !characters.empty() && std::ranges::all_of(characters, is_sign) &&
         (U_GET_GC_MASK(static_cast<UChar32>(characters.front())) & U_GC_M_MASK) == 0;
}

std::string unsafe_address(std::string_view text) {
  for (std::size_t at = text.find(kAfterScheme); at != std::string_view::npos;
       at = text.find(kAfterScheme, at + kAfterScheme.size())) {
    std::size_t first = at;
    while (first > 0 && is_letter_or_digit(text[first - 1])) --first;
    const std::string_view authority = authority_of(text.substr(at + kAfterScheme.size()));
    if (text.substr(first, at - first) == kScheme && is_authority(authority)) continue;
    const std::size_t end = at + kAfterScheme.size() + authority.size();
    return std::string(text.substr(first, end - first));
  }
  return "";
}

bool is_address(std::string_view text) {
  const std::string start = std::string(kScheme) + std::string(kAfterScheme);
  if (text.substr(0, start.size()) != start) return false;
  const bool plain = std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < 0x7F &&
           std::string_view("\"'<>\\^`{|}").find(c) == std::string_view::npos;
  });
  const std::string_view rest = text.substr(start.size());
  return plain && is_authority(rest.substr(0, rest.find_first_of("/?#")));
}

std::optional<std::int64_t> day_number(std::string_view date) {
  const bool whole = date.size() == 10;
  if (!whole && date.size() != 7) return std::nullopt;
  if (date[4] != '-' || (whole && date[7] != '-')) return std::nullopt;
  const auto year = parsed<unsigned>(date.substr(0, 4));
  const auto month = parsed<unsigned>(date.substr(5, 2));
  const auto day = whole ? parsed<unsigned>(date.substr(8, 2)) : 1;
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day calendar{std::chrono::year(static_cast<int>(*year)),
                                             std::chrono::month(*month), std::chrono::day(*day)};
  if (!calendar.ok()) return std::nullopt;
  return std::chrono::sys_days(calendar).time_since_epoch().count();
}

std::string date_of_epoch(std::int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

}  // namespace sizesheet
