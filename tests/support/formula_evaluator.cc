// SPDX-License-Identifier: Apache-2.0
#include "support/formula_evaluator.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace sizesheet {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Recursive descent: sum > product > factor.
class Evaluator {
 public:
  Evaluator(std::string_view text, const std::map<std::string, double>& names)
      : text_(text), names_(names) {}

  double whole() {
    const double value = sum();
    if (at_ < text_.size()) fail("unexpected '" + std::string(1, text_[at_]) + "'");
    return value;
  }

 private:
  double sum() {
    double value = product();
    for (;;) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = factor();
    for (;;) {
      if (take('*')) {
        value *= factor();
      } else if (take('/')) {
        value /= factor();
      } else {
        return value;
      }
    }
  }

  double factor() {
    skip_spaces();
    if (take('-')) return -factor();
    if (take('(')) {
      const double value = sum();
      expect(')');
      return value;
    }
    if (at_ < text_.size() && is_letter(text_[at_])) return name_or_call();
    return literal();
  }

  double literal() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("expected a number, a name or '('");
    at_ += static_cast<std::size_t>(end - begin);
    skip_spaces();
    return value;
  }

  double name_or_call() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) {
      ++at_;
    }
    const std::string name(text_.substr(begin, at_ - begin));
    if (take('(')) return call(name);
    const auto found = names_.find(name);
    if (found == names_.end()) fail("unknown name '" + name + "'");
    return found->second;
  }

  double call(const std::string& function) {
    const double first = sum();
    if (function == "ceil") {
      expect(')');
      return std::ceil(first);
    }
    if (function != "max" && function != "min") fail("unknown function '" + function + "'");
    expect(',');
    const double second = sum();
    expect(')');
    return function == "max" ? std::max(first, second) : std::min(first, second);
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(char wanted) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail("expected '" + std::string(1, wanted) + "'");
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw std::invalid_argument("column " + std::to_string(at_ + 1) + ": " + message + " in '" +
                                std::string(text_) + "'");
  }

  std::string_view text_;
  const std::map<std::string, double>& names_;
  std::size_t at_ = 0;
};

void define(std::map<std::string, double>& names, const std::string& name, double value) {
  if (!names.emplace(name, value).second) {
    throw std::invalid_argument("'" + name + "' is given twice");
  }
}

}  // namespace

double evaluate_expression(std::string_view text, const std::map<std::string, double>& names) {
  return Evaluator(text, names).whole();
}

double evaluate(const Formula& formula) {
  std::map<std::string, double> names;
  for (const NamedValue& given : formula.inputs) define(names, given.name, given.value);
  for (const FormulaStep& stated : formula.steps) {
    const double value = evaluate_expression(stated.formula, names);
    if (value != stated.value) {
      throw std::invalid_argument("step '" + stated.name + "' evaluates to " +
                                  std::to_string(value) + ", not " + std::to_string(stated.value));
    }
    define(names, stated.name, stated.value);
  }
  return evaluate_expression(formula.text, names);
}

}  // namespace sizesheet
