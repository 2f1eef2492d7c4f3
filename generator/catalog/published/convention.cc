// SPDX-License-Identifier: Apache-2.0
// The figures of a guide and the ways in which the sheet differs, out of their files.

#include "catalog/published/convention.h"

#include <algorithm>

#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Choices = std::vector<std::string>;

constexpr Bounds<double> kNotNegative{0, 1e9};
constexpr Bounds<double> kPositive{0.001, 1e9};

/// The closed set of rules, and of what each may be.
const std::map<std::string, Choices> kRules = {
    {"capacity", {"nominal"}},
    {"shard", {"whole", "zero-stages", "megatron", "fsdp2"}},
    {"trainable", {"total", "active"}},
    {"adapter", {"fraction", "rank", "fraction-and-table"}},
    {"placement", {"replicated", "experts-split", "experts-split-then-tp", "all-over-ep"}},
    {"activations", {"none", "per-parameter", "per-token", "shape-factor", "table"}},
    {"shape_activations", {"block-inputs", "no-recompute"}},
    {"display", {"two-significant", "one-decimal", "unit"}},
};

const Choices kConstants = {
    "weights",          "weights_4bit",          "scratch_4bit",     "gradients",
    "optimizer",        "optimizer_4bit",        "optimizer_8bit",   "master",
    "activations_full", "activations_peft",      "activation_bytes", "checkpoint_keep",
    "token_bytes",      "token_bytes_not_split", "adapter_percent",  "adapter_bytes",
    "overhead_gb",      "gpus_per_node"};

GuideRule read_rule(ObjectReader& reader, const Choices& known) {
  return read_entry<GuideRule>(
      reader, {.numbers = {0, 1}, .choices = {{"rule", known}}, .may_lack = {"share", "fitted"}});
}

GuideConstant read_constant(ObjectReader& reader, Bounds<double> bounds) {
  GuideConstant constant;
  if (reader.mentions("value")) {
    constant.low = constant.high = reader.number("value", bounds);
  } else {
    constant.low = reader.number("low", bounds);
    constant.high = reader.number("high", {constant.low, bounds.high});
  }
  constant.fitted = reader.flag_or("fitted", false);
  constant.words = read_filled_text(reader, "words");
  reader.done();
  return constant;
}

std::vector<GuideCell> read_table(ObjectReader& reader) {
  std::vector<GuideCell> table;
  if (!reader.has("table")) return table;
  const EntryRules rules{
      .numbers = kNotNegative,
      .choices = {{"method", described_kinds()},
                  {"term", {"adapters", "gradients", "optimizer", "activations"}}}};
  for (ObjectReader& row : reader.objects("table")) {
    table.push_back(read_entry<GuideCell>(row, rules));
  }
  return table;
}

ConventionRules read_convention_rules(ObjectReader& reader) {
  ConventionRules rules;
  rules.rules = read_map(reader, "rules", [](const std::string& name, ObjectReader& rule) {
    const auto known = kRules.find(name);
    if (known != kRules.end()) return read_rule(rule, known->second);
    rule.fault("", "no rule of this name" + did_you_mean(name, keys_of(kRules)));
    return GuideRule{};
  });
  const auto read_named = [&](const std::string& key, const Choices& known) {
    return read_map(reader, key,
                    [&](const std::string&, ObjectReader& rule) { return read_rule(rule, known); });
  };
  rules.rounding =
      read_named("rounding", {"ceil", "even", "nodes", "grown-floor", "grown-floor-nodes"});
  rules.headroom = read_named("headroom", {"none", "reserve", "uplift"});
  rules.constants = read_map(reader, "constants", [](const std::string& name, ObjectReader& row) {
    const bool divides = name == "gpus_per_node";
    const auto constant = read_constant(row, divides ? Bounds<double>{1, 65536} : kNotNegative);
    if (!contains(kConstants, name)) {
      row.fault("", "no constant of this name" + did_you_mean(name, kConstants));
    }
    return constant;
  });
  rules.table = read_table(reader);
  const EntryRules layers{.numbers = kNotNegative,
                          .bounds = {{"layers", kPositive}},
                          .may_lack = {"extra_bytes", "fitted"}};
  rules.layer_activations =
      read_map(reader, "layer_activations", [&](const std::string&, ObjectReader& row) {
        return read_entry<LayerActivation>(row, layers);
      });
  if (auto hybrid = reader.optional_object("hybrid")) {
    rules.hybrid = read_members<HybridShape>(*hybrid, {.numbers = kPositive});
    read_source(*hybrid);
    hybrid->done();
  }
  return rules;
}

/// What a variant leaves out is as in the common rules.
ConventionRules with_common(ConventionRules common, const ConventionRules& variant) {
  const auto lay_over = [&](auto member) {
    for (const auto& [key, value] : variant.*member) (common.*member)[key] = value;
  };
  lay_over(&ConventionRules::rules);
  lay_over(&ConventionRules::rounding);
  lay_over(&ConventionRules::headroom);
  lay_over(&ConventionRules::constants);
  return common;
}

constexpr double kLargest = 1e40;

GuideValue read_printed(ObjectReader& reader) {
  GuideValue printed;
  const Json& value = reader.raw("printed");
  if (value.is_boolean()) {
    printed.answer = value.get<bool>();
  } else if (value.is_number()) {
    printed.numbers = {value.get<double>()};
  } else if (value.is_array() && !value.empty() &&
             std::ranges::all_of(value, [](const Json& v) { return v.is_number(); })) {
    printed.numbers = value.get<std::vector<double>>();
  } else {
    reader.fault("printed", "expected a number, a list of numbers, true or false, got " +
                                (value.is_null() ? "nothing" : shown(value)));
  }
  for (const double number : printed.numbers) {
    if (number >= 0 && number <= kLargest) continue;
    reader.mismatch("printed", "numbers from 0 to 1e40", value);
    break;
  }
  return printed;
}

void check_figure(ObjectReader& reader, const GuideFigure& figure) {
  const auto& printed = figure.printed.numbers;
  if (figure.tolerance && !printed.empty() &&  // a figure that may be off by itself says nothing
      *figure.tolerance > *std::ranges::max_element(printed)) {
    reader.mismatch("tolerance", "at most the printed number");
  }
  if (!reader.sound("")) return;
  const bool derived = figure.status != "not-derivable";
  if (derived == figure.quantity.empty()) {
    reader.fault("quantity", derived ? "expected the name of a quantity, got nothing"
                                     : "expected no quantity where nothing can be derived, got " +
                                           in_quotes(figure.quantity));
  }
  if (!figure.reason.empty() || figure.status == "exact" || figure.status == "within-rounding") {
    return;
  }
  reader.fault("reason", "expected why the figure is " + figure.status + ", got nothing");
}

GuideFigure read_figure(ObjectReader& reader) {
  auto figure = read_members<GuideFigure>(
      reader,
      {.numbers = {0, kLargest},
       .choices = {{"status", {"exact", "within-rounding", "inconsistent", "not-derivable"}}},
       .may_lack = {"variant", "reason", "quantity"},
       .may_be_empty = {"variant", "quantity"}});
  figure.printed = read_printed(reader);
  const Json& inputs = reader.raw("inputs");
  figure.inputs = inputs.is_null() ? Json::object() : inputs;
  figure.place = reader.pointer("");
  if (!figure.inputs.is_object()) reader.mismatch("inputs", "an object", figure.inputs);
  check_figure(reader, figure);
  reader.done();
  return figure;
}

}  // namespace

const ConventionRules& Convention::rules_of(const std::string& variant) const {
  if (variant.empty()) return rules;
  return entry_of(variants, variant, "convention " + in_quotes(id) + " has no variant");
}

Convention read_convention(ObjectReader reader) {
  auto convention = read_members<Convention>(reader);
  convention.rules = read_convention_rules(reader);
  convention.variants =
      read_map(reader, "variants", [&](const std::string&, ObjectReader& variant) {
        const auto rules = with_common(convention.rules, read_convention_rules(variant));
        variant.done();
        return rules;
      });
  reader.done();
  return convention;
}

std::vector<GuideFigure> read_guide_figures(ObjectReader& reader) {
  std::vector<GuideFigure> figures = read_list(reader, "figures", read_figure);
  reader.done();
  return figures;
}

GuideDifference read_guide_difference(ObjectReader& reader) {
  return read_entry<GuideDifference>(reader);
}

}  // namespace sizesheet
