// SPDX-License-Identifier: Apache-2.0
// Memory as a published guide counts it.
#pragma once

#include <string>
#include <vector>

#include "evidence/guides.h"

namespace sizesheet {

struct HybridShape;

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

}  // namespace sizesheet
