// SPDX-License-Identifier: Apache-2.0
// Activations of one stage: what is kept from forward, the block that is rebuilt, temporaries.
#include "sizing/block_activations.h"
#include "sizing/pieces.h"
#include "sizing/sublayer_bytes.h"

namespace sizesheet {
namespace {

/// What an offloading hook leaves on the GPU: the two widest blocks in flight.
template <typename N>
void offload_kept(const Job& job, const N& widest_kept, N& kept, Pieces<N>& pieces, const N& t) {
  if (!job.activation_offload) return;
  const N stays = smaller(kept, 2.0 * widest_kept);
  pieces.host_activations = (kept - stays) * t;
  kept = stays;
}

/// DoRA builds the whole product of its two factors to take the norm of the updated weight.
template <typename N>
N magnitude_workspace(const Job& job, const Stage& stage) {
  if (!job.adapters.magnitudes || job.full()) return 0.0;
  double largest = 0;
  for (const StageKind& kind : stage.kinds) {
    for (const Linear& linear : linears(*job.model, kind.block)) {
      if (linear.expert || !job.adapters.targets.contains(linear.name)) continue;
      const double in = static_cast<double>(linear.in);
      largest = std::max(largest, in * in + 2 * in * static_cast<double>(linear.out));
    }
  }
  const double width = job.adapter_dtype == AdapterDtype::kBf16 ? 2 : 4;
  return width * input<N>("dora_elements", largest) / tensor_parallel<N>(job);
}

}  // namespace

template <typename N>
void add_activations(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const N t = input<N>("t", job.tokens_per_rank());
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N sp = input<N>("sp", sequence_split(job));
  N kept = 0.0;
  N widest_kept = 0.0;
  N widest = 0.0;
  N temporaries = 0.0;
  int number = 0;
  for (const StageKind& kind : stage.kinds) {
    const BlockActivations<N> block = block_activations<N>(job, kind.block, number);
    const BlockScope<N> scope(number);
    kept = kept + scope.in("L", kind.count) * block.kept;
    widest_kept = number == 0 ? block.kept : larger(widest_kept, block.kept);
    widest = number == 0 ? block.rebuilt : larger(widest, block.rebuilt);
    temporaries = number == 0 ? block.transient : larger(temporaries, block.transient);
    ++number;
  }
  if (stage.in_flight != 1) kept = kept * input<N>("in_flight", stage.in_flight);
  offload_kept<N>(job, widest_kept, kept, pieces, t);
  if (stage.first && job.constants->value("activation.embedding_output") != 0) {
    kept = kept + checkpoint_bytes<N>(job);
  }
  if (job.layout.fsdp_reentrant) {
    // The last block's is not there yet, and the first one's is in the block's own working set.
    std::int64_t others = -2;
    for (const StageKind& kind : stage.kinds) others += kind.count;
    others = std::max<std::int64_t>(0, others);
    pieces.held = input<N>("L_held", static_cast<double>(others)) * checkpoint_bytes<N>(job) * t;
  }
  // The final norm keeps its fp32 input when ops are eager; the head keeps its own input.
  if (stage.last) kept = kept + (job.fused_ops ? 4.0 : 6.0) * h / sp;
  pieces.kept = kept * t;
  pieces.temporaries = temporaries * t + magnitude_workspace<N>(job, stage);
  if (job.recompute != Recompute::kNone) pieces.block = widest * t;
}

template void add_activations<double>(const Job&, const Stage&, Pieces<double>&);
template void add_activations<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
