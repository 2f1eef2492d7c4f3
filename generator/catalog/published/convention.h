// SPDX-License-Identifier: Apache-2.0
// How a published guide accounts for memory, as data: named rules out of closed sets, constants,
// look-up tables, and every figure the guide prints. The arithmetic stands in evidence/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// What a guide prints or a convention gives: one number, several (a range, parts), or yes or no.
struct GuideValue {
  std::vector<double> numbers;
  std::optional<bool> answer;

  bool operator==(const GuideValue&) const = default;
};
BOOST_DESCRIBE_STRUCT(GuideValue, (), (numbers, answer))

/// A rule out of a closed set, in the guide's own sense.
struct GuideRule {
  std::string rule;
  double share = 0;     ///< of headroom rules: 0.15
  bool fitted = false;  ///< not stated by the guide, inferred from its figures
  std::string words;    ///< one sentence for the page
};
BOOST_DESCRIBE_STRUCT(GuideRule, (), (rule, share, fitted, words))

struct GuideConstant {
  double low = 0;
  double high = 0;  ///< equal to `low` unless the guide gives a range
  bool fitted = false;
  std::string words;
};

/// A cell of a look-up table that is itself the guide's rule.
struct GuideCell {
  std::string model;
  std::string method;
  std::string term;
  double gb = 0;
};
BOOST_DESCRIBE_STRUCT(GuideCell, (), (model, method, term, gb))

/// Bytes a token that the layers of one kind keep: layers x (hidden multiples x hidden + extra).
struct LayerActivation {
  double layers = 0;
  double hidden_multiples = 0;
  double extra_bytes = 0;
  bool fitted = false;
  std::string words;
};
BOOST_DESCRIBE_STRUCT(LayerActivation, (), (layers, hidden_multiples, extra_bytes, fitted, words))

/// A hybrid of attention, Mamba-2 and mixture-of-experts layers.
struct HybridShape {
  double hidden = 0;
  double vocab = 0;
  double mamba_layers = 0;
  double moe_layers = 0;
  double attention_layers = 0;
  double experts = 0;
  double experts_per_token = 0;
  double expert_ffn = 0;
  double shared_ffn = 0;
  double query_width = 0;
  double key_value_width = 0;
  double mamba_inner = 0;
  double mamba_groups = 0;
  double mamba_state = 0;
  double mamba_heads = 0;
  double mamba_kernel = 0;
};
BOOST_DESCRIBE_STRUCT(HybridShape, (),
                      (hidden, vocab, mamba_layers, moe_layers, attention_layers, experts,
                       experts_per_token, expert_ffn, shared_ffn, query_width, key_value_width,
                       mamba_inner, mamba_groups, mamba_state, mamba_heads, mamba_kernel))

/// One variant of a guide's accounting, complete.
struct ConventionRules {
  std::map<std::string, GuideRule> rules;     ///< capacity, shard, trainable, adapter, placement,
                                              ///< activations, shape_activations, display
  std::map<std::string, GuideRule> rounding;  ///< by purpose: minimum, low, high …
  std::map<std::string, GuideRule> headroom;  ///< by place: table, prose …
  std::map<std::string, GuideConstant> constants;
  std::vector<GuideCell> table;
  std::map<std::string, LayerActivation> layer_activations;
  std::optional<HybridShape> hybrid;
};

/// What an edition shows of a guide's figure as it stands.
struct PrintedFigure {
  std::string id;
  std::string where;  ///< section or table of the guide
  std::string what;
  std::string unit;
  GuideValue printed;
  std::string status;  ///< exact | within-rounding | inconsistent | not-derivable
  std::string reason;  ///< "" where nothing need be said
};
BOOST_DESCRIBE_STRUCT(PrintedFigure, (), (id, where, what, unit, printed, status, reason))

/// One figure of a guide and the question that the convention answers.
struct GuideFigure : PrintedFigure {
  std::string variant;              ///< of the convention's rules; "" is the common one
  std::optional<double> tolerance;  ///< how far a rounded figure may lie from the arithmetic;
                                    ///< absent: the display rule decides
  std::string quantity;             ///< "" when the guide gives no rule for it
  Json inputs;
  std::string place;  ///< JSON pointer to it in its file, for messages
};
/// In the order in which a figure is read; what is printed has a reader of its own.
BOOST_DESCRIBE_STRUCT(GuideFigure, (),
                      (id, where, what, variant, unit, tolerance, status, reason, quantity))

struct ConventionHead {
  std::string id;
  std::string title;
  std::string publisher;
  std::string source;
  std::string date;   ///< when the guide was read
  std::string dated;  ///< what it says of its own date
  std::string words;  ///< what it is
};
BOOST_DESCRIBE_STRUCT(ConventionHead, (), (id, title, publisher, source, date, dated, words))

struct Convention : ConventionHead {
  ConventionRules rules;
  std::map<std::string, ConventionRules> variants;
  std::vector<GuideFigure> figures;

  /// The variant's rules; throws InputError naming a near miss.
  const ConventionRules& rules_of(const std::string& variant) const;
};
BOOST_DESCRIBE_STRUCT(Convention, (ConventionHead), ())

/// One way in which the sheet's physical model differs from the guides, and why.
struct GuideDifference {
  std::string id;
  std::string title;
  std::string guides;  ///< what they do
  std::string sheet;   ///< what the sheet does, with figures
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(GuideDifference, (), (id, title, guides, sheet, source, date))

Convention read_convention(ObjectReader reader);
/// The figures of one guide, from their own file.
std::vector<GuideFigure> read_guide_figures(ObjectReader& reader);
GuideDifference read_guide_difference(ObjectReader& reader);

}  // namespace sizesheet
