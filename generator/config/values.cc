// SPDX-License-Identifier: Apache-2.0
#include "config/values.h"

#include <algorithm>
#include <cmath>

#include "support/text.h"

namespace sizesheet {
namespace {

/// The test's values: itself, or those of its list.
std::vector<Json> each(const Json& test) {
  return test.is_array() ? test.get<std::vector<Json>>() : std::vector<Json>{test};
}

bool holds(const Json& value, const std::string& wanted) {
  if (value.is_object()) return value.contains(wanted);
  const std::string small = small_letters(wanted);
  if (value.is_string()) return config_text(value).find(small) != std::string::npos;
  return value.is_array() && std::ranges::any_of(value, [&](const Json& one) {
           return one.is_string() && config_text(one).find(small) != std::string::npos;
         });
}

bool passes_word(const Json& value, const std::string& word, const Json& test, bool said) {
  if (word == "said") return said == test.get<bool>();
  if (word == "above" || word == "below") {
    const auto number = config_number(value);
    if (!number) return false;
    return word == "above" ? *number > test.get<double>() : *number < test.get<double>();
  }
  const std::vector<Json> all = each(test);
  if (word == "not") {
    return std::ranges::none_of(all,
                                [&](const Json& one) { return same_config_value(value, one); });
  }
  return std::ranges::any_of(all, [&](const Json& one) {
    const std::string wanted = one.is_string() ? one.get<std::string>() : one.dump();
    if (word == "holds") return holds(value, wanted);
    return !value.is_null() && matches(small_letters(wanted), config_text(value));
  });
}

}  // namespace

std::string config_text(const Json& value) {
  if (value.is_string()) return small_letters(value.get<std::string>());
  if (value.is_number_float()) return shortest(value.get<double>());
  return small_letters(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<bool> config_flag(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_null()) return false;
  if (value.is_number()) return value.get<double>() != 0;
  if (!value.is_string()) return std::nullopt;
  const std::string text = config_text(value);
  if (contains({"true", "yes", "on", "1"}, text)) return true;
  if (contains({"false", "no", "off", "0", "none", "null", ""}, text)) return false;
  return std::nullopt;
}

std::optional<double> config_number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  std::string text = value.get<std::string>();
  std::erase(text, '_');
  if (!text.empty() && text.front() == '+') text.erase(0, 1);
  const auto number = parsed<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t tried = 0;
  std::size_t p = 0;
  while (at < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = at;
    } else if (p < pattern.size() && pattern[p] == text[at]) {
      ++p;
      ++at;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      at = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool same_config_value(const Json& value, const Json& other) {
  if (other.is_boolean()) return config_flag(value) == std::optional(other.get<bool>());
  if (value.is_null()) return false;
  if (!value.is_boolean()) {
    const auto left = config_number(value);
    const auto right = config_number(other);
    if (left && right) return *left == *right;
  }
  return config_text(value) == config_text(other);
}

bool is_neutral(const Json& value) {
  if (value.is_null() || (value.is_structured() && value.empty())) return true;
  if (value.is_string())
    return contains({"", "false", "none", "null", "no", "0"}, config_text(value));
  return value.is_boolean() ? !value.get<bool>() : value.is_number() && value.get<double>() == 0;
}

bool passes(const Json& value, const Json& test, bool said) {
  if (test.is_array()) {
    return std::ranges::any_of(test,
                               [&](const Json& one) { return same_config_value(value, one); });
  }
  if (!test.is_object()) return same_config_value(value, test);
  for (const auto& [word, wanted] : test.items()) {
    if (!passes_word(value, word, wanted, said)) return false;
  }
  return true;
}

}  // namespace sizesheet
