// SPDX-License-Identifier: Apache-2.0
#include "evidence/guides.h"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/files/loader.h"
#include "catalog/published/convention.h"
#include "evidence/quantities.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kExact = 1e-9;  // relative

/// How far a figure as printed may lie from the arithmetic: the figure's own tolerance, else half
/// the step of the guide's display rule.
double tolerance_of(const GuideInputs& guide, const GuideFigure& figure) {
  if (figure.tolerance) return *figure.tolerance;
  if (figure.printed.numbers.empty()) return 0;
  const std::string& rule = guide.rule("display");
  const double printed = figure.printed.numbers.front();
  if (rule == "one-decimal") return 0.1 / 2;
  if (rule == "unit" || printed == 0) return 1.0 / 2;
  return std::pow(10, std::floor(std::log10(std::fabs(printed))) - 1) / 2;
}

bool same(double a, double b) {
  return std::fabs(a - b) <= kExact * std::max(std::fabs(a), std::fabs(b));
}

bool exact(const GuideValue& printed, const GuideValue& computed) {
  return printed.numbers.size() == computed.numbers.size() &&
         std::equal(printed.numbers.begin(), printed.numbers.end(), computed.numbers.begin(), same);
}

bool holds(const std::vector<double>& range, double value, double tolerance) {
  return range.front() - tolerance <= value && value <= range.back() + tolerance;
}

/// Number by number; a single number against a range is right when the range holds it.
bool within(const GuideValue& printed, const GuideValue& computed, double tolerance) {
  const std::vector<double>& a = printed.numbers;
  const std::vector<double>& b = computed.numbers;
  if (a.size() == b.size()) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [&](double x, double y) { return std::fabs(x - y) <= tolerance; });
  }
  if (b.size() == 1) return holds(a, b.front(), tolerance);
  return a.size() == 1 && holds(b, a.front(), tolerance);
}

std::string judged_status(const GuideValue& printed, const GuideValue& computed, double tolerance) {
  if (printed.answer || computed.answer) {
    return printed.answer == computed.answer ? "exact" : "inconsistent";
  }
  if (exact(printed, computed)) return "exact";
  return within(printed, computed, tolerance) ? "within-rounding" : "inconsistent";
}

/// Faults in the inputs are recorded under `file` and `pointer`.
JudgedFigure judged_at(const Convention& convention, const GuideFigure& figure,
                       const std::string& file, const std::string& pointer, Faults& faults) {
  JudgedFigure judged{&figure, {}, "not-derivable"};
  if (figure.quantity.empty()) return judged;
  ObjectReader inputs(figure.inputs, file, pointer + "/inputs", faults);
  const GuideInputs guide{convention.rules_of(figure.variant), inputs};
  judged.computed = guide_quantity(figure.quantity, guide);
  inputs.done();
  const auto& numbers = judged.computed.numbers;
  if (!std::ranges::all_of(numbers, [](double n) { return std::isfinite(n); })) {
    faults.add(file, pointer, "the arithmetic gives no finite number from these inputs");
  }
  judged.status = judged_status(figure.printed, judged.computed, tolerance_of(guide, figure));
  return judged;
}

/// Adds what is wrong with one figure.
void check_figure(const Convention& convention, const GuideFigure& figure, const std::string& file,
                  Faults& faults) {
  const std::size_t before = faults.all().size();
  try {
    const JudgedFigure judged = judged_at(convention, figure, file, figure.place, faults);
    if (faults.all().size() != before || judged.status == figure.status) return;
    faults.add(file, figure.place + "/status",
               "expected what the arithmetic says, " + in_quotes(judged.status) + ", got " +
                   in_quotes(figure.status));
  } catch (const InputError& error) {
    faults.add(file, figure.place, error.what());
  }
}

}  // namespace

JudgedFigure judge(const Convention& convention, const GuideFigure& figure) {
  Faults faults;
  JudgedFigure judged = judged_at(convention, figure, convention.id + "/" + figure.id, "", faults);
  faults.refuse();
  return judged;
}

std::vector<JudgedFigure> judge_all(const Convention& convention) {
  std::vector<JudgedFigure> all;
  for (const GuideFigure& figure : convention.figures) all.push_back(judge(convention, figure));
  return all;
}

void check_guides(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  for (const auto& [id, convention] : catalog.conventions) {
    const std::string file = layers.shown("conventions/figures/" + id + ".json");
    for (const GuideFigure& figure : convention.figures) {
      check_figure(convention, figure, file, faults);
    }
  }
}

std::vector<double> GuideInputs::numbers(const std::string& key) const {
  const Json& given = inputs.raw(key);
  if (!given.is_array()) return {inputs.number(key)};
  std::vector<double> numbers;
  for (const Json& one : given) {
    if (!one.is_number()) {
      inputs.mismatch(key, "numbers", given);
      return {0};
    }
    numbers.push_back(one.get<double>());
  }
  if (!numbers.empty()) return numbers;
  inputs.fault(key, "expected at least one number, got []");
  return {0};
}

double GuideInputs::sum(const std::string& key) const {
  double sum = 0;
  for (const double number : numbers(key)) sum += number;
  return sum;
}

const GuideConstant& constant_of(const ConventionRules& rules, const std::string& name) {
  const auto found = rules.constants.find(name);
  if (found != rules.constants.end()) return found->second;
  throw InputError("the convention has no constant " + in_quotes(name));
}

double GuideInputs::constant(const std::string& name) const { return constant_of(rules, name).low; }

const std::string& GuideInputs::rule(const std::string& name) const {
  const auto found = rules.rules.find(name);
  if (found != rules.rules.end()) return found->second.rule;
  throw InputError("the convention has no rule " + in_quotes(name));
}

const HybridShape& GuideInputs::hybrid() const {
  if (rules.hybrid) return *rules.hybrid;
  throw InputError("the convention has no hybrid model");
}

}  // namespace sizesheet
