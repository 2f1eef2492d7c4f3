// SPDX-License-Identifier: Apache-2.0
// Formula text and arithmetic from the same code: a term is written once as a function template
// over a number type. With `double` it is plain arithmetic; with `Traced` the same code also
// records the formula it evaluated, so a printed formula cannot differ from the number beside it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/described.h"

namespace sizesheet {

struct NamedValue {
  std::string name;
  double value = 0;
  bool operator==(const NamedValue&) const = default;
};

/// A named intermediate result and the formula that gives it.
struct FormulaStep {
  std::string name;
  std::string formula;
  double value = 0;
  bool operator==(const FormulaStep&) const = default;
};
BOOST_DESCRIBE_STRUCT(FormulaStep, (), (name, formula, value))

/// How a number came about: `steps` in order of evaluation, then `text`; both over `inputs`.
/// Grammar: names, decimal literals, + - * /, parentheses, max(a, b), min(a, b), ceil(a).
struct Formula {
  std::string text;
  std::vector<NamedValue> inputs;
  std::vector<FormulaStep> steps;
  bool operator==(const Formula&) const = default;

  static constexpr bool kLiesFlat = true;  ///< beside the number that it proves
  static constexpr Key kKeys[] = {{"text", "formula"}};
};
BOOST_DESCRIBE_STRUCT(Formula, (), (text, inputs, steps))

/// A number that remembers how it was computed.
class Traced {
 public:
  Traced(double literal =
             0);  // NOLINT(google-explicit-constructor): literals mix freely, as with double
  double value() const { return value_; }

  static Traced input(std::string_view name, double value);
  static Traced step(std::string_view name, const Traced& computed);

  // A literal 0 or 1 that changes nothing leaves no trace, so that a formula shows only what
  // counts.
  friend Traced operator+(const Traced& a, const Traced& b);
  friend Traced operator-(const Traced& a, const Traced& b);
  friend Traced operator*(const Traced& a, const Traced& b);
  friend Traced operator/(const Traced& a, const Traced& b);
  friend Traced larger(const Traced& a, const Traced& b);
  friend Traced smaller(const Traced& a, const Traced& b);
  friend Traced ceiling(const Traced& a);

  struct Node;
  const Node& node() const { return *node_; }

 private:
  explicit Traced(Node node);
  Traced(char operation, const Traced& a, const Traced& b, double value);
  bool is_literal(double number) const;

  double value_;
  std::shared_ptr<const Node> node_;
};

/// The formula behind a traced number. Throws std::logic_error when one name stands for two values.
Formula formula_of(const Traced& number);

inline double larger(double a, double b) { return std::max(a, b); }
inline double smaller(double a, double b) { return std::min(a, b); }
inline double ceiling(double a) { return std::ceil(a); }
inline double value_of(double number) { return number; }
inline double value_of(const Traced& number) { return number.value(); }

/// A quantity that enters a formula under `name`.
template <typename N>
N input(std::string_view name, double value) {
  if constexpr (std::is_same_v<N, Traced>) {
    return Traced::input(name, value);
  } else {
    static_cast<void>(name);
    return value;
  }
}

/// Gives an intermediate result a name of its own in the formula.
template <typename N>
N step(std::string_view name, const N& computed) {
  if constexpr (std::is_same_v<N, Traced>) {
    return Traced::step(name, computed);
  } else {
    static_cast<void>(name);
    return computed;
  }
}

}  // namespace sizesheet
