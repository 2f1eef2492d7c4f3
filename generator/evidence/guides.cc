// SPDX-License-Identifier: Apache-2.0
#include "evidence/guides.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kExact = 1e-9;  // relative

double display_step(const ConventionRules& rules, double printed) {
  const std::string& rule = rule_of(rules, "display").rule;
  if (rule == "one-decimal") return 0.1;
  if (rule == "unit" || printed == 0) return 1;
  return std::pow(10, std::floor(std::log10(std::fabs(printed))) - 1);
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
  const ConventionRules& rules = convention.rules_of(figure.variant);
  ObjectReader inputs(figure.inputs, file, pointer + "/inputs", faults);
  judged.computed = guide_quantity({rules, figure.quantity, inputs});
  inputs.done();
  const auto& numbers = judged.computed.numbers;
  if (!std::all_of(numbers.begin(), numbers.end(), [](double n) { return std::isfinite(n); })) {
    faults.add(file, pointer, "the arithmetic gives no finite number from these inputs");
  }
  judged.status = judged_status(figure.printed, judged.computed, figure_tolerance(rules, figure));
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

double figure_tolerance(const ConventionRules& rules, const GuideFigure& figure) {
  if (figure.tolerance) return *figure.tolerance;
  if (figure.printed.numbers.empty()) return 0;
  return display_step(rules, figure.printed.numbers.front()) / 2;
}

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

void check_guides(const Catalog& catalog, const std::string& directory, Faults& faults) {
  for (const auto& [id, convention] : catalog.conventions) {
    const std::string file = directory + "/conventions/figures/" + id + ".json";
    for (const GuideFigure& figure : convention.figures) {
      check_figure(convention, figure, file, faults);
    }
  }
}

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

namespace {

constexpr double kThousandMillion = 1e9;

using Parts = std::map<std::string, double>;

double look_up(const Parts& parts, const std::string& name, const std::string& what) {
  const auto found = parts.find(name);
  if (found != parts.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, unused] : parts) known.push_back(key);
  throw InputError("no " + what + " " + in_quotes(name) + did_you_mean(name, known));
}

/// Width of what a Mamba-2 layer convolves: its input and the two state projections.
double convolved(const HybridShape& s) {
  return s.mamba_inner + 2 * s.mamba_groups * s.mamba_state;
}

/// Outputs of a Mamba-2 in_proj: gate, input, two state projections, one step size a head.
double in_proj_width(const HybridShape& s) { return s.mamba_inner + convolved(s) + s.mamba_heads; }

double mamba_layer(const HybridShape& s) {
  const double convolution = convolved(s) * s.mamba_kernel + convolved(s);
  const double head_vectors = 3 * s.mamba_heads;
  return s.hidden * in_proj_width(s) + s.mamba_inner * s.hidden + convolution + head_vectors +
         s.mamba_inner;
}

Parts parts_of(const HybridShape& s) {
  const double layers = s.mamba_layers + s.moe_layers + s.attention_layers;
  Parts parts;
  parts["routed"] = s.moe_layers * s.experts * 2 * s.hidden * s.expert_ffn;
  parts["shared"] = s.moe_layers * 2 * s.hidden * s.shared_ffn;
  parts["mamba"] = s.mamba_layers * mamba_layer(s);
  parts["attention"] = s.attention_layers * s.hidden * 2 * (s.query_width + s.key_value_width);
  parts["embeddings"] = 2 * s.vocab * s.hidden;
  parts["misc"] = s.moe_layers * s.experts * s.hidden + (layers + 1) * s.hidden;
  double nonexpert = -parts["routed"];
  for (const auto& [name, count] : parts) nonexpert += count;
  parts["nonexpert"] = nonexpert;
  parts["total"] = nonexpert + parts["routed"];
  return parts;
}

/// Inputs + outputs of every adapted matrix: what one rank costs.
Parts adapter_widths(const HybridShape& s) {
  const double qkv = s.hidden + s.query_width + 2 * s.key_value_width;
  const double output = s.query_width + s.hidden;
  return {{"experts", s.moe_layers * s.experts * 2 * (s.hidden + s.expert_ffn)},
          {"attention", s.attention_layers * (qkv + output)},
          {"shared", s.moe_layers * 2 * (s.hidden + s.shared_ffn)},
          {"in_proj", s.mamba_layers * (s.hidden + in_proj_width(s))},
          {"out_proj", s.mamba_layers * (s.mamba_inner + s.hidden)}};
}

}  // namespace

double hybrid_parameters_bn(const HybridShape& shape, const std::string& part) {
  return look_up(parts_of(shape), part, "part of the model") / kThousandMillion;
}

double hybrid_active_bn(const HybridShape& shape) {
  return hybrid_parameters_bn(shape, "nonexpert") +
         hybrid_parameters_bn(shape, "routed") * shape.experts_per_token / shape.experts;
}

double hybrid_adapters_bn(const HybridShape& shape, double rank,
                          const std::vector<std::string>& targets) {
  const Parts widths = adapter_widths(shape);
  double total = 0;
  for (const std::string& target : targets) total += look_up(widths, target, "adapter target");
  return rank * total / kThousandMillion;
}

}  // namespace sizesheet
