// SPDX-License-Identifier: Apache-2.0
#include "support/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// In quotes; a long value is cut, since nobody reads a message of ten thousand characters.
std::string briefly_quoted(std::string_view text) {
  constexpr std::size_t kMost = 120;
  if (text.size() <= kMost) return in_quotes(std::string(text));
  std::size_t end = kMost;
  while (end > 0 && continues_character(text[end])) --end;
  return in_quotes(std::string(text.substr(0, end)) + "…");
}

using Money = ValueKind::Money;

constexpr double kMostWhole = 1e15;  // every whole number below is a double
constexpr std::string_view kSeparators = ",_' ";
constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// 8, 0.5, .5: a leading zero before a digit is how others write octal numbers.
bool is_plain(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::string_view whole = digits.substr(0, point);
  if (whole.size() > 1 && whole.front() == '0') return false;
  if (point == digits.size()) return all_digits(whole);
  return (whole.empty() || all_digits(whole)) && all_digits(digits.substr(point + 1));
}

/// 1,500 or 1,500.25: groups of three digits behind one to three, which do not begin with a zero,
/// with one separator throughout.
bool is_grouped(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const bool fraction = point == digits.size() || all_digits(digits.substr(point + 1));
  std::string_view whole = digits.substr(0, point);
  const std::size_t first = whole.find_first_of(kSeparators);
  if (!fraction || first == whole.npos) return false;
  const std::vector<std::string> groups = split(whole, whole[first]);
  return groups.front().size() <= 3 && all_digits(groups.front()) && groups.front()[0] != '0' &&
         std::all_of(groups.begin() + 1, groups.end(), [](const std::string& group) {
           return group.size() == 3 && all_digits(group);
         });
}

/// A text in its parts.
struct Written {
  std::string_view before;  ///< "$"
  std::string_view digits;  ///< with separators and exponent
  std::string_view after;   ///< the unit, with the blanks before it
};

Written parts_of(std::string_view text, const ValueKind& kind) {
  text = trimmed(text);
  std::size_t at = 0;
  if (kind.money != Money::kNone) {
    for (const std::string_view sign : {"us$", "usd", "$"}) {
      if (small_letters(text).starts_with(sign)) at = std::max(at, sign.size());
    }
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
  }
  const std::size_t from = at;
  const auto continues = [&](std::size_t i) {
    const bool digit_next = i + 1 < text.size() && is_digit(text[i + 1]);
    return is_digit(text[i]) || text[i] == '.' || text[i] == ',' ||
           (kSeparators.find(text[i]) != kSeparators.npos && digit_next);
  };
  while (at < text.size() && continues(at)) ++at;
  if (at < text.size() && at > from && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t end = at + 1;
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    const std::size_t first = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end > first) at = end;
  }
  return {text.substr(0, from), text.substr(from, at - from), text.substr(at)};
}

/// The figure that digits are, without a unit.
std::optional<double> figure_of(std::string_view digits) {
  const std::size_t exponent = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, exponent);
  std::string plain(mantissa);
  if (is_grouped(mantissa) && exponent == digits.size()) {
    std::erase_if(plain, [](char letter) { return kSeparators.find(letter) != kSeparators.npos; });
  } else if (!is_plain(mantissa)) {
    return std::nullopt;
  }
  plain += digits.substr(exponent);
  std::erase(plain, '+');
  if (plain.starts_with('.')) plain.insert(0, "0");
  const auto figure = parsed<double>(plain);
  return figure && std::isfinite(*figure) ? figure : std::nullopt;
}

bool take_end(std::string& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text = trimmed(std::string_view(text).substr(0, text.size() - end.size()));
  return true;
}

/// What a unit multiplies by; nullopt for none of the kind.
std::optional<double> factor_of(std::string_view after, const ValueKind& kind) {
  std::string unit(trimmed(after));
  if (kind.id == hours_kind().id && unit == "M") return std::nullopt;  // minutes, or months
  unit = small_letters(unit);
  if (kind.money == Money::kPerHour) {
    for (const char* hour : {"per gpu-hour", "a gpu-hour", "per hour", "an hour", "/gpu-hour",
                             "/gpu-h", "/gpuh", "/hour", "/hr", "/h"}) {
      if (take_end(unit, hour)) break;
    }
  }
  if (kind.money == Money::kPerKwh) {
    for (const char* energy : {"per kwh", "a kwh", "/kwh"}) {
      if (take_end(unit, energy)) break;
    }
  }
  if (kind.money != Money::kNone) {
    for (const char* sign : {"us$", "$", "usd", "dollars", "dollar"}) {
      if (take_end(unit, sign)) break;
    }
  }
  if (unit.empty()) return 1;
  const auto found =
      std::ranges::find_if(kind.units, [&](const ValueUnit& known) { return unit == known.word; });
  return found == kind.units.end() ? std::nullopt : std::optional(found->factor);
}

/// The value in the unit of the kind, rounded to a whole number only where it is one but for what
/// a decimal fraction loses in a binary one: 1.1k of 1,000.
double scaled_value(double figure, double factor) {
  const double value = figure * factor;
  if (factor == 1) return value;
  const double whole = std::round(value);
  return std::abs(value - whole) <= 1e-9 * std::abs(value) ? whole : value;
}

bool is_whole(double value) { return value == std::floor(value); }

std::string without_leading_zeros(std::string digits) {
  while (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) digits.erase(0, 1);
  if (digits.starts_with('.')) digits.insert(0, "0");
  return digits;
}

/// What digits with commas may mean: the first comma as the point before the fraction, and all
/// commas dropped. "" for a reading that is no number.
std::pair<std::string, std::string> readings_of(std::string_view digits) {
  std::string decimal;
  std::string dropped;
  const std::size_t comma = digits.find(',');
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool separates = digits[i] == ',';
    if (i == comma) decimal += '.';
    if (!separates && (i > comma || digits[i] != '.')) decimal += digits[i];
    if (!separates) dropped += digits[i];
  }
  decimal = without_leading_zeros(decimal);
  dropped = without_leading_zeros(dropped);
  return {is_plain(decimal) ? decimal : "", is_plain(dropped) ? dropped : ""};
}

/// "8,16,32": three numbers or more. What ends in a group of three digits may be one number.
bool is_list(std::string_view digits) {
  const std::vector<std::string> parts = split(std::string(digits), ',');
  return parts.size() > 2 && parts.back().size() != 3 &&
         std::ranges::all_of(
             parts, [](const std::string& part) { return !part.empty() && part.front() != '0'; });
}

/// "" where no comma is in question.
std::string comma_fault(std::string_view text, const Written& parts, double factor,
                        const ValueKind& kind) {
  if (parts.digits.find(',') == parts.digits.npos) return "";
  if (is_list(parts.digits)) {
    return std::string("expected one value, ") + kind.words +
           ", got a list: " + briefly_quoted(text);
  }
  const auto [decimal, dropped] = readings_of(parts.digits);
  if (decimal.empty() || dropped.empty() || decimal == dropped) return "";
  const auto whole_text = [&](const std::string& digits) {
    return std::string(parts.before) + digits + std::string(parts.after);
  };
  const std::string words =
      in_quotes(text) + " can be read as " + whole_text(decimal) + " or as " + whole_text(dropped);
  const double fraction = scaled_value(parsed<double>(decimal).value_or(0), factor);
  if (kind.whole && !is_whole(fraction)) return words + "; expected a whole number";
  return words + "; write " + whole_text(decimal) + " or " + whole_text(dropped);
}

std::string plain_figure(double value) {
  return value < kMostWhole && is_whole(value) ? std::to_string(static_cast<std::int64_t>(value))
                                               : shortest(value);
}

std::string range_fault(std::string_view text, double value, const ValueKind& kind,
                        Bounds<double> bounds) {
  const bool above = value <= 0 && bounds.low > 0 && !kind.whole;
  return std::string("expected ") + kind.words +
         (above ? " above 0"
                : " from " + plain_figure(bounds.low) + " to " + plain_figure(bounds.high)) +
         ", got " + briefly_quoted(text);
}

/// A number that may be a group of digits of the one before it.
bool is_group(const std::string& digits) { return digits.size() == 3 && all_digits(digits); }
bool begins_groups(const std::string& digits) {
  return digits.size() <= 3 && all_digits(digits) && digits[0] != '0';
}

/// The numbers of a list, those that may be groups of one joined.
std::vector<std::string> joined_groups(const std::vector<std::string>& parts) {
  std::vector<std::string> joined;
  bool open = false;
  for (const std::string& part : parts) {
    if (open && is_group(part)) {
      joined.back() += part;
      continue;
    }
    joined.push_back(part);
    open = begins_groups(part);
  }
  return joined;
}

std::string and_between(const std::vector<std::string>& parts) {
  if (parts.size() == 1) return parts.front();
  return join({parts.begin(), parts.end() - 1}, ", ") + " and " + parts.back();
}

/// The numbers between the commas of a list.
std::vector<std::string> parts_of_list(const std::string& place, const std::string& list) {
  const std::vector<std::string> parts = split(list, ',');
  const std::vector<std::string> joined = joined_groups(parts);
  const bool only_groups = std::ranges::any_of(
      parts, [](const std::string& part) { return part.size() > 1 && part.front() == '0'; });
  if (only_groups) return joined;
  if (joined.size() == parts.size()) return parts;
  throw InputError(place + ": " + briefly_quoted(list) + " can be read as " + and_between(joined) +
                   " or as " + and_between(parts) + "; write " + briefly_quoted(join(joined, " ")) +
                   " or " + briefly_quoted(join(parts, " ")));
}

}  // namespace

const ValueKind& count_kind() {
  static const ValueKind kind{"COUNT", "a whole number", "8", true, {1, kMostWhole}, {}};
  return kind;
}

const ValueKind& length_kind() {
  static const ValueKind kind{"LENGTH", "tokens of a sequence", "8192, 8,192 or 8k", true,
                              {1, 1e8}, {{"k", 1024}}};
  return kind;
}

const ValueKind& tokens_kind() {
  static const ValueKind kind{
      "TOKENS", "tokens",        "50000000, 50M or 1.5B",
      true,     {1, kMostWhole}, {{"k", 1e3}, {"m", 1e6}, {"b", 1e9}, {"bn", 1e9}, {"t", 1e12}}};
  return kind;
}

const ValueKind& hours_kind() {
  static const ValueKind kind{"HOURS",
                              "hours",
                              "24, 1.5h, 3d or 90m",
                              false,
                              {1e-6, 1e9},
                              {{"h", 1},
                               {"hr", 1},
                               {"hrs", 1},
                               {"hour", 1},
                               {"hours", 1},
                               {"d", 24},
                               {"day", 24},
                               {"days", 24},
                               {"w", 168},
                               {"week", 168},
                               {"weeks", 168},
                               {"m", 1.0 / 60},
                               {"min", 1.0 / 60},
                               {"mins", 1.0 / 60},
                               {"minutes", 1.0 / 60}}};
  return kind;
}

const ValueKind& dollars_kind() {
  static const ValueKind kind{"DOLLARS",      "dollars",    "500, $1,500 or 1k",
                              false,          {1e-6, 1e12}, {{"k", 1e3}, {"m", 1e6}, {"b", 1e9}},
                              Money::kDollars};
  return kind;
}

const ValueKind& rate_kind() {
  static const ValueKind kind{"RATE",      "dollars per GPU-hour", "2.49 or $2.49/h", false,
                              {1e-6, 1e6}, {{"k", 1e3}},           Money::kPerHour};
  return kind;
}

const ValueKind& energy_kind() {
  static const ValueKind kind{"PER-KWH", "dollars per kWh", "0.12 or $0.12/kWh", false, {0, 1e3},
                              {},        Money::kPerKwh};
  return kind;
}

const ValueKind& years_kind() {
  static const ValueKind kind{"YEARS",
                              "years",
                              "3, 2.5y or 36 months",
                              false,
                              {0.01, 100},
                              {{"y", 1},
                               {"yr", 1},
                               {"yrs", 1},
                               {"year", 1},
                               {"years", 1},
                               {"mo", 1.0 / 12},
                               {"month", 1.0 / 12},
                               {"months", 1.0 / 12}}};
  return kind;
}

const ValueKind& share_kind() {
  static const ValueKind kind{"SHARE", "a share", "10% or 0.1", false, {0, 1}, {{"%", 0.01}}};
  return kind;
}

const ValueKind& memory_kind() {
  static const ValueKind kind{"MEMORY",
                              "GiB",
                              "24, 24GB or 24 GiB",
                              false,
                              {0.001, 1e6},
                              {{"g", 1},
                               {"gb", 1},
                               {"gib", 1},
                               {"gi", 1},
                               {"mb", 1.0 / 1024},
                               {"mib", 1.0 / 1024},
                               {"tb", 1024},
                               {"tib", 1024}}};
  return kind;
}

const ValueKind& number_kind() {
  static const ValueKind kind{"NUMBER", "a number", "1 or 0.5", false, {0, 1e18}, {}};
  return kind;
}

ReadValue read_value(std::string_view text, const ValueKind& kind) {
  return read_value(text, kind, kind.bounds);
}

ReadValue read_value(std::string_view text, const ValueKind& kind, Bounds<double> bounds) {
  const auto fault = [](const std::string& words) { return ReadValue{std::nullopt, words}; };
  const bool counts = &kind == &count_kind();
  const Written parts = parts_of(text, kind);
  const auto factor = factor_of(parts.after, kind);
  const auto figure = figure_of(parts.digits);
  if (factor && !figure) {
    const std::string comma = comma_fault(text, parts, *factor, kind);
    if (!comma.empty()) return fault(comma);
  }
  // A count of things is written in digits alone.
  const bool odd_count = counts && parts.digits.find_first_of("eE.") != parts.digits.npos;
  if (!factor || !figure || odd_count) {
    return fault(std::string("expected ") + kind.words +
                 (counts ? "" : std::string(", such as ") + kind.examples) + ", got " +
                 briefly_quoted(text));
  }
  const double value = scaled_value(*figure, *factor);
  if (kind.whole && !is_whole(value)) {
    return fault("expected a whole number of " + std::string(kind.words) + ", got " +
                 briefly_quoted(text));
  }
  if (value >= bounds.low && value <= bounds.high) return {value, ""};
  return fault(range_fault(text, value, kind, bounds));
}

std::vector<std::int64_t> lengths_in(const std::string& place, const std::string& text) {
  std::string blanks = text;
  std::ranges::replace(blanks, '\t', ' ');
  std::vector<std::string> words = split(blanks, ' ');
  if (words.size() > 1) std::erase(words, "");
  std::vector<std::int64_t> lengths;
  for (std::string& word : words) {
    if (words.size() > 1 && word.size() > 1 && word.back() == ',') word.pop_back();
    for (const std::string& part : parts_of_list(place, word)) {
      const ReadValue length = read_value(part, length_kind());
      if (!length.value) throw InputError(place + ": " + length.fault);
      lengths.push_back(static_cast<std::int64_t>(*length.value));
      if (std::ranges::count(lengths, lengths.back()) > 1) {
        throw InputError(place + ": " + in_quotes(part) + " is said twice");
      }
    }
  }
  return lengths;
}

std::string why_no_day(std::string_view text) {
  if (text.size() == 10 && day_number(text)) return "";
  return "expected a date YYYY-MM-DD, got " + briefly_quoted(text);
}

}  // namespace sizesheet
