// SPDX-License-Identifier: Apache-2.0
// Feed-forward sublayers: the plain MLP, and routed experts with their shared one.
#include <algorithm>

#include "sizing/sublayer_bytes.h"

namespace sizesheet {
namespace {

/// Bytes per element of the inner width: gate, up and silu(gate) (fused: gate and up), or the input
/// of an ungated activation; and the product when the last projection trains.
double inner_bytes(const Job& job, bool gated) {
  const double trained_input = job.full() ? saved_input_bytes(job) : 0;
  if (!gated) return 2 + trained_input;
  return (job.fused_ops ? 4 : 6) + trained_input;
}

bool has_adapters(const Job& job, const Linears& list) {
  return std::any_of(list.begin(), list.end(), [&](const Linear& linear) {
    return job.adapters.targets.contains(linear.name);
  });
}

/// Eager norms whose weights were cast to fp32 hand fp32 to the experts too.
double routed_factor(const Job& job) {
  return job.constants->value("kbit.widens_experts") != 0 ? inner_factor(job) : 1;
}

/// One token's share of the routed experts, in the rank it is sent to.
template <typename N>
N routed_bytes(const Job& job, const BlockScope<N>& scope, const Moe& moe) {
  const N k = scope.in("k", static_cast<double>(moe.experts_per_token)) *
              input<N>("imbalance", job.layout.expert_imbalance);
  const N width = moe.latent_size > 0 ? scope.in("latent", moe.latent_size)
                                      : input<N>("h", static_cast<double>(job.model->hidden));
  const N inner = scope.in("f_expert", moe.expert_width);
  const N permuted = job.full() ? saved_input_bytes(job) * width : N(0.0);
  // The activation's output is rebuilt from its input, so only the latter stays.
  const double per_element = recomputes(job, "moe_act") && job.full() ? (moe.gated ? 4.0 : 2.0)
                                                                      : inner_bytes(job, moe.gated);
  return k * (permuted + routed_factor(job) * (per_element * inner + 2.0 * width));
}

/// Of the temporaries of all routed tokens, those alive at once: eager experts run one by one,
/// grouped products take all of a rank's together.
template <typename N>
N at_once(const Job& job, const BlockScope<N>& scope, const Moe& moe, const N& routed) {
  if (job.fused_ops || job.constants->value("experts.eager_loop") == 0) return routed;
  return routed * input<N>("ep", static_cast<double>(job.layout.ep)) /
         scope.in("E", static_cast<double>(moe.experts));
}

}  // namespace

template <typename N>
SublayerBytes<N> mlp_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms) {
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N f = scope.in("f", block.mlp->width);
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = inner_factor(job) * inner_bytes(job, block.mlp->gated) * f;
  bytes.transient = 4.0 * h + 4.0 * inner_factor(job) * f;
  const auto list = linears(*job.model, block, Sublayer::kMlp);
  if (!job.full()) {
    // An fp32 adapter outside autocast casts and drops out the input of what it adapts.
    const bool wide = job.adapter_dtype == AdapterDtype::kFp32 && has_adapters(job, list);
    bytes.transient = larger(bytes.transient, (wide ? 12.0 : 6.0) * f);
  }
  if (recomputes(job, "mlp")) {
    bytes.dropped_split = bytes.split;
    bytes.dropped_replicated = bytes.replicated - residual_bytes(job) * h;
  }
  bytes.split = bytes.split + adapter_bytes(job, scope, block, Sublayer::kMlp, list, {}) +
                frozen_input_bytes(job, scope, block, Sublayer::kMlp, list);
  return bytes;
}

template <typename N>
SublayerBytes<N> moe_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms) {
  const Moe& moe = *block.moe;
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = routed_bytes(job, scope, moe) + 8.0 * scope.in("E", moe.experts);
  if (moe.shared_width > 0) {
    bytes.split =
        bytes.split + inner_bytes(job, moe.gated) * scope.in("f_shared", moe.shared_width);
  }
  if (moe.latent_size > 0) bytes.split = bytes.split + 4.0 * scope.in("latent", moe.latent_size);
  const N k = scope.in("k", static_cast<double>(moe.experts_per_token)) *
              input<N>("imbalance", job.layout.expert_imbalance);
  const N width = moe.latent_size > 0 ? scope.in("latent", moe.latent_size) : h;
  const N routed =
      routed_factor(job) * k * (4.0 * width + 4.0 * scope.in("f_expert", moe.expert_width));
  bytes.transient = 4.0 * h + at_once<N>(job, scope, moe, routed);
  if (recomputes(job, "moe")) {
    bytes.dropped_split = bytes.split;
    bytes.dropped_replicated = bytes.replicated - residual_bytes(job) * h;
  }
  const auto list = linears(*job.model, block, Sublayer::kMoe);
  InputGroups saved;
  if (job.full()) saved = {InputGroup::kBlock};
  bytes.split = bytes.split + adapter_bytes(job, scope, block, Sublayer::kMoe, list, saved) +
                frozen_input_bytes(job, scope, block, Sublayer::kMoe, list);
  return bytes;
}

template SublayerBytes<double> mlp_bytes(const Job&, const BlockScope<double>&, const Block&,
                                         std::int64_t);
template SublayerBytes<Traced> mlp_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                         std::int64_t);
template SublayerBytes<double> moe_bytes(const Job&, const BlockScope<double>&, const Block&,
                                         std::int64_t);
template SublayerBytes<Traced> moe_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                         std::int64_t);

}  // namespace sizesheet
