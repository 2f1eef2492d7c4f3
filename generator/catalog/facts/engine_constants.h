// SPDX-License-Identifier: Apache-2.0
// The engine's constants and recipes, as engine.json has them, and the speeds of all cards.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/facts/gpu_speed.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Gpu;

/// A constant that the engine asks for. The list is closed, so that a name in the source that is
/// none of it does not compile, and one that is costs no search.
struct EngineName {
  std::string_view id;
  Bounds<double> range;  ///< within which a value makes sense
};

/// Constants that one range holds for.
template <typename... Ids>
constexpr std::array<EngineName, sizeof...(Ids)> within(Bounds<double> range, Ids... ids) {
  return {EngineName{ids, range}...};
}

template <std::size_t... kCounts>
constexpr auto joined(const std::array<EngineName, kCounts>&... groups) {
  std::array<EngineName, (kCounts + ...)> all;
  auto end = all.begin();
  ((end = std::copy(groups.begin(), groups.end(), end)), ...);
  return all;
}

inline constexpr auto kEngineNames = joined(
    within({0, 1000}, "overhead.context_gib", "overhead.communicator_gib",
           "bucket.bytes_per_element", "end_backward.gather_units", "dequant.bytes_per_parameter",
           "throughput.eager_passes", "throughput.fused_passes", "throughput.logit_bytes",
           "throughput.fused_adapter_bytes", "eager.logit_bytes", "eager.gap_us",
           "throughput.kbit_cast_bytes", "throughput.adapter_cast_bytes",
           "throughput.adapter_dropout_bytes", "throughput.adapter_fp32_bytes",
           "throughput.dora_bytes", "files.base_bytes", "dora.saved_output_bytes",
           "int8.saved_input_bytes", "fp8.saved_input_bytes", "fp8.weight_copy_bytes",
           "generation.sampler_bytes", "generation.ssm_state_bytes", "generation.cuda_graph_gib",
           "generation.library_gib", "loss.soft_cap_bytes", "fp8.activation_input_bytes",
           "qat.weight_passes", "qat.activation_bytes"),
    within({0, 1e12}, "overhead.library_bytes"),
    within({0, 1}, "overhead.dynamic_share", "overhead.static_share",
           "allocator.fused_dynamic_share", "allocator.multi_rank_dynamic_share",
           "allocator.varying_dynamic_share", "allocator.expandable_dynamic_share",
           "allocator.expandable_static_share", "end_backward.activation_share",
           "fsdp.root_gradient_waits", "experts.eager_loop", "kbit.widens_experts",
           "throughput.overlap", "throughput.step_overlap", "offload.gradient_share",
           "loss.plain_gathers_vocabulary", "loss.head_overlaps", "loss.unit_gathered",
           "loss.fused_left_at_step", "zero3.gathers_head", "liger.in_place", "adapters.by_module",
           "throughput.context_loss", "throughput.straggling_share", "autocast.fp32_stream",
           "host.view_share", "host.earlier_share", "experts.unpacked_together",
           "throughput.megatron_fsdp_overlap", "eager.counted_tensors",
           "end_backward.late_embedding", "allocator.idle_logits"),
    within({0, 1e6}, "allocator.deepspeed_cap_gib", "throughput.half_tokens",
           "throughput.expert_half_tokens", "host.launch_us", "host.wrapper_us", "host.hook_us",
           "eager.attention_half_tokens", "throughput.expert_half_width",
           "throughput.fused_launch_us", "throughput.fsdp_unit_us",
           "throughput.collective_latency_us", "throughput.zero3_module_us", "rollout.allreduce_us",
           "rollout.graph_ms", "rollout.graph_layer_us", "rollout.eager_layer_us",
           "rollout.sequence_us", "rollout.sync_seconds", "rollout.switch_seconds",
           "rollout.fixed_seconds"),
    within({0, 10000}, "throughput.kernels_per_layer", "throughput.kernels_per_adapter",
           "throughput.kernels_per_expert", "throughput.kernels_per_fallback_expert",
           "throughput.kernels_per_quantised_layer", "files.kept_checkpoints"),
    within({0, 100}, "offload.host_buffer_factor"), within({0, 5}, "batching.length_cv"),
    within({0.1, 100}, "rollout.routed_factor"),
    within({0, 16}, "activation.embedding_output", "context_parallel.ring_buffers"),
    // These are divided by.
    within({1, 1e6}, "nf4.block", "nf4.nested_block", "8bit.block", "mx.block", "nvfp4.block",
           "fp8.block"),
    within({0.001, 1}, "dequant.hbm_share", "throughput.moe_efficiency",
           "throughput.fp8_efficiency", "throughput.biased_attention", "throughput.scan_efficiency",
           "throughput.hbm_share", "eager.hbm_share", "eager.gddr_share",
           "eager.fused_optimizer_share", "eager.grouped_efficiency", "eager.plain_attention",
           "throughput.tensor_bus_share", "throughput.all_to_all_share", "rollout.stream_share",
           "rollout.expert_stream_share", "rollout.cache_share", "rollout.matmul_share",
           "rollout.prefill_share", "rollout.hours_low"),
    within({0.001, 2}, "throughput.fp8_te_efficiency"),
    within({1, 2}, "throughput.fp8_attention_speedup", "rollout.imbalance"),
    within({1, 100}, "rollout.hours_high"),
    within({0.001, 1e6}, "throughput.nic_gb_per_s", "offload.cpu_gb_per_s", "rollout.sync_gb_per_s",
           "rollout.wake_gb_per_s"),
    within({0, 16}, "allocator.workspaces", "allocator.fsdp2_units"),
    within({1, 1e6}, "throughput.expert_width"), within({1, 1e18}, "zero3.sub_group"),
    within({1, 1e6}, "throughput.straggling_ranks"),
    within({1, 1e9}, "search.context_parallel_tokens", "generation.colocated_chunk_tokens",
           "generation.server_chunk_tokens", "generation.block_tokens",
           "objective.liger_chunk_tokens", "rollout.concurrent"),
    within({0, 100}, "objective.liger_pair_bytes", "objective.liger_reference_bytes",
           "objective.liger_distillation_bytes"));

struct LossName {
  std::string_view id;
  bool whole_vocabulary;     ///< not written for tensor parallelism: gathers the logits first
  bool objective = false;    ///< follows from a request's objective; not one of kernels.loss
  bool caps_logits = false;  ///< its kernel soft-caps them and keeps nothing of it
};

/// How a stack computes its loss. Their bytes are in the catalog.
inline constexpr auto kLossNames = std::to_array<LossName>({{"hf", true},
                                                            {"hf-amp", true},
                                                            {"legacy", true},
                                                            {"trainer", true},
                                                            {"trainer-shifted", true},
                                                            {"trainer-legacy", true},
                                                            {"trainer-shifted-inplace", true},
                                                            {"trainer-legacy-inplace", true},
                                                            {"bf16", true},
                                                            {"flash-ce", false},
                                                            {"unsloth-ce", true, false, true},
                                                            {"vocab-parallel", false},
                                                            {"vocab-parallel-unfused", false},
                                                            {"vocab-parallel-native", false},
                                                            {"vocab-parallel-te", false},
                                                            {"vocab-parallel-dtensor", false},
                                                            {"chunked", false},
                                                            {"trl", true, true},
                                                            {"trl-reference", true, true},
                                                            {"trl-bf16", true, true},
                                                            {"trl-bf16-reference", true, true},
                                                            {"trl-likelihood", true, true},
                                                            {"trl-jsd", true, true},
                                                            {"trl-kl", true, true}});
/// Chunked under fused operations, where the compiler joins what a chunk does.
inline constexpr std::string_view kCompiledChunks = "chunked-compiled";
/// Its bytes follow from the size of a chunk, so it has none in the catalog.
inline constexpr std::string_view kFusedLinear = "fused-linear";
/// The same of an objective's loss, by chunks of pairs or of tokens.
inline constexpr std::string_view kFusedObjective = "liger";
/// One score a sequence: no logits at all.
inline constexpr std::string_view kScores = "scores";

constexpr std::optional<std::size_t> index_of_constant(std::string_view id) {
  for (std::size_t i = 0; i < kEngineNames.size(); ++i) {
    if (kEngineNames[i].id == id) return i;
  }
  return std::nullopt;
}

/// The name of a constant, written as a text literal: another name does not compile.
class ConstantName {
 public:
  consteval ConstantName(  // NOLINT(google-explicit-constructor): reads as the text it stands for
      const char* id)
      : index_(*index_of_constant(id)) {}

  constexpr std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

/// Bytes per trainable parameter of one state recipe.
struct StateRecipe {
  std::string id;
  double weight = 0;
  double gradient = 0;
  double master = 0;
  bool lazy = true;                    ///< optimizer state appears at the first step()
  double autocast_cache = 0;           ///< bf16 copies of fp32 weights, full fine-tuning only
  bool bf16_moments = false;           ///< optimizer states follow the weights' dtype
  bool persistent_gradients = false;   ///< gradient buffer alive in forward, from the first step on
  bool persistent_when_zero3 = false;  ///< the same, under ZeRO-3 only (DeepSpeed)
  double live_parameters = 0;  ///< under ZeRO-3: gathered ones that wait to be released (DeepSpeed)
  double step_gradient_copy = 0;      ///< fp32 copy of the shard's gradient in step()
  bool ddp_bucket = true;             ///< DDP keeps a second copy of the gradients in buckets
  bool reduces_in_fp32 = false;       ///< ranks sum gradients in fp32
  bool fp16_gradient_copies = false;  ///< fp16: gradients in fp16, fp32 copies of them in step()
  bool transformer_engine = false;    ///< products in fp8 run under Transformer Engine
  bool own_optimizer = false;         ///< the framework's own Adam; no other one takes its place
  bool capped_slack = false;    ///< the allocator strands no more than allocator.deepspeed_cap_gib
  bool pipeline_zero1 = false;  ///< a pipeline keeps whole gradients: ZeRO-1 at most
  std::string with_bf16_gradients;  ///< the recipe that differs by bf16 gradients; "": none
};
BOOST_DESCRIBE_STRUCT(StateRecipe, (),
                      (weight, gradient, master, lazy, autocast_cache, bf16_moments,
                       persistent_gradients, live_parameters, persistent_when_zero3,
                       step_gradient_copy, ddp_bucket, reduces_in_fp32, fp16_gradient_copies,
                       transformer_engine, own_optimizer, capped_slack, pipeline_zero1,
                       with_bf16_gradients))

/// Bytes of optimizer state. Three classes of parameter: matrices of the blocks, embedding and
/// head, vectors (norms, biases); plus bytes per row and per column of each matrix (factored
/// states).
struct OptimizerCost {
  std::string id;
  double matrix = 0;
  double embedding = 0;
  double vector = 0;
  double matrix_bf16 = 0;  ///< under a recipe with bf16 moments
  double embedding_bf16 = 0;
  double vector_bf16 = 0;
  double per_row = 0;
  double per_column = 0;
  double step_per_largest_matrix =
      0;  ///< transient bytes per element of the largest matrix in step()
  /// Tensors in fp32 alive at once for the largest parameter in step(), of weights in fp32; those
  /// in 16 bits are cast, weight and gradient, which makes two more.
  double step_tensors = 0;
  /// Bytes per parameter that step() moves where it runs operation by operation, of weights in 16
  /// bits and in fp32; 0: one fused pass over weight, gradient and states.
  double step_bytes_16bit = 0;
  double step_bytes = 0;
};
BOOST_DESCRIBE_STRUCT(OptimizerCost, (),
                      (matrix, embedding, vector, matrix_bf16, embedding_bf16, vector_bf16, per_row,
                       per_column, step_per_largest_matrix, step_tensors, step_bytes_16bit,
                       step_bytes))

/// Bytes per (token x vocabulary entry) of one loss path.
struct LossCost {
  double forward = 0;
  double backward = 0;
  double residual = 0;  ///< left during block backward
};
BOOST_DESCRIBE_STRUCT(LossCost, (), (forward, backward, residual))

struct Constant {
  std::string id;  ///< "headroom.dynamic_share"
  double reference = 0;
  double current = 0;
  std::string unit;
  std::string reason;
  std::string source;
  Json raw;
};
BOOST_DESCRIBE_STRUCT(Constant, (), (id, reference, current, unit, reason, source))

/// Throws the InputError of a constant that is not there.
[[noreturn]] void refuse_missing(ConstantName name);

/// One coherent set of values; the catalog holds two, `reference` and `current`.
struct EngineConstants {
  /// In the order of kEngineNames; an edition of an earlier program may lack some.
  std::array<std::optional<double>, kEngineNames.size()> values;
  std::map<std::string, StateRecipe> recipes;
  std::map<std::string, OptimizerCost> optimizers;
  std::map<std::string, LossCost> losses;  ///< by name of kernels.loss; chunked-compiled besides
  std::map<std::string, GpuSpeed> speeds;  ///< by GPU id

  /// Throws InputError naming a constant that is not there.
  double value(ConstantName name) const {
    const std::optional<double>& found = values[name.index()];
    if (!found) refuse_missing(name);
    return *found;
  }
};

struct EngineCatalog {
  EngineConstants reference;
  EngineConstants current;
  std::vector<Constant> constants;  ///< the scalar ones, for the method page
  Json raw;
};

/// A catalog has each card's speed in the card's own file, an edition all of them with its engine.
enum class SpeedsIn { kFilesOfCards, kEngine };
EngineCatalog read_engine(ObjectReader reader, SpeedsIn speeds);

/// The speeds that the cards' files have, among the constants and in `raw`, as an edition has them.
void add_speeds(const std::map<std::string, Gpu>& gpus, EngineCatalog& engine);

/// Names of all constants that the engine asks for, sorted.
std::vector<std::string> engine_constant_names();

/// Faults `file` where a name that the engine asks for is missing, and each constant that it does
/// not ask for: such a value would be accepted and ignored.
void check_engine_names(const EngineCatalog& engine, const std::string& file, Faults& faults);

}  // namespace sizesheet
