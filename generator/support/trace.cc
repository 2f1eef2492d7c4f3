// SPDX-License-Identifier: Apache-2.0
#include "support/trace.h"

#include <map>
#include <stdexcept>

#include "support/text.h"

namespace sizesheet {

/// kind: 'l' literal, 'i' input, 's' step (left is its definition), or the operator.
struct Traced::Node {
  char kind;
  double value;
  std::string name = {};
  std::shared_ptr<const Node> left = {};
  std::shared_ptr<const Node> right = {};
};

namespace {

using Node = Traced::Node;

int precedence(const Node& node) {
  switch (node.kind) {
    case '+':
    case '-':
      return 1;
    case '*':
    case '/':
      return 2;
    default:
      return 3;
  }
}

std::string text_of(const Node& node);

std::string operand(const Node& child, const Node& parent, bool right) {
  const int inner = precedence(child);
  const int outer = precedence(parent);
  // a * (b / c) keeps its parentheses: the printed text must round as the computation did.
  const bool wrap = inner < outer || (right && inner == outer);
  return wrap ? "(" + text_of(child) + ")" : text_of(child);
}

std::string text_of(const Node& node) {
  switch (node.kind) {
    case 'l':
      return shortest(node.value);
    case 'i':
    case 's':
      return node.name;
    case 'M':
      return "max(" + text_of(*node.left) + ", " + text_of(*node.right) + ")";
    case 'm':
      return "min(" + text_of(*node.left) + ", " + text_of(*node.right) + ")";
    case 'c':
      return "ceil(" + text_of(*node.left) + ")";
    default:
      return operand(*node.left, node, false) + " " + node.kind + " " +
             operand(*node.right, node, true);
  }
}

/// Walks a formula once, collecting inputs and steps in order of first use.
class Collector {
 public:
  explicit Collector(Formula& formula) : formula_(formula) {}

  void visit(const Node& node) {
    if (node.kind == 'l') return;
    if (node.kind == 'i') {
      if (is_new(node)) formula_.inputs.push_back({node.name, node.value});
      return;
    }
    if (node.kind == 's') {
      if (!is_new(node)) return;
      visit(*node.left);
      formula_.steps.push_back({node.name, text_of(*node.left), node.value});
      return;
    }
    visit(*node.left);
    if (node.right != node.left) visit(*node.right);
  }

 private:
  bool is_new(const Node& node) {
    const auto [entry, inserted] = seen_.try_emplace(node.name, node.value);
    if (!inserted && entry->second != node.value) {
      throw std::logic_error("formula: '" + node.name + "' stands for " + shortest(entry->second) +
                             " and for " + shortest(node.value));
    }
    return inserted;
  }

  Formula& formula_;
  std::map<std::string, double> seen_;
};

}  // namespace

Traced::Traced(Node node)
    : value_(node.value), node_(std::make_shared<const Node>(std::move(node))) {}

Traced::Traced(double literal) : Traced(Node{'l', literal}) {}

Traced::Traced(char operation, const Traced& a, const Traced& b, double value)
    : Traced(Node{operation, value, "", a.node_, b.node_}) {}

bool Traced::is_literal(double number) const { return node_->kind == 'l' && value_ == number; }

Traced operator+(const Traced& a, const Traced& b) {
  if (a.is_literal(0)) return b;
  if (b.is_literal(0)) return a;
  return {'+', a, b, a.value_ + b.value_};
}

Traced operator-(const Traced& a, const Traced& b) {
  if (b.is_literal(0)) return a;
  return {'-', a, b, a.value_ - b.value_};
}

Traced operator*(const Traced& a, const Traced& b) {
  if (a.is_literal(0) || b.is_literal(0)) return 0.0;
  if (a.is_literal(1)) return b;
  if (b.is_literal(1)) return a;
  return {'*', a, b, a.value_ * b.value_};
}

Traced operator/(const Traced& a, const Traced& b) {
  if (a.is_literal(0)) return 0.0;
  if (b.is_literal(1)) return a;
  return {'/', a, b, a.value_ / b.value_};
}

Traced larger(const Traced& a, const Traced& b) {
  return {'M', a, b, std::max(a.value_, b.value_)};
}

Traced smaller(const Traced& a, const Traced& b) {
  return {'m', a, b, std::min(a.value_, b.value_)};
}

Traced ceiling(const Traced& a) { return {'c', a, a, std::ceil(a.value_)}; }

Traced Traced::input(std::string_view name, double value) {
  return Traced(Node{'i', value, std::string(name)});
}

Traced Traced::step(std::string_view name, const Traced& computed) {
  return Traced(Node{'s', computed.value_, std::string(name), computed.node_});
}

Formula formula_of(const Traced& number) {
  Formula formula;
  Collector(formula).visit(number.node());
  formula.text = text_of(number.node());
  std::ranges::sort(formula.inputs,
                    [](const NamedValue& a, const NamedValue& b) { return a.name < b.name; });
  return formula;
}

}  // namespace sizesheet
