// SPDX-License-Identifier: Apache-2.0
#include "sizing/sublayer_bytes.h"

namespace sizesheet {
namespace {

const char* suffix_of(Sublayer sublayer) {
  constexpr const char* kNames[] = {"attn", "mlp", "moe", "mamba"};
  return kNames[static_cast<int>(sublayer)];
}

/// How many tokens a projection sees for one token of the sequence.
double visits(const Job& job, const Block& block, const Linear& linear) {
  if (!linear.expert) return 1;
  return static_cast<double>(block.moe->experts_per_token) * job.layout.expert_imbalance;
}

bool adapted(const Job& job, const Linear& linear) {
  return linear.expert ? job.adapters.experts != "none"
                       : job.adapters.targets.contains(linear.name);
}

}  // namespace

bool recomputes(const Job& job, const char* module) {
  return job.recompute == Recompute::kModules && job.recompute_modules.contains(module);
}

double residual_bytes(const Job& job) { return job.kbit_prep ? 4 : 2; }

double inner_factor(const Job& job) { return job.kbit_prep && !job.fused_ops ? 2 : 1; }

double saved_input_bytes(const Job& job) {
  return job.precision == Precision::kFp8 ? job.constants->value("fp8.saved_input_bytes") : 2;
}

template <typename N>
N norm_bytes(const Job& job, std::int64_t norms, const N& h) {
  // A sublayer without a norm of its own runs beside its neighbour on the same normalised input.
  if (norms == 0) return 0.0;
  const double count = static_cast<double>(norms);
  // A sublayer without a norm of its own reads another's output, which that norm rebuilds.
  if (recomputes(job, "layernorm")) return residual_bytes(job) * h;
  const N linear_input = job.full() ? saved_input_bytes(job) * h : N(0.0);
  if (job.fused_ops) return count * (residual_bytes(job) * h + 4.0) + linear_input;
  const N weight_input = job.full() ? 2.0 * h : N(0.0);
  return count * (4.0 * h + 4.0 + weight_input) + linear_input;
}

template <typename N>
N adapter_bytes(const Job& job, const BlockScope<N>& scope, const Block& block, Sublayer sublayer,
                const Linears& list, InputGroups saved) {
  if (job.full()) return 0.0;
  const bool shared_input = job.adapter_dtype == AdapterDtype::kBf16 && job.dropout == 0;
  const double width = job.adapter_dtype == AdapterDtype::kFp32 ? 4 : 2;
  const double mask = job.dropout > 0 ? 1 : 0;
  double inputs = 0;
  double outputs = 0;
  double targets = 0;
  for (const Linear& linear : list) {
    if (!adapted(job, linear)) continue;
    const double times = visits(job, block, linear);
    targets += times;
    outputs += times * static_cast<double>(linear.out);
    const bool counts = !shared_input || saved.insert(linear.group);
    if (counts) inputs += times * static_cast<double>(linear.in);
  }
  if (targets == 0) return 0.0;
  const char* suffix = suffix_of(sublayer);
  N bytes = N(width) * scope.in("lora_n_", suffix, targets) *
            input<N>("r", static_cast<double>(job.adapters.rank));
  if (inputs > 0) {
    bytes = N(shared_input ? 2 : width + mask) * scope.in("lora_in_", suffix, inputs) + bytes;
  }
  if (job.adapters.magnitudes) {
    bytes = bytes + input<N>("b_dora", job.constants->value("dora.saved_output_bytes")) *
                        scope.in("lora_out_", suffix, outputs);
  }
  return bytes;
}

template <typename N>
N frozen_input_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                     Sublayer sublayer, const Linears& list) {
  const double width =
      job.base == BaseDtype::kInt8 ? job.constants->value("int8.saved_input_bytes") : 0;
  if (width == 0) return 0.0;
  double inputs = 0;
  InputGroups seen;
  for (const Linear& linear : list) {
    if (linear.name == Projection::kRouter || !seen.insert(linear.group)) continue;
    inputs += visits(job, block, linear) * static_cast<double>(linear.in);
  }
  return width * scope.in("frozen_in_", suffix_of(sublayer), inputs);
}

template double norm_bytes<double>(const Job&, std::int64_t, const double&);
template Traced norm_bytes<Traced>(const Job&, std::int64_t, const Traced&);
template double adapter_bytes<double>(const Job&, const BlockScope<double>&, const Block&, Sublayer,
                                      const Linears&, InputGroups);
template Traced adapter_bytes<Traced>(const Job&, const BlockScope<Traced>&, const Block&, Sublayer,
                                      const Linears&, InputGroups);
template double frozen_input_bytes<double>(const Job&, const BlockScope<double>&, const Block&,
                                           Sublayer, const Linears&);
template Traced frozen_input_bytes<Traced>(const Job&, const BlockScope<Traced>&, const Block&,
                                           Sublayer, const Linears&);

}  // namespace sizesheet
