// SPDX-License-Identifier: Apache-2.0
// Published guides held against their own arithmetic: the quantities that their figures are, and
// memory and parameters as a guide counts them.
#pragma once

#include <string>
#include <vector>

#include "catalog/loader.h"
#include "catalog/published/convention.h"
#include "support/text.h"

namespace sizesheet {

// ---- What a figure is worked out from: one variant of a convention, and the figure's inputs.

inline constexpr double kGigabyte = 1e9;  ///< thousand millions of bytes, as in the guides
inline constexpr double kPercent = 100;
inline constexpr Bounds<double> kNotNegative{0};
inline constexpr Bounds<double> kAtLeastOne{1};

/// Missing inputs are recorded as faults; InputError where the convention has no such rule.
struct GuideInputs {
  const ConventionRules& rules;
  ObjectReader& inputs;

  double number(const std::string& key, Bounds<double> bounds = {}) const {
    return inputs.number(key, bounds);
  }
  /// At least 1, which it is where nothing is given.
  double degree(const std::string& key) const { return inputs.number_or(key, 1, kAtLeastOne); }
  /// A list, or one number as a list of one.
  std::vector<double> numbers(const std::string& key) const;
  double sum(const std::string& key) const;

  double constant(const std::string& name) const;  ///< the low end of a range
  const std::string& rule(const std::string& name) const;
  const HybridShape& hybrid() const;
};

const GuideConstant& constant_of(const ConventionRules& rules, const std::string& name);

/// One of a closed set of named functions of a convention and a figure's inputs; there are no
/// formulas in the data. Throws InputError for a name out of the set.
GuideValue guide_quantity(const std::string& name, const GuideInputs& inputs);

// ---- Memory as a published guide counts it: parameters times bytes, divided or not by its own
// rule. This is not the sheet's engine.

/// A figure that may be a range.
struct GuideRange {
  double low = 0;
  double high = 0;
};

/// One fine-tuning job as the guides describe theirs; what a rule does not ask for stays unread.
struct GuideJob : GuideInputs {
  std::string method;  ///< full | lora | qlora
  double stage = 0;    ///< of ZeRO
};

/// The job that the inputs describe; "method" defaults to full, "stage" to 0.
GuideJob job_of(const GuideInputs& inputs);

/// The sum of these terms: weights, scratch, adapters, gradients, optimizer, optimizer-8bit,
/// master, adapter-state, overhead, activations, activations-by-shape, activations-given.
GuideRange guide_memory_gb(const GuideJob& job, const std::vector<std::string>& terms);

/// Parameters of the whole model, thousand millions.
double guide_parameters_bn(const GuideJob& job);
/// Adapter parameters of the whole model, thousand millions.
double guide_adapters_bn(const GuideJob& job);
/// Bytes a token keeps on one GPU under a per-token rule, GB for the job's sequences.
double guide_activations_gb(const GuideJob& job);

/// routed, shared, mamba, attention, embeddings, misc, nonexpert, total.
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

/// Throws InputError naming the figure when its question cannot be answered.
JudgedFigure judge(const Convention& convention, const GuideFigure& figure);
std::vector<JudgedFigure> judge_all(const Convention& convention);

/// Faults of figures whose question cannot be answered or whose stated status is not what the
/// arithmetic says.
void check_guides(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

}  // namespace sizesheet
