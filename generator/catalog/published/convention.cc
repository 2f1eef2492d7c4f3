// SPDX-License-Identifier: Apache-2.0
// The figures of a guide and the ways in which the sheet differs, out of their files.

#include "catalog/published/convention.h"

#include <algorithm>

#include "catalog/loader.h"
#include "catalog/method.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Choices = std::vector<std::string>;

constexpr Bounds<double> kNotNegative{0, 1e9};
constexpr Bounds<double> kPositive{0.001, 1e9};

/// The closed set of rules, and of what each may be.
const std::map<std::string, Choices>& known_rules() {
  static const std::map<std::string, Choices> known = {
      {"capacity", {"nominal"}},
      {"shard", {"whole", "zero-stages", "megatron", "fsdp2"}},
      {"trainable", {"total", "active"}},
      {"adapter", {"fraction", "rank", "fraction-and-table"}},
      {"placement", {"replicated", "experts-split", "experts-split-then-tp", "all-over-ep"}},
      {"activations", {"none", "per-parameter", "per-token", "shape-factor", "table"}},
      {"shape_activations", {"block-inputs", "no-recompute"}},
      {"display", {"two-significant", "one-decimal", "unit"}},
  };
  return known;
}

const Choices& known_constants() {
  static const Choices known = {
      "weights",          "weights_4bit",          "scratch_4bit",     "gradients",
      "optimizer",        "optimizer_4bit",        "optimizer_8bit",   "master",
      "activations_full", "activations_peft",      "activation_bytes", "checkpoint_keep",
      "token_bytes",      "token_bytes_not_split", "adapter_percent",  "adapter_bytes",
      "overhead_gb",      "gpus_per_node"};
  return known;
}

const Choices& known_roundings() {
  static const Choices known = {"ceil", "even", "nodes", "grown-floor", "grown-floor-nodes"};
  return known;
}

Choices keys_of(const std::map<std::string, Choices>& map) {
  Choices keys;
  for (const auto& [key, unused] : map) keys.push_back(key);
  return keys;
}

GuideRule read_rule(ObjectReader& reader, const Choices& known) {
  GuideRule rule;
  rule.rule = reader.one_of("rule", known);
  rule.share = reader.number_or("share", 0, {0, 1});
  rule.fitted = reader.flag_or("fitted", false);
  rule.words = read_filled_text(reader, "words");
  reader.done();
  return rule;
}

std::map<std::string, GuideRule> read_rules(ObjectReader& reader) {
  std::map<std::string, GuideRule> rules;
  if (!reader.has("rules")) return rules;
  for (auto& [name, rule] : reader.members("rules")) {
    const auto known = known_rules().find(name);
    if (known == known_rules().end()) {
      rule.fault("", "no rule of this name" + did_you_mean(name, keys_of(known_rules())));
      continue;
    }
    rules[name] = read_rule(rule, known->second);
  }
  return rules;
}

std::map<std::string, GuideRule> read_named(ObjectReader& reader, const std::string& key,
                                            const Choices& known) {
  std::map<std::string, GuideRule> rules;
  if (!reader.has(key)) return rules;
  for (auto& [name, rule] : reader.members(key)) rules[name] = read_rule(rule, known);
  return rules;
}

/// The number of cards in a node is divided by.
Bounds<double> bounds_of(const std::string& name) {
  return name == "gpus_per_node" ? Bounds<double>{1, 65536} : kNotNegative;
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

std::map<std::string, GuideConstant> read_constants(ObjectReader& reader) {
  std::map<std::string, GuideConstant> constants;
  const Choices& known = known_constants();
  if (!reader.has("constants")) return constants;
  for (auto& [name, constant] : reader.members("constants")) {
    constants[name] = read_constant(constant, bounds_of(name));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    constant.fault("", "no constant of this name" + did_you_mean(name, known));
  }
  return constants;
}

std::vector<GuideCell> read_table(ObjectReader& reader) {
  std::vector<GuideCell> table;
  if (!reader.has("table")) return table;
  for (ObjectReader& row : reader.objects("table")) {
    GuideCell cell;
    cell.model = read_filled_text(row, "model");
    cell.method = row.one_of("method", described_kinds());
    cell.term = row.one_of("term", {"adapters", "gradients", "optimizer", "activations"});
    cell.gb = row.number("gb", kNotNegative);
    row.done();
    table.push_back(std::move(cell));
  }
  return table;
}

std::map<std::string, LayerActivation> read_layer_activations(ObjectReader& reader) {
  std::map<std::string, LayerActivation> all;
  if (!reader.has("layer_activations")) return all;
  for (auto& [kind, layer] : reader.members("layer_activations")) {
    LayerActivation& kept = all[kind];
    kept.layers = layer.number("layers", kPositive);
    kept.hidden_multiples = layer.number("hidden_multiples", kNotNegative);
    kept.extra_bytes = layer.number_or("extra_bytes", 0, kNotNegative);
    kept.fitted = layer.flag_or("fitted", false);
    kept.words = read_filled_text(layer, "words");
    layer.done();
  }
  return all;
}

std::optional<HybridShape> read_hybrid(ObjectReader& reader) {
  std::optional<ObjectReader> keys = reader.optional_object("hybrid");
  if (!keys) return std::nullopt;
  HybridShape shape;
  const auto read = [&](const char* key, double& value) { value = keys->number(key, kPositive); };
  read("hidden", shape.hidden);
  read("vocab", shape.vocab);
  read("mamba_layers", shape.mamba_layers);
  read("moe_layers", shape.moe_layers);
  read("attention_layers", shape.attention_layers);
  read("experts", shape.experts);
  read("experts_per_token", shape.experts_per_token);
  read("expert_ffn", shape.expert_ffn);
  read("shared_ffn", shape.shared_ffn);
  read("query_width", shape.query_width);
  read("key_value_width", shape.key_value_width);
  read("mamba_inner", shape.mamba_inner);
  read("mamba_groups", shape.mamba_groups);
  read("mamba_state", shape.mamba_state);
  read("mamba_heads", shape.mamba_heads);
  read("mamba_kernel", shape.mamba_kernel);
  read_source(*keys);
  keys->done();
  return shape;
}

ConventionRules read_convention_rules(ObjectReader& reader) {
  ConventionRules rules;
  rules.rules = read_rules(reader);
  rules.rounding = read_named(reader, "rounding", known_roundings());
  rules.headroom = read_named(reader, "headroom", {"none", "reserve", "uplift"});
  rules.constants = read_constants(reader);
  rules.table = read_table(reader);
  rules.layer_activations = read_layer_activations(reader);
  rules.hybrid = read_hybrid(reader);
  return rules;
}

template <typename T>
void overlay(std::map<std::string, T>& under, const std::map<std::string, T>& over) {
  for (const auto& [key, value] : over) under[key] = value;
}

/// What a variant leaves out is as in the common rules.
ConventionRules with_common(ConventionRules common, const ConventionRules& variant) {
  overlay(common.rules, variant.rules);
  overlay(common.rounding, variant.rounding);
  overlay(common.headroom, variant.headroom);
  overlay(common.constants, variant.constants);
  return common;
}

}  // namespace

const ConventionRules& Convention::rules_of(const std::string& variant) const {
  if (variant.empty()) return rules;
  const auto found = variants.find(variant);
  if (found != variants.end()) return found->second;
  Choices known;
  for (const auto& [name, unused] : variants) known.push_back(name);
  throw InputError("convention " + in_quotes(id) + " has no variant " + in_quotes(variant) +
                   did_you_mean(variant, known));
}

Convention read_convention(ObjectReader reader) {
  Convention convention;
  convention.id = read_id(reader, "id");
  convention.title = read_filled_text(reader, "title");
  convention.publisher = read_filled_text(reader, "publisher");
  convention.source = read_source(reader);
  convention.date = read_date(reader, "date");
  convention.dated = read_filled_text(reader, "dated");
  convention.words = read_filled_text(reader, "words");
  convention.rules = read_convention_rules(reader);
  if (reader.has("variants")) {
    for (auto& [name, variant] : reader.members("variants")) {
      convention.variants[name] = with_common(convention.rules, read_convention_rules(variant));
      variant.done();
    }
  }
  reader.done();
  return convention;
}

namespace {

constexpr Bounds<double> kTolerance{0, 1e40};
constexpr double kLargest = 1e40;

GuideValue read_printed(ObjectReader& reader) {
  GuideValue printed;
  const Json& value = reader.raw("printed");
  if (value.is_boolean()) {
    printed.answer = value.get<bool>();
  } else if (value.is_number()) {
    printed.numbers = {value.get<double>()};
  } else if (value.is_array() && !value.empty() &&
             std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); })) {
    printed.numbers = value.get<std::vector<double>>();
  } else {
    reader.fault("printed", "expected a number, a list of numbers, true or false, got " +
                                (value.is_null() ? "nothing" : shown(value)));
  }
  for (const double number : printed.numbers) {
    if (number >= 0 && number <= kLargest) continue;
    reader.fault("printed", "expected numbers from 0 to 1e40, got " + shown(value));
    break;
  }
  return printed;
}

/// A figure that may be off by itself says nothing.
void check_tolerance(ObjectReader& reader, const GuideFigure& figure) {
  const auto& printed = figure.printed.numbers;
  if (!figure.tolerance || printed.empty()) return;
  const double most = *std::max_element(printed.begin(), printed.end());
  if (*figure.tolerance <= most) return;
  reader.fault("tolerance",
               "expected at most the printed number, got " + shown(reader.raw("tolerance")));
}

void check_figure(ObjectReader& reader, const GuideFigure& figure) {
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
  GuideFigure figure;
  figure.id = read_id(reader, "id");
  figure.where = read_filled_text(reader, "where");
  figure.what = read_filled_text(reader, "what");
  figure.variant = reader.text_or("variant", "");
  figure.printed = read_printed(reader);
  figure.unit = read_filled_text(reader, "unit");
  figure.tolerance = reader.optional_number("tolerance", kTolerance);
  figure.status = reader.one_of("status", figure_statuses());
  figure.reason = read_note(reader, "reason");
  figure.quantity = reader.text_or("quantity", "");
  const Json& inputs = reader.raw("inputs");
  figure.inputs = inputs.is_null() ? Json::object() : inputs;
  figure.place = reader.pointer("");
  if (!figure.inputs.is_object()) {
    reader.fault("inputs", "expected an object, got " + shown(figure.inputs));
  }
  check_tolerance(reader, figure);
  check_figure(reader, figure);
  reader.done();
  return figure;
}

}  // namespace

const std::vector<std::string>& figure_statuses() {
  static const std::vector<std::string> known = {"exact", "within-rounding", "inconsistent",
                                                 "not-derivable"};
  return known;
}

std::vector<GuideFigure> read_guide_figures(ObjectReader& reader) {
  std::vector<ObjectReader> rows = read_rows(reader, "figures");
  check_unique(rows, "id", "an id");
  std::vector<GuideFigure> figures;
  for (ObjectReader& row : rows) figures.push_back(read_figure(row));
  reader.done();
  return figures;
}

GuideDifference read_guide_difference(ObjectReader& reader) {
  GuideDifference difference;
  difference.id = read_id(reader, "id");
  difference.title = read_filled_text(reader, "title");
  difference.guides = read_filled_text(reader, "guides");
  difference.sheet = read_filled_text(reader, "sheet");
  difference.source = read_source(reader);
  difference.date = read_date(reader, "date");
  reader.done();
  return difference;
}

}  // namespace sizesheet
