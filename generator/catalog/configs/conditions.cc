// SPDX-License-Identifier: Apache-2.0
#include "catalog/configs/conditions.h"

#include <cmath>

#include "support/error.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What is wrong with a test of a condition, or "".
std::string wrong_test(const Json& test) {
  if (!test.is_object()) return "";
  for (const auto& [word, value] : test.items()) {
    if (!contains(kConfigTests, word)) {
      return "expected one of " + join(kConfigTests, ", ") + ", got " + in_quotes(word) +
             did_you_mean(word, kConfigTests);
    }
    const bool number = word == "above" || word == "below";
    const bool flag = word == "said";
    const bool fine = number ? value.is_number() : flag ? value.is_boolean() : true;
    if (!fine) return word + ": got " + shown(value);
  }
  return test.empty() ? "expected a test, got {}" : "";
}

}  // namespace

void check_config_numbers(ObjectReader& reader) {
  constexpr double kFarthest = 1e12;
  for_each_leaf(reader.whole(), "", [&](const std::string& place, const Json& value) {
    if (!value.is_number() || std::abs(value.get<double>()) < kFarthest) return;
    reader.fault_below(place, "expected a number between -10^12 and 10^12, got " + shown(value));
  });
}

std::string wrong_work(const Json& work) {
  if (work.is_number()) return "";
  if (work.is_string()) return work.get<std::string>().empty() ? "an empty operand" : "";
  if (!work.is_array() || work.size() < 3 || !work.front().is_string()) {
    return "expected a number, a key or [operation, operand, operand …], got " + shown(work);
  }
  const auto operation = work.front().get<std::string>();
  if (!contains(kConfigWork, operation)) {
    return "expected one of " + join(kConfigWork, ", ") + ", got " + in_quotes(operation);
  }
  for (std::size_t i = 1; i < work.size(); ++i) {
    std::string wrong = wrong_work(work[i]);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

Json read_conditions(ObjectReader& reader, const std::string& key) {
  Json all = reader.raw(key);
  if (all.is_null()) return Json::array();
  if (all.is_object()) all = Json::array({all});
  if (!all.is_array()) {
    reader.mismatch(key, "an object of conditions, or a list of such");
    return Json::array();
  }
  for (const Json& one : all) {
    if (!one.is_object()) {
      reader.mismatch(key, "an object of conditions, or a list of such", one);
      continue;
    }
    for (const auto& [name, test] : one.items()) {
      const std::string wrong = wrong_test(test);
      if (!wrong.empty()) reader.fault(key, name + ": " + wrong);
    }
  }
  return all;
}

}  // namespace sizesheet
