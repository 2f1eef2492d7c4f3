// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/adapted_base.h"

#include <algorithm>
#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "support/trace.h"

namespace sizesheet {

AdapterState adapter_state(const Job& job) {
  Job alone = job;
  alone.layout = Layout{};
  alone.paged_bytes = 0;
  const auto pieces = memory_pieces<double>(alone, stages_of(alone).front());
  return {std::llround(pieces.adapters), std::llround(pieces.gradients),
          std::llround(pieces.master + pieces.moments)};
}

namespace {

double packed_bytes(const Job& job) {
  const EngineConstants& constants = *job.constants;
  switch (job.base) {
    case BaseDtype::kTrained:
      return job.state.weight;
    case BaseDtype::kBf16:
    case BaseDtype::kFp16:
      return 2;
    case BaseDtype::kFp32:
      return 4;
    case BaseDtype::kInt8:
    case BaseDtype::kFp8:
      return 1;
    case BaseDtype::kNf4:
      return nf4_bytes(constants, job.double_quant);
    case BaseDtype::kMxfp4:
      return scaled_bytes(0.5, 1, constants.value("mx.block"));
    case BaseDtype::kNvfp4:
      return scaled_bytes(0.5, 1, constants.value("nvfp4.block"));
  }
  return 2;
}

/// Rounded copies are saved for backward, in layers that are not recomputed until it comes to them;
/// a block that is recomputed brings back its own.
template <typename N>
void add_rounded_copies(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const N again = input<N>("recomputed", job.repeated_share());
  const N tp = tensor_parallel<N>(job);
  pieces.autocast_cache =
      pieces.autocast_cache +
      (1.0 - again) * 2.0 * input<N>("P_rounded", stage.matrix - stage.matrix_bias) / tp;
  if (!job.repeats_forward()) return;
  pieces.dequantised = 2.0 * input<N>("P_block", largest_of(stage, &SplitCounts::matrix)) / tp;
}

}  // namespace

double nf4_bytes(const EngineConstants& constants, bool double_quant) {
  const double block = constants.value("nf4.block");
  if (!double_quant) return scaled_bytes(0.5, 4, block);
  return 0.5 + (1 / block + 4 / (block * constants.value("nf4.nested_block")));
}

double base_bytes(const Job& job) { return job.experts_alone_packed() ? 2 : packed_bytes(job); }

double expert_base_bytes(const Job& job) {
  if (!job.quantised() || job.quantize_experts) return packed_bytes(job);
  // PEFT casts every frozen parameter that is not 4-bit (src/peft/utils/other.py#L204 @5d602fdb).
  return job.kbit_prep ? 4 : 2;
}

template <typename N>
void add_unpacked(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  if (job.fake_quantised) return add_rounded_copies<N>(job, stage, pieces);
  if (!job.quantised()) return;
  if (job.experts_alone_packed()) {
    // The experts of a layer are one tensor.
    pieces.dequantised = 2.0 *
                         input<N>("P_experts_layer", largest_of(stage, &SplitCounts::expert)) /
                         expert_split<N>(job);
    return;
  }
  pieces.dequantised =
      2.0 * input<N>("largest_matrix", stage.largest_matrix) / tensor_parallel<N>(job);
  const bool together = !job.looped_experts && job.quantize_experts && stage.expert > 0 &&
                        job.constants->value("experts.unpacked_together") != 0;
  if (!together) return;
  // A layer's experts are one 3-D parameter, which is unpacked whole.
  pieces.dequantised =
      larger(pieces.dequantised,
             2.0 * input<N>("P_experts_layer", largest_of(stage, &SplitCounts::expert)) /
                 expert_split<N>(job));
}

template void add_unpacked<double>(const Job&, const Stage&, Pieces<double>&);

template void add_unpacked<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
