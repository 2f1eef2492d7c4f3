// SPDX-License-Identifier: Apache-2.0
#include "support/formula_evaluator.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sizesheet {
namespace {

double value(const std::string& text) { return evaluate_expression(text, {{"a", 6}, {"b_2", 4}}); }

std::string formula_refusal(const std::string& text) {
  try {
    value(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(FormulaEvaluator, Grammar) {
  EXPECT_EQ(value("1.5"), 1.5);
  EXPECT_EQ(value("1e-06"), 1e-6);
  EXPECT_EQ(value(" a "), 6);
  EXPECT_EQ(value("1 + 2 * a"), 13);
  EXPECT_EQ(value("a - b_2 - 1"), 1);
  EXPECT_EQ(value("a - (b_2 - 1)"), 3);
  EXPECT_EQ(value("a / b_2 / 2"), 0.75);
  EXPECT_EQ(value("-a + 1"), -5);
  EXPECT_EQ(value("max(a, b_2 * 2)"), 8);
  EXPECT_EQ(value("min(a, b_2 * 2)"), 6);
  EXPECT_EQ(value("ceil(a / b_2)"), 2);
  EXPECT_EQ(value("max(min(a, 1), ceil(0.5)) * 3"), 3);
}

TEST(FormulaEvaluator, RefusesWhatIsNoFormula) {
  EXPECT_EQ(formula_refusal(""), "column 1: expected a number, a name or '(' in ''");
  EXPECT_EQ(formula_refusal("a +"), "column 4: expected a number, a name or '(' in 'a +'");
  EXPECT_EQ(formula_refusal("a b_2"), "column 3: unexpected 'b' in 'a b_2'");
  EXPECT_EQ(formula_refusal("(a"), "column 3: expected ')' in '(a'");
  EXPECT_EQ(formula_refusal("c"), "column 2: unknown name 'c' in 'c'");
  EXPECT_EQ(formula_refusal("floor(a)"), "column 8: unknown function 'floor' in 'floor(a)'");
  EXPECT_EQ(formula_refusal("max(a)"), "column 6: expected ',' in 'max(a)'");
}

TEST(FormulaEvaluator, WalksTheStepsOfATracedFormula) {
  const Traced price = Traced::input("price", 0.1);
  const Traced hours = Traced::input("hours", 3);
  const Traced bill = Traced::step("bill", price * hours);
  const Traced total = bill + larger(bill / (hours / 7), ceiling(bill));
  EXPECT_EQ(evaluate(formula_of(total)), total.value());
}

TEST(FormulaEvaluator, ChecksEveryStatedStep) {
  Formula formula;
  formula.inputs = {{"a", 2}};
  formula.steps = {{"b", "a * 3", 7}};
  formula.text = "b";
  EXPECT_THROW(evaluate(formula), std::invalid_argument);
  formula.steps[0].value = 6;
  EXPECT_EQ(evaluate(formula), 6);
  formula.inputs.push_back({"b", 6});
  EXPECT_THROW(evaluate(formula), std::invalid_argument);
}

}  // namespace
}  // namespace sizesheet
