// SPDX-License-Identifier: Apache-2.0
// Published guides held against their own arithmetic: the quantities that their figures are, and
// memory and parameters as a guide counts them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/published/convention.h"

namespace sizesheet {

// ---- The closed set of quantities that the figures of published guides are: each a named function
// of a convention and the figure's inputs. There are no formulas in the data.

/// A quantity asked under one variant of a convention.
struct GuideQuestion {
  const ConventionRules& rules;
  std::string quantity;
  ObjectReader& inputs;
};

/// The value by the convention's rules. Throws InputError for a quantity that does not exist (with
/// a near miss) and for what the convention has no rule for; missing inputs are recorded as faults.
GuideValue guide_quantity(const GuideQuestion& question);

/// Names of all quantities, sorted.
std::vector<std::string> guide_quantities();

// ---- The quantities by kind; guide_quantity.cc joins them into one set.

using Quantity = GuideValue (*)(const GuideQuestion&);
using Quantities = std::map<std::string, Quantity>;

Quantities memory_quantities();  ///< bytes, and parameters they are bytes of
Quantities count_quantities();   ///< GPUs, micro-batches, sequence lengths, what fits
Quantities plain_quantities();   ///< sums, products, shares: prices, hours, ratios

GuideValue guide_value(double number);
GuideValue guide_value(bool answer);
GuideValue guide_value(std::vector<double> numbers);

/// Numbers under `key`: a list, or one number as a list of one.
std::vector<double> numbers_at(ObjectReader& inputs, const std::string& key);
/// The sum of the numbers under `key`.
double sum_at(ObjectReader& inputs, const std::string& key);

// ---- Memory as a published guide counts it: parameters times bytes, divided or not by its own
// rule. GB are thousand millions of bytes, as in the guides. This is not the sheet's engine.

inline constexpr double kGigabyte = 1e9;
inline constexpr double kPercent = 100;
inline constexpr Bounds<double> kNotNegative{0};
inline constexpr Bounds<double> kAtLeastOne{1};

/// A figure that may be a range.
struct GuideRange {
  double low = 0;
  double high = 0;
};

/// One fine-tuning job as the guides describe theirs; what a rule does not ask for stays unread.
struct GuideJob {
  const ConventionRules& rules;
  ObjectReader& inputs;
  std::string method;  ///< full | lora | qlora
  double stage = 0;    ///< of ZeRO
};

/// The job that `inputs` describe; "method" defaults to full, "stage" to 0.
GuideJob job_of(const ConventionRules& rules, ObjectReader& inputs);

/// The sum of these terms: weights, scratch, adapters, gradients, optimizer, optimizer-8bit,
/// master, adapter-state, overhead, activations, activations-by-shape, activations-given.
GuideRange guide_memory_gb(const GuideJob& job, const std::vector<std::string>& terms);

/// Parameters of the whole model, thousand millions.
double guide_parameters_bn(const GuideJob& job);
/// Adapter parameters of the whole model, thousand millions.
double guide_adapters_bn(const GuideJob& job);
/// Bytes a token keeps on one GPU under a per-token rule, GB for the job's sequences.
double guide_activations_gb(const GuideJob& job);

/// The named constant or rule; throws InputError when the convention has none.
const GuideConstant& constant_of(const ConventionRules& rules, const std::string& name);
const GuideRule& rule_of(const ConventionRules& rules, const std::string& name);
const HybridShape& hybrid_of(const ConventionRules& rules);

// ---- Parameters and adapters of a hybrid model (attention, Mamba-2, mixture of experts), counted
// from its shape as a guide's own breakdown does. In thousand millions.

/// routed, shared, mamba, attention, embeddings, misc, nonexpert, total. Throws InputError with a
/// near miss for another name.
double hybrid_parameters_bn(const HybridShape& shape, const std::string& part);

/// Parameters that one token passes through, both embeddings counted.
double hybrid_active_bn(const HybridShape& shape);

/// Adapters of this rank on the named targets: experts (one for every routed expert), attention,
/// shared, in_proj, out_proj.
double hybrid_adapters_bn(const HybridShape& shape, double rank,
                          const std::vector<std::string>& targets);

// ---- Published guides held against their own arithmetic: every figure computed under the guide's
// convention and judged.

struct JudgedFigure {
  const GuideFigure* figure = nullptr;
  GuideValue computed;  ///< empty where the guide gives no rule
  std::string status;   ///< by the arithmetic: exact | within-rounding | inconsistent |
                        ///< not-derivable
};

/// How far a figure as printed may lie from the arithmetic: the figure's own tolerance, else half
/// the step of the guide's display rule.
double figure_tolerance(const ConventionRules& rules, const GuideFigure& figure);

/// Throws InputError naming the figure when its question cannot be answered.
JudgedFigure judge(const Convention& convention, const GuideFigure& figure);
std::vector<JudgedFigure> judge_all(const Convention& convention);

/// Faults of figures whose question cannot be answered or whose stated status is not what the
/// arithmetic says.
void check_guides(const Catalog& catalog, const std::string& directory, Faults& faults);

}  // namespace sizesheet
