// SPDX-License-Identifier: Apache-2.0
#include "sizing/pieces.h"

#include "sizing/loss.h"

namespace sizesheet {

double nf4_bytes(const EngineConstants& constants, bool double_quant) {
  const double block = constants.value("nf4.block");
  if (!double_quant) return 0.5 + 4 / block;
  return 0.5 + (1 / block + 4 / (block * constants.value("nf4.nested_block")));
}

std::int64_t trainable_parameters(const Job& job) {
  if (job.full()) return count_parameters(*job.model).total();
  Job whole = job;
  whole.layout = Layout{};
  const std::vector<Stage> stages = stages_of(whole);
  const Stage& model = stages.front();
  return model.adapters.total() +
         static_cast<std::int64_t>(model.trained_root + model.trained_replicated);
}

double host_bytes(const Job& job, const Stage& stage, const Pieces<double>& pieces) {
  double bytes = pieces.host_activations + pieces.host_moments;
  const double split =
      job.layout.shard == Shard::kNone ? 1.0 : static_cast<double>(job.layout.shard_ranks());
  if (job.layout.offload_optimizer) {
    const double per_parameter = job.state.bf16_moments ? 2 + 4 + 2 : 4 + 8 + 4;
    bytes += trainable_per_rank(job, stage) / split * per_parameter *
             job.constants->value("offload.host_buffer_factor");
  }
  if (job.layout.offload_params) {
    const double parameters = stage.matrix + stage.replicated + stage.root + stage.expert;
    bytes += parameters * (job.full() ? 2 : base_bytes(job)) /
             static_cast<double>(job.layout.shard_ranks()) *
             job.constants->value("offload.host_buffer_factor");
  }
  return bytes;
}

template <typename N>
Pieces<N> step_pieces(const Job& job, const Stage& stage) {
  Pieces<N> pieces;
  add_activations<N>(job, stage, pieces);
  if (stage.last) {
    const LossBytes<N> loss = loss_bytes<N>(job);
    pieces.loss_forward = loss.forward;
    pieces.loss_backward = loss.backward;
    pieces.loss_head = loss.head;
    pieces.loss_left = loss.residual;
    const bool consumed =
        job.loss == kFusedLinear && job.constants->value("loss.fused_left_at_step") == 0;
    if (!consumed) pieces.loss_left_step = loss.residual;
  }
  return pieces;
}

template <typename N>
Pieces<N> memory_pieces(const Job& job, const Stage& stage, const Pieces<N>& step) {
  Pieces<N> pieces = step;
  add_state<N>(job, stage, pieces);
  add_working_set<N>(job, stage, pieces);
  return pieces;
}

template <typename N>
Pieces<N> memory_pieces(const Job& job, const Stage& stage) {
  return memory_pieces<N>(job, stage, step_pieces<N>(job, stage));
}

template Pieces<double> memory_pieces<double>(const Job&, const Stage&);
template Pieces<Traced> memory_pieces<Traced>(const Job&, const Stage&);
template Pieces<double> memory_pieces<double>(const Job&, const Stage&, const Pieces<double>&);
template Pieces<double> step_pieces<double>(const Job&, const Stage&);

}  // namespace sizesheet
