// SPDX-License-Identifier: Apache-2.0
#include "evidence/guide_quantity.h"

#include "evidence/quantity_sets.h"
#include "support/error.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

const Quantities& all_quantities() {
  static const Quantities all = [] {
    Quantities joined = memory_quantities();
    joined.merge(count_quantities());
    joined.merge(plain_quantities());
    return joined;
  }();
  return all;
}

}  // namespace

GuideValue guide_value(double number) { return {{number}, {}}; }
GuideValue guide_value(bool answer) { return {{}, answer}; }
GuideValue guide_value(std::vector<double> numbers) { return {std::move(numbers), {}}; }

std::vector<double> numbers_at(ObjectReader& inputs, const std::string& key) {
  const Json& given = inputs.raw(key);
  if (!given.is_array()) return {inputs.number(key)};
  std::vector<double> numbers;
  for (const Json& one : given) {
    if (!one.is_number()) {
      inputs.fault(key, "expected numbers, got " + shown(given));
      return {0};
    }
    numbers.push_back(one.get<double>());
  }
  if (!numbers.empty()) return numbers;
  inputs.fault(key, "expected at least one number, got []");
  return {0};
}

double sum_at(ObjectReader& inputs, const std::string& key) {
  double sum = 0;
  for (const double number : numbers_at(inputs, key)) sum += number;
  return sum;
}

std::vector<std::string> guide_quantities() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : all_quantities()) names.push_back(name);
  return names;
}

GuideValue guide_quantity(const GuideQuestion& question) {
  const auto found = all_quantities().find(question.quantity);
  if (found != all_quantities().end()) return found->second(question);
  throw InputError("no quantity " + in_quotes(question.quantity) +
                   did_you_mean(question.quantity, guide_quantities()));
}

}  // namespace sizesheet
