// SPDX-License-Identifier: Apache-2.0
#include "config/text/yaml_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr int kMostReferences = 8;  ///< one behind the other

std::string without_underscores(std::string text) {
  std::erase(text, '_');
  return text;
}

/// The number that YAML 1.1 reads, as PyYAML does: 010 is 8, 0x10 is 16, 0b10 is 2. 08 is a text.
std::optional<std::int64_t> magnitude_of(std::string_view digits) {
  int base = 10;
  if (digits.size() > 1 && digits.front() == '0') {
    base = digits[1] == 'x' ? 16 : digits[1] == 'b' ? 2 : 8;
    digits.remove_prefix(base == 8 ? 1 : 2);
  }
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, value, base);
  const bool whole =
      error == std::errc{} && last == end && !digits.empty() && digits.front() != '-';
  return whole ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> whole_of(const std::string& text) {
  std::string digits = without_underscores(text);
  const bool negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.erase(0, 1);
  if (digits.empty() || !is_digit(digits.front()) || text.front() == '_') return std::nullopt;
  const auto value = magnitude_of(digits);
  if (!value) return std::nullopt;
  return negative ? -*value : *value;
}

/// With a point, and with a sign in the exponent where there is one: 2e-4 is a text.
std::optional<double> fraction_of(const std::string& text) {
  const std::string digits = without_underscores(text);
  const std::size_t point = digits.find('.');
  if (point == std::string::npos) return std::nullopt;
  if (digits.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  const std::size_t exponent = digits.find_first_of("eE");
  if (exponent != std::string::npos) {
    const bool is_signed = exponent + 1 < digits.size() &&
                           (digits[exponent + 1] == '+' || digits[exponent + 1] == '-');
    if (!is_signed || exponent < point) return std::nullopt;
  }
  return parsed<double>(digits.front() == '+' ? digits.substr(1) : digits);
}

/// What stands between "${" and "}" at `at`; nullopt where nothing closes it.
std::optional<std::string> reference_at(const std::string& text, std::size_t at) {
  const std::size_t end = text.find('}', at);
  if (end == std::string::npos) return std::nullopt;
  return text.substr(at + 2, end - at - 2);
}

/// OmegaConf's "${oc.env:NAME,default}": the environment is not read, so the default is the value.
constexpr std::string_view kEnvironment = "oc.env:";

/// The text with what it names put in; a text that is one reference becomes its value.
Json resolved_text(const Json& keys, const std::string& text, int left) {
  const std::size_t at = text.find("${");
  if (at == std::string::npos || left == 0) return text;
  const auto name = reference_at(text, at);
  if (!name) return text;
  if (at == 0 && name->size() + 3 == text.size() && name->starts_with(kEnvironment)) {
    const std::size_t comma = name->find(',');
    return comma == std::string::npos ? Json(text) : plain_yaml_value(name->substr(comma + 1));
  }
  const Json* value = at_path(keys, *name);
  if (value == nullptr || value->is_structured()) return text;
  const Json put =
      value->is_string() ? resolved_text(keys, value->get<std::string>(), left - 1) : *value;
  if (at == 0 && name->size() + 3 == text.size()) return put;
  const std::string words = put.is_string() ? put.get<std::string>() : put.dump();
  if (words.find("${") != std::string::npos) return text;
  return resolved_text(keys, text.substr(0, at) + words + text.substr(at + name->size() + 3),
                       left - 1);
}

void resolve_below(const Json& keys, Json& value) {
  if (value.is_string()) value = resolved_text(keys, value.get<std::string>(), kMostReferences);
  if (!value.is_structured()) return;
  for (Json& part : value) resolve_below(keys, part);
}

}  // namespace

Json plain_yaml_value(const std::string& text) {
  static const std::vector<std::string> kNothing = {"", "~", "null", "Null", "NULL"};
  if (contains(kNothing, text)) return nullptr;
  static const std::vector<std::string> kYes = {"yes", "true", "on"};
  static const std::vector<std::string> kNo = {"no", "false", "off"};
  const std::string small = small_letters(text);
  // "yEs" is a text: one case, or a capital alone.
  const bool one_case =
      small == text || small.substr(1) == text.substr(1) ||
      std::ranges::none_of(text, [](char letter) { return letter >= 'a' && letter <= 'z'; });
  if (one_case && contains(kYes, small)) return true;
  if (one_case && contains(kNo, small)) return false;
  if (const auto whole = whole_of(text)) return *whole;
  if (const auto fraction = fraction_of(text); fraction && std::isfinite(*fraction)) {
    return *fraction;
  }
  return text;
}

void resolve_references(Json& keys) {
  const Json as_written = keys;
  resolve_below(as_written, keys);
}

bool is_unresolved(std::string_view text) {
  const std::size_t at = text.find('$');
  if (at == std::string_view::npos || at + 1 == text.size()) return false;
  const char next = text[at + 1];
  return next == '{' || next == '(' || next == '_' || is_letter_or_digit(next);
}

}  // namespace sizesheet
