// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/generation.h"

#include <algorithm>
#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/mixers.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/working_pieces.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

// Short enough for a table cell; the engine constants carry the whole citations.
constexpr const char* kWeightSource = "vllm/model_executor/model_loader/ (16 bits, bitsandbytes)";
constexpr const char* kCacheSource = "vllm/v1/kv_cache_interface.py @001cabc1";
constexpr const char* kWorkspaceSource = "vLLM profiling run; pull request 10511";
constexpr const char* kGraphSource = "vLLM pull requests 11349 and 39559";
constexpr const char* kFractionSource = "vllm/v1/worker/gpu_worker.py @0012cf69";

/// The model as one engine's rank sees it: tensor parallelism alone, no pipeline.
Stage engine_stage(const Job& job) {
  Job engine = job;
  engine.layout = Layout{};
  engine.layout.tp = job.grpo->generation_tp;
  return stages_of(engine).front();
}

/// What an engine holds on one GPU.
template <typename N>
struct Engine {
  explicit Engine(const Job& of) : job(of), stage(engine_stage(of)) {}

  N constant(ConstantName name) const {
    const std::string_view id = kEngineNames[name.index()].id;
    return input<N>(id.substr(id.find('.') + 1), job.constants->value(name));
  }

  N ranks() const { return input<N>("tp", as_double(job.grpo->generation_tp)); }

  /// Adapters are merged before the weights are handed over, so they take nothing of their own.
  /// vLLM unpacks the nested scales of an NF4 base as it loads it.
  N weights() const {
    const N tp = ranks();
    const N replicated = input<N>("P_norms", stage.replicated);
    N matrices = input<N>("P_matrices", stage.matrix - stage.matrix_bias);
    N wide = input<N>("P_root", stage.root) + input<N>("P_biases", stage.matrix_bias);
    const N experts = input<N>("P_experts", stage.expert);
    if (stage.expert > 0 && job.quantize_experts) matrices = matrices + experts;
    if (stage.expert > 0 && !job.quantize_experts) wide = wide + experts;
    if (!job.grpo->nf4_weights) return 2.0 * ((matrices + wide) / tp + replicated);
    const N width = input<N>("b_nf4", nf4_bytes(*job.constants, false));
    return (matrices * width + 2.0 * wide) / tp + 2.0 * replicated;
  }

  /// Latent attention caches one compressed vector a token, whole on every rank; otherwise a key
  /// and a value for each of the rank's heads (repeated where ranks outnumber heads).
  N cached_values(const BlockScope<N>& scope) const {
    const Attention& attention = *scope.block.attention;
    if (attention.latent) {
      return scope.in("kv_rank", attention.latent->kv_rank) +
             scope.in("rope_dim", attention.latent->rope_dim);
    }
    if (attention.shares_kv) return 0.0;
    if (attention.value_dim > 0) {
      return scope.in("kv_heads", attention.kv_heads) / ranks() *
             (scope.in("head_dim", attention.head_dim) +
              scope.in("value_dim", attention.value_dim));
    }
    return 2.0 * scope.in("kv_heads", attention.kv_heads) / ranks() *
           scope.in("head_dim", attention.head_dim);
  }

  /// The matrix of every value head, and the last taps of the convolution.
  N delta_state(const BlockScope<N>& scope) const {
    const LinearAttention& linear = *scope.block.linear;
    const N values = scope.in("values_d", linear.value_width());
    const N convolved = 2.0 * scope.in("keys_d", linear.key_width()) + values;
    return (2.0 * convolved * scope.in("taps_d", linear.conv_kernel - 1) +
            values * scope.in("key_dim_d", linear.key_dim) *
                constant("generation.ssm_state_bytes")) /
           ranks();
  }

  N scan_state(const BlockScope<N>& scope) const {
    const Mamba& mamba = *scope.block.mamba;
    const N inner = scope.in("heads_m", mamba.heads) * scope.in("head_dim_m", mamba.head_dim);
    const N states = scope.in("state_m", mamba.state);
    const N convolved = inner + 2.0 * scope.in("groups_m", mamba.groups) * states;
    return (2.0 * convolved * scope.in("taps_m", mamba.conv_kernel - 1) +
            inner * states * constant("generation.ssm_state_bytes")) /
           ranks();
  }

  struct Cached {
    N values = 0.0;  ///< a token
    N states = 0.0;  ///< bytes a sequence, whatever its length
  };

  /// Windows are not counted: a layer that looks back less far is given blocks for every token.
  Cached cached() const {
    Cached all;
    for (std::size_t kind = 0; kind < stage.kinds.size(); ++kind) {
      const StageKind& blocks = stage.kinds[kind];
      const BlockScope<N> scope(job, blocks.block, static_cast<int>(kind));
      const N layers = scope.in("layers", blocks.count);
      if (blocks.block.attention) all.values = all.values + layers * cached_values(scope);
      if (blocks.block.mamba) all.states = all.states + layers * scan_state(scope);
      if (blocks.block.linear) all.states = all.states + layers * delta_state(scope);
      if (blocks.block.convolution) {
        all.states = all.states + layers * 2.0 * hidden_size<N>(job) *
                                      scope.in("taps_c", blocks.block.convolution->kernel - 1);
      }
    }
    return all;
  }

  N sequence() const {
    const GrpoSpec& grpo = *job.grpo;
    const N block = constant("generation.block_tokens");
    const N length = input<N>("prompt", as_double(grpo.prompt_length)) +
                     input<N>("completion", as_double(grpo.completion_length));
    const N tokens = step<N>("cached_tokens", ceiling(length / block) * block);
    const Cached each = cached();
    if (value_of(each.values) == 0) return each.states;
    return each.values * input<N>("b_kv", grpo.kv_bytes) * tokens + each.states;
  }

  /// Values per token that attention holds at once: queries, keys, values, its output.
  N attention_values(const BlockScope<N>& scope) const {
    const Attention& attention = *scope.block.attention;
    const N heads = scope.in("heads", attention.heads);
    if (!attention.latent) {
      return (2.0 * heads + 2.0 * scope.in("kv_heads", attention.kv_heads)) *
             scope.in("head_dim", attention.head_dim);
    }
    return heads * (scope.in("nope_dim", attention.latent->nope_dim) +
                    scope.in("rope_dim", attention.latent->rope_dim) +
                    2.0 * scope.in("value_dim", attention.latent->value_dim));
  }

  /// Values per token that the widest part of a block holds at once on one rank.
  N block_values(const BlockScope<N>& scope, const N& h) const {
    const Block& block = scope.block;
    const N tp = ranks();
    N most = 0.0;
    const auto add = [&](const N& wide) { most = value_of(most) > 0 ? larger(most, wide) : wide; };
    if (block.attention) add(attention_values(scope) / tp);
    if (block.mlp) {
      add((block.mlp->gated ? 3.0 : 2.0) * scope.in("f", block.mlp->width) / tp);
    }
    if (block.moe) {
      const Moe& moe = *block.moe;
      const N width = scope.in("f_e", moe.expert_width) / tp;
      const N outer = moe.latent_size > 0 ? scope.in("h_e", moe.latent_size) : h;
      add(scope.in("top_k", moe.experts_per_token) *
          (larger((moe.gated ? 2.0 : 1.0) * width, outer) + width));
    }
    if (block.mamba) {
      const Mamba& mamba = *block.mamba;
      const N inner = scope.in("heads_m", mamba.heads) * scope.in("head_dim_m", mamba.head_dim);
      const N states = scope.in("groups_m", mamba.groups) * scope.in("state_m", mamba.state);
      add((4.0 * inner + 4.0 * states) / tp);
    }
    if (block.linear) {
      add((4.0 * scope.in("keys_d", block.linear->key_width()) +
           4.0 * scope.in("values_d", block.linear->value_width())) /
          tp);
    }
    if (block.convolution) add(5.0 * h);
    return most;
  }

  /// The larger of a full prefill chunk and of sampling from every sequence at once.
  N workspace() const {
    const GrpoSpec& grpo = *job.grpo;
    const N chunk = constant(grpo.colocated() ? ConstantName("generation.colocated_chunk_tokens")
                                              : ConstantName("generation.server_chunk_tokens"));
    const N h = hidden_size<N>(job);
    N most = 0.0;
    for (std::size_t kind = 0; kind < stage.kinds.size(); ++kind) {
      const BlockScope<N> scope(job, stage.kinds[kind].block, static_cast<int>(kind));
      const N values = block_values(scope, h);
      most = kind == 0 ? values : larger(most, values);
    }
    const N forward = step<N>("forward", 2.0 * chunk * (2.0 * h + most));
    const N sampling = step<N>(
        "sampling", 2.0 * chunk * h + input<N>("sequences", as_double(grpo.max_concurrent)) *
                                          input<N>("V", as_double(job.model->vocab)) *
                                          constant("generation.sampler_bytes"));
    return larger(forward, sampling);
  }

  N graphs() const {
    return job.grpo->eager_generation ? N(0.0) : constant("generation.cuda_graph_gib") * N(kGiB);
  }

  /// A colocated engine lives in the trainer's process and shares its context.
  N overhead() const {
    const N gib = kGiB;
    N bytes = constant("generation.library_gib") * gib;
    if (job.grpo->generation_tp > 1) {
      bytes = bytes + input<N>("communicator_gib", job.overheads.communicator_gib) * gib;
    }
    if (job.grpo->colocated()) return bytes;
    return bytes + input<N>("context_gib", job.overheads.context_gib) * gib;
  }

  /// The fraction counts what the process adds to its context, so a server's context comes on top.
  N cache(const GenerationBill& bill, std::int64_t capacity) const {
    N room = input<N>("memory_fraction", job.grpo->memory_fraction) *
             input<N>("capacity", as_double(capacity));
    if (!job.grpo->colocated()) {
      room = room + input<N>("context_gib", job.overheads.context_gib) * N(kGiB);
    }
    return room - input<N>("weights", as_double(bill.weights)) -
           input<N>("workspace", as_double(bill.workspace)) -
           input<N>("cuda_graphs", as_double(bill.cuda_graphs)) -
           input<N>("overhead", as_double(bill.overhead));
  }

  const Job& job;
  const Stage stage;
};

/// Everything but the cache, which alone depends on the card.
GenerationBill bill_without_cache(const Engine<double>& engine) {
  GenerationBill bill;
  bill.weights = whole_bytes(engine.weights());
  bill.workspace = whole_bytes(engine.workspace());
  bill.cuda_graphs = whole_bytes(engine.graphs());
  bill.overhead = whole_bytes(engine.overhead());
  bill.kv_cache_per_sequence = whole_bytes(engine.sequence());
  return bill;
}

}  // namespace

GenerationBill generation_bill(const Job& job, std::int64_t capacity) {
  const Engine<double> engine(job);
  GenerationBill bill = bill_without_cache(engine);
  bill.kv_cache = whole_bytes(engine.cache(bill, capacity));
  bill.device = bill.weights + bill.workspace + bill.cuda_graphs + bill.overhead + bill.kv_cache;
  bill.sequences_that_fit =
      bill.kv_cache > 0 ? bill.kv_cache / std::max<std::int64_t>(1, bill.kv_cache_per_sequence) : 0;
  return bill;
}

std::vector<MemoryTerm> generation_terms(const Job& job, std::int64_t capacity) {
  const GenerationBill bill = generation_bill(job, capacity);
  const Engine<Traced> engine(job);
  return {{"generation_weights", "Weights of the engine", bill.weights,
           formula_of(engine.weights()), kWeightSource},
          {"generation_workspace", "Workspace of the engine", bill.workspace,
           formula_of(engine.workspace()), kWorkspaceSource},
          {"generation_graphs", "CUDA graphs", bill.cuda_graphs, formula_of(engine.graphs()),
           kGraphSource},
          {"generation_overhead", "Libraries and communicators", bill.overhead,
           formula_of(engine.overhead()), kFractionSource},
          {"kv_cache", "KV cache", bill.kv_cache, formula_of(engine.cache(bill, capacity)),
           kFractionSource}};
}

MemoryTerm sequence_cache_term(const Job& job) {
  const Traced bytes = Engine<Traced>(job).sequence();
  return {"kv_cache_per_sequence", "KV cache of one sequence", whole_bytes(bytes.value()),
          formula_of(bytes), kCacheSource};
}

double least_fraction(const Job& job, std::int64_t capacity) {
  const GenerationBill bill = bill_without_cache(Engine<double>(job));
  double inside = as_double(bill.weights + bill.workspace + bill.cuda_graphs + bill.overhead +
                            bill.kv_cache_per_sequence);
  if (!job.grpo->colocated()) inside -= job.overheads.context_gib * kGiB;
  return std::ceil(100 * inside / as_double(capacity)) / 100;
}

DecodeWork decode_work(const Job& job) {
  const Engine<double> engine(job);
  const Stage& stage = engine.stage;
  const Architecture& model = *job.model;
  const double tp = engine.ranks();
  // Rows of a token are looked up in these; a tied head reads its matrix whole.
  const double looked_up = as_double(model.per_layer_vocab * model.per_layer_columns()) +
                           as_double(model.learned_positions * model.hidden) +
                           (model.tied_head ? 0 : as_double(model.vocab * model.hidden));
  const bool narrow = job.grpo->nf4_weights && job.quantize_experts;
  const double width = narrow ? nf4_bytes(*job.constants, false) : 2;
  DecodeWork work;
  work.weight_bytes = engine.weights() - (stage.expert * width + looked_up * 2) / tp;
  work.parameters = (stage.matrix + stage.root + stage.replicated - looked_up) / tp;
  for (const StageKind& blocks : stage.kinds) {
    const double layers = as_double(blocks.count);
    const Block& block = blocks.block;
    const bool mixes = block.attention || block.linear || block.convolution || block.mamba;
    work.layers += layers;
    work.exchanges += layers * ((mixes ? 1 : 0) + (block.mlp || block.moe ? 1 : 0));
    if (!block.moe) continue;
    const double held = layers * as_double(blocks.split.expert) / tp;
    const Moe& moe = *block.moe;
    work.experts.push_back(
        {held * width, as_double(moe.experts), as_double(moe.experts_per_token)});
    work.parameters += held * as_double(moe.experts_per_token) / as_double(moe.experts);
  }
  const auto each = engine.cached();
  work.cache_bytes = each.values * job.grpo->kv_bytes;
  work.state_bytes = each.states;
  return work;
}

}  // namespace sizesheet
