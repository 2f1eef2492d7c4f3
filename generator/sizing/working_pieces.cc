// SPDX-License-Identifier: Apache-2.0
// What sharding gathers, what quantised weights are unpacked into, and communication buckets.
#include <algorithm>

#include "sizing/pieces.h"

namespace sizesheet {
namespace {

/// Bytes per gathered parameter: packed for a quantised base, else the compute dtype.
double gathered_width(const Job& job, bool expert) {
  if (!job.quantised()) return 2;
  return expert ? expert_base_bytes(job) : base_bytes(job);
}

/// One block as FSDP gathers it; experts only where they are sharded at all.
template <typename N>
N unit_bytes(const Job& job, const StageKind& kind) {
  const N dense =
      input<N>("P_unit", static_cast<double>(kind.split.matrix)) / tensor_parallel<N>(job) +
      input<N>("P_unit_norms", static_cast<double>(kind.split.replicated));
  N bytes = dense * input<N>("b_gathered", gathered_width(job, false));
  if (kind.split.expert > 0 && job.layout.expert_shard_ranks() > 1) {
    bytes = bytes + input<N>("P_unit_experts", static_cast<double>(kind.split.expert)) /
                        expert_split<N>(job) *
                        input<N>("b_gathered_experts", gathered_width(job, true));
  }
  return bytes;
}

const StageKind& widest_unit(const Job& job, const Stage& stage) {
  return *std::max_element(stage.kinds.begin(), stage.kinds.end(),
                           [&](const StageKind& a, const StageKind& b) {
                             return unit_bytes<double>(job, a) < unit_bytes<double>(job, b);
                           });
}

/// FSDP reduces the root's gradient when the embedding's has arrived, after the last block. While
/// blocks run backward the head's alone is there, unsharded.
template <typename N>
void add_root_gradients(const Job& job, double gathered, const N& one, Pieces<N>& pieces) {
  if (job.constants->value("fsdp.root_gradient_waits") == 0) {
    pieces.root_gradients = gathered * one * 2.0;
    return;
  }
  pieces.root_gradients = one * 2.0;
  pieces.root_gradients_late = (gathered - 1.0) * one * 2.0;
  pieces.head_gradient_left = 0.0;
  if (job.optimizer_in_backward || job.layout.offload_optimizer) return;
  pieces.root_shard = gathered * one * input<N>("b_gradient", job.state.gradient) /
                      input<N>("S", static_cast<double>(job.layout.shard_ranks()));
}

/// Embedding and head: gathered for good, or the head for the loss only.
template <typename N>
void add_root(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  if (stage.root_matrices == 0) return;
  const double width = job.quantised() && job.kbit_prep ? 4 : 2;
  const double gathered =
      std::min(static_cast<double>(job.layout.root_gathered), stage.root_matrices);
  const N one =
      input<N>("P_root_matrix", stage.root / stage.root_matrices) / tensor_parallel<N>(job);
  if (gathered > 0) {
    pieces.root = gathered * one * width;
  } else if (stage.last) {
    pieces.head_gather = stage.root_matrices * one * width;
  }
  if (job.full() && gathered > 0) add_root_gradients<N>(job, gathered, one, pieces);
}

/// DeepSpeed's ZeRO-3 gathers and releases parameter by parameter and keeps up to a fixed number
/// alive; nothing stays gathered for the whole step.
template <typename N>
void add_live_parameters(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const double all = stage.matrix + stage.replicated + stage.root + stage.expert;
  const N live = smaller(input<N>("live_parameters", job.state.live_parameters),
                         input<N>("P_all", all) / tensor_parallel<N>(job)) *
                 input<N>("b_gathered", gathered_width(job, false));
  pieces.gathered = larger(pieces.unit, live);
  pieces.gathered_last = pieces.gathered;
  pieces.head_gather = pieces.gathered;
  if (job.full()) pieces.unsharded_gradients = pieces.unit;
}

}  // namespace

template <typename N>
void add_working_set(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const Layout& layout = job.layout;
  if (layout.bucket_elements > 0) {
    pieces.buckets = input<N>("bucket_elements", layout.bucket_elements) *
                     input<N>("b_bucket", job.constants->value("bucket.bytes_per_element"));
  }
  if (job.quantised()) {
    pieces.dequantised =
        2.0 * input<N>("largest_matrix", stage.largest_matrix) / tensor_parallel<N>(job);
  }
  if (layout.shard != Shard::kZero3 || layout.shard_ranks() <= 1) return;
  pieces.unit = step<N>("unit", unit_bytes<N>(job, widest_unit(job, stage)));
  if (job.constants->value("loss.unit_gathered") != 0) pieces.loss_unit = pieces.unit;
  if (job.state.live_parameters > 0) return add_live_parameters<N>(job, stage, pieces);
  pieces.gathered = input<N>("gather_units", layout.gather_units) * pieces.unit;
  const double at_last = job.constants->value("end_backward.gather_units");
  pieces.gathered_last =
      input<N>("gather_units_last", std::min(layout.gather_units, at_last)) * pieces.unit;
  if (job.full()) {
    pieces.unsharded_gradients = pieces.unit + (layout.reduce_fp32 ? 2.0 : 1.0) * pieces.unit;
  }
  add_root<N>(job, stage, pieces);
}

template void add_working_set<double>(const Job&, const Stage&, Pieces<double>&);
template void add_working_set<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
