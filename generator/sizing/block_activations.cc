// SPDX-License-Identifier: Apache-2.0
#include "sizing/block_activations.h"

namespace sizesheet {
namespace {

/// What one sublayer keeps, split by how tensor parallelism divides it.
template <typename N>
struct SublayerBytes {
  N replicated = 0.0;  ///< norms and residuals: divided with sequence parallelism only
  N split = 0.0;       ///< divided by tp
  N transient = 0.0;
  N dropped = 0.0;  ///< rebuilt instead of kept under module recompute
};

bool recomputes(const Job& job, const char* module) {
  return job.recompute == Recompute::kModules && job.recompute_modules.contains(module);
}

double residual_bytes(const Job& job) { return job.kbit_prep ? 4 : 2; }

/// Linear4bit hands its output back in the input's dtype, so fp32 inputs double what follows them.
double inner_factor(const Job& job) { return job.kbit_prep && !job.fused_ops ? 2 : 1; }

template <typename N>
N norm_bytes(const Job& job, std::int64_t norms, const N& h) {
  const double count = static_cast<double>(norms);
  if (recomputes(job, "layernorm")) return residual_bytes(job) * h;
  const N linear_input = job.full() ? 2.0 * h : N(0.0);
  if (job.fused_ops) return count * (residual_bytes(job) * h + 4.0) + linear_input;
  const N weight_input = job.full() ? 2.0 * h : N(0.0);
  return count * (4.0 * h + 4.0 + weight_input) + linear_input;
}

template <typename N>
N adapter_bytes(const Job& job, const BlockScope<N>& scope, const std::vector<Linear>& list,
                std::set<InputGroup> saved) {
  if (job.full()) return 0.0;
  const bool shared_input = job.adapter_dtype == AdapterDtype::kBf16 && job.dropout == 0;
  const double width = job.adapter_dtype == AdapterDtype::kFp32 ? 4 : 2;
  const double mask = job.dropout > 0 ? 1 : 0;
  double shared = 0;
  double own = 0;
  double targets = 0;
  for (const Linear& linear : list) {
    if (linear.expert || !job.adapters.targets.contains(linear.name)) continue;
    ++targets;
    if (!shared_input) own += static_cast<double>(linear.in);
    if (shared_input && saved.insert(linear.group).second) shared += static_cast<double>(linear.in);
  }
  if (targets == 0) return 0.0;
  const bool attention = list.front().name == "q_proj" || list.front().name == "q_a_proj";
  const char* in_name = attention ? "lora_in_attn" : "lora_in_mlp";
  const N inputs =
      shared_input ? N(2.0) * scope.in(in_name, shared) : N(width + mask) * scope.in(in_name, own);
  const N ranks = N(width) * scope.in(attention ? "lora_n_attn" : "lora_n_mlp", targets) *
                  input<N>("r", static_cast<double>(job.adapters.rank));
  return (shared_input && shared == 0 ? N(0.0) : inputs) + ranks;
}

template <typename N>
SublayerBytes<N> attention_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                                 std::int64_t norms) {
  const Attention& attention = *block.attention;
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N a = scope.in("a", attention.heads);
  const N q = scope.in("q", attention.heads * attention.head_dim);
  const N kv_heads = scope.in("kv", attention.kv_heads * attention.head_dim);
  const N kv = job.attention == AttentionKernel::kFlashRepeatKv ? q : kv_heads;
  const N tensors = q + kv + kv + q;
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = inner_factor(job) * 2.0 * tensors + 4.0 * a;
  if (attention.qk_norm != "none") {
    bytes.split = bytes.split + (job.fused_ops ? 2.0 : 4.0) * (q + kv_heads);
  }
  bytes.transient = 4.0 * h + 2.0 * tensors;
  if (job.attention == AttentionKernel::kEager) {
    const N s = input<N>("s", static_cast<double>(job.seq_len));
    bytes.split = bytes.split + 6.0 * a * s;
    bytes.transient = bytes.transient + 8.0 * a * s;
  }
  std::set<InputGroup> saved{InputGroup::kAttentionOut};
  const auto list = linears(*job.model, block, Sublayer::kAttention);
  bytes.split = bytes.split + adapter_bytes(job, scope, list, saved);
  return bytes;
}

/// gate, up and silu(gate) (fused: gate and up), and the product when down_proj trains.
double mlp_bytes_per_width(const Job& job, const Mlp& mlp) {
  const double trained_input = job.full() ? 2 : 0;
  if (!mlp.gated) return 2 + trained_input;
  return (job.fused_ops ? 4 : 6) + trained_input;
}

template <typename N>
SublayerBytes<N> mlp_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms) {
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N f = scope.in("f", block.mlp->width);
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = inner_factor(job) * mlp_bytes_per_width(job, *block.mlp) * f;
  bytes.transient = 4.0 * h + 4.0 * inner_factor(job) * f;
  if (!job.full()) {
    const double lora_forward = job.adapter_dtype == AdapterDtype::kFp32 ? 12 : 6;
    bytes.transient = larger(bytes.transient, lora_forward * f);
  }
  if (recomputes(job, "mlp")) {
    bytes.dropped = bytes.split + bytes.replicated - residual_bytes(job) * h;
  }
  const auto list = linears(*job.model, block, Sublayer::kMlp);
  bytes.split = bytes.split + adapter_bytes(job, scope, list, {});
  return bytes;
}

/// Selective recompute keeps the block input, the attention output and every other matmul output.
template <typename N>
N selective_bytes(const Job& job, const BlockScope<N>& scope, const Block& block) {
  double outputs = 0;
  std::size_t index = 0;
  bool attention_kept = false;
  for (const Linear& linear : linears(*job.model, block)) {
    if (index++ % 2 != 0) continue;
    outputs += static_cast<double>(linear.out);
    attention_kept = attention_kept || linear.name == "q_proj";
  }
  N split = 2.0 * scope.in("kept_out", outputs);
  if (attention_kept) {
    split = split + 2.0 * scope.in("q", block.attention->heads * block.attention->head_dim) +
            4.0 * scope.in("a", block.attention->heads);
  }
  return checkpoint_bytes<N>(job) + split / input<N>("tp", static_cast<double>(job.layout.tp));
}

}  // namespace

double sequence_split(const Job& job) {
  const bool split = job.layout.sequence_parallel || job.layout.tp == 1;
  return split ? static_cast<double>(job.layout.tp) : 1.0;
}

template <typename N>
N checkpoint_bytes(const Job& job) {
  return residual_bytes(job) * input<N>("h", static_cast<double>(job.model->hidden)) /
         input<N>("sp", sequence_split(job));
}

template <typename N>
BlockActivations<N> block_activations(const Job& job, const Block& block, int kind) {
  const BlockScope<N> scope(kind);
  const N tp = input<N>("tp", static_cast<double>(job.layout.tp));
  const N sp = input<N>("sp", sequence_split(job));
  const bool both = block.attention && block.mlp;
  const std::int64_t attention_norms = both ? (block.norms + 1) / 2 : block.norms;
  BlockActivations<N> total;
  const auto add = [&](const char* name, const SublayerBytes<N>& bytes) {
    const N saved = scope.named_step(name, bytes.replicated / sp + bytes.split / tp);
    total.saved = total.saved + saved;
    total.kept = total.kept + saved - bytes.dropped / tp;
    const N transient = bytes.transient / tp;
    total.transient =
        value_of(total.transient) == 0 ? transient : larger(total.transient, transient);
  };
  if (block.attention) add("saved_attention", attention_bytes(job, scope, block, attention_norms));
  if (block.mlp) {
    add("saved_mlp", mlp_bytes(job, scope, block, both ? block.norms / 2 : block.norms));
  }
  if (job.recompute == Recompute::kFull) total.kept = checkpoint_bytes<N>(job);
  if (job.recompute == Recompute::kSelective) total.kept = selective_bytes(job, scope, block);
  return total;
}

template BlockActivations<double> block_activations<double>(const Job&, const Block&, int);
template BlockActivations<Traced> block_activations<Traced>(const Job&, const Block&, int);
template double checkpoint_bytes<double>(const Job&);
template Traced checkpoint_bytes<Traced>(const Job&);

}  // namespace sizesheet
