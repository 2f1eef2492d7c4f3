// SPDX-License-Identifier: Apache-2.0
// Memory as a published guide counts it: parameters times bytes, divided or not by its own rule. GB
// are thousand millions of bytes, as in the guides. This is not the sheet's engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/convention.h"

namespace sizesheet {

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

}  // namespace sizesheet
