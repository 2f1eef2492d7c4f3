// SPDX-License-Identifier: Apache-2.0
// The engine's constants as catalog data: the closed list of what it asks for, each with the value
// in use, the value of the reference, and bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

/// A constant that the engine asks for. The list is closed, so that a name in the source that is
/// none of it does not compile, and one that is costs no search.
struct EngineName {
  std::string_view id;
  Bounds<double> range;  ///< within which a value makes sense
};

namespace engine_ranges {
constexpr Bounds<double> kOverheadGib{0, 1000};
constexpr Bounds<double> kFraction{0, 1};
constexpr Bounds<double> kBytesEach{0, 1000};
constexpr Bounds<double> kSwitch{0, 1};
constexpr Bounds<double> kCopies{0, 16};
constexpr Bounds<double> kKernels{0, 10000};
constexpr Bounds<double> kMicroseconds{0, 1e6};
// These are divided by.
constexpr Bounds<double> kBlock{1, 1e6};
constexpr Bounds<double> kTokens{1, 1e9};
constexpr Bounds<double> kEfficiency{0.001, 1};
constexpr Bounds<double> kLinkGbPerS{0.001, 1e6};
}  // namespace engine_ranges

inline constexpr std::array kEngineNames = {
    EngineName{"nf4.block", engine_ranges::kBlock},
    EngineName{"nf4.nested_block", engine_ranges::kBlock},
    EngineName{"8bit.block", engine_ranges::kBlock},
    EngineName{"overhead.context_gib", engine_ranges::kOverheadGib},
    EngineName{"overhead.communicator_gib", engine_ranges::kOverheadGib},
    EngineName{"overhead.library_bytes", Bounds<double>{0, 1e12}},
    EngineName{"overhead.dynamic_share", engine_ranges::kFraction},
    EngineName{"overhead.static_share", engine_ranges::kFraction},
    EngineName{"allocator.fused_dynamic_share", engine_ranges::kFraction},
    EngineName{"allocator.multi_rank_dynamic_share", engine_ranges::kFraction},
    EngineName{"allocator.varying_dynamic_share", engine_ranges::kFraction},
    EngineName{"allocator.expandable_dynamic_share", engine_ranges::kFraction},
    EngineName{"allocator.expandable_static_share", engine_ranges::kFraction},
    EngineName{"allocator.deepspeed_cap_gib", Bounds<double>{0, 1e6}},
    EngineName{"bucket.bytes_per_element", engine_ranges::kBytesEach},
    EngineName{"end_backward.activation_share", engine_ranges::kFraction},
    EngineName{"end_backward.gather_units", Bounds<double>{0, 1000}},
    EngineName{"fsdp.root_gradient_waits", engine_ranges::kSwitch},
    EngineName{"experts.eager_loop", engine_ranges::kSwitch},
    EngineName{"kbit.widens_experts", engine_ranges::kSwitch},
    EngineName{"dequant.hbm_share", engine_ranges::kEfficiency},
    EngineName{"dequant.bytes_per_parameter", engine_ranges::kBytesEach},
    EngineName{"throughput.half_tokens", Bounds<double>{0, 1e6}},
    EngineName{"throughput.expert_half_tokens", Bounds<double>{0, 1e6}},
    EngineName{"throughput.moe_efficiency", engine_ranges::kEfficiency},
    EngineName{"throughput.fp8_efficiency", engine_ranges::kEfficiency},
    EngineName{"throughput.biased_attention", engine_ranges::kEfficiency},
    EngineName{"throughput.scan_efficiency", engine_ranges::kEfficiency},
    EngineName{"throughput.hbm_share", engine_ranges::kEfficiency},
    EngineName{"throughput.tensor_bus_share", engine_ranges::kEfficiency},
    EngineName{"throughput.all_to_all_share", engine_ranges::kEfficiency},
    EngineName{"throughput.eager_passes", engine_ranges::kBytesEach},
    EngineName{"throughput.fused_passes", engine_ranges::kBytesEach},
    EngineName{"throughput.logit_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.eager_adapter_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.fused_adapter_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.kbit_cast_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.adapter_cast_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.adapter_dropout_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.adapter_fp32_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.dora_bytes", engine_ranges::kBytesEach},
    EngineName{"throughput.eager_launch_us", engine_ranges::kMicroseconds},
    EngineName{"throughput.fused_launch_us", engine_ranges::kMicroseconds},
    EngineName{"throughput.fsdp_unit_us", engine_ranges::kMicroseconds},
    EngineName{"throughput.collective_latency_us", engine_ranges::kMicroseconds},
    EngineName{"throughput.kernels_per_layer", engine_ranges::kKernels},
    EngineName{"throughput.kernels_per_adapter", engine_ranges::kKernels},
    EngineName{"throughput.kernels_per_expert", engine_ranges::kKernels},
    EngineName{"throughput.kernels_per_quantised_layer", engine_ranges::kKernels},
    EngineName{"throughput.overlap", engine_ranges::kFraction},
    EngineName{"throughput.step_overlap", engine_ranges::kFraction},
    EngineName{"throughput.nic_gb_per_s", engine_ranges::kLinkGbPerS},
    EngineName{"files.base_bytes", engine_ranges::kBytesEach},
    EngineName{"files.kept_checkpoints", Bounds<double>{0, 10000}},
    EngineName{"offload.cpu_gb_per_s", engine_ranges::kLinkGbPerS},
    EngineName{"offload.gradient_share", engine_ranges::kFraction},
    EngineName{"offload.host_buffer_factor", Bounds<double>{0, 100}},
    EngineName{"loss.plain_gathers_vocabulary", engine_ranges::kSwitch},
    EngineName{"loss.head_overlaps", engine_ranges::kSwitch},
    EngineName{"loss.unit_gathered", engine_ranges::kSwitch},
    EngineName{"loss.fused_left_at_step", engine_ranges::kSwitch},
    EngineName{"activation.embedding_output", engine_ranges::kCopies},
    EngineName{"context_parallel.ring_buffers", engine_ranges::kCopies},
    EngineName{"search.context_parallel_tokens", engine_ranges::kTokens},
    EngineName{"dora.saved_output_bytes", engine_ranges::kBytesEach},
    EngineName{"int8.saved_input_bytes", engine_ranges::kBytesEach},
    EngineName{"fp8.saved_input_bytes", engine_ranges::kBytesEach},
    EngineName{"fp8.weight_copy_bytes", engine_ranges::kBytesEach},
    EngineName{"generation.colocated_chunk_tokens", engine_ranges::kTokens},
    EngineName{"generation.server_chunk_tokens", engine_ranges::kTokens},
    EngineName{"generation.sampler_bytes", engine_ranges::kBytesEach},
    EngineName{"generation.block_tokens", engine_ranges::kTokens},
    EngineName{"generation.ssm_state_bytes", engine_ranges::kBytesEach},
    EngineName{"generation.cuda_graph_gib", engine_ranges::kOverheadGib},
    EngineName{"generation.library_gib", engine_ranges::kOverheadGib},
};

struct LossName {
  std::string_view id;
  bool whole_vocabulary;  ///< not written for tensor parallelism: gathers the logits first
};

/// How a stack computes its loss. Their bytes are in the catalog.
inline constexpr std::array kLossNames = {
    LossName{"hf", true},
    LossName{"hf-amp", true},
    LossName{"legacy", true},
    LossName{"trainer", true},
    LossName{"trainer-shifted", true},
    LossName{"trainer-legacy", true},
    LossName{"bf16", true},
    LossName{"flash-ce", false},
    LossName{"vocab-parallel", false},
    LossName{"vocab-parallel-unfused", false},
    LossName{"vocab-parallel-native", false},
    LossName{"vocab-parallel-te", false},
    LossName{"vocab-parallel-dtensor", false},
    LossName{"chunked", false},
};
/// Chunked under fused operations, where the compiler joins what a chunk does.
inline constexpr std::string_view kCompiledChunks = "chunked-compiled";
/// Its bytes follow from the size of a chunk, so it has none in the catalog.
inline constexpr std::string_view kFusedLinear = "fused-linear";

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
  double step_gradient_copy = 0;  ///< fp32 copy of the shard's gradient in step()
  bool ddp_bucket = true;         ///< DDP keeps a second copy of the gradients in buckets
};
BOOST_DESCRIBE_STRUCT(StateRecipe, (),
                      (weight, gradient, master, lazy, autocast_cache, bf16_moments,
                       persistent_gradients, live_parameters, persistent_when_zero3,
                       step_gradient_copy, ddp_bucket))

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
};
BOOST_DESCRIBE_STRUCT(OptimizerCost, (),
                      (matrix, embedding, vector, matrix_bf16, embedding_bf16, vector_bf16, per_row,
                       per_column, step_per_largest_matrix))

/// Bytes per (token x vocabulary entry) of one loss path.
struct LossCost {
  double forward = 0;
  double backward = 0;
  double residual = 0;  ///< left during block backward
};
BOOST_DESCRIBE_STRUCT(LossCost, (), (forward, backward, residual))

/// How fast a GPU runs the arithmetic and its links.
struct GpuSpeed {
  double matmul_efficiency = 0;     ///< of the dense peak, in large matrix products
  double attention_efficiency = 0;  ///< of the dense peak, in flash attention
  double bus_gb_per_s = 0;          ///< achieved, per GPU, one direction, inside a node; 0: no link
  double host_link_gb_per_s = 0;    ///< achieved, per GPU, one direction; 0: not known
  bool measured = false;            ///< some published speed is of this GPU
  std::string source;
};
BOOST_DESCRIBE_STRUCT(GpuSpeed, (),
                      (matmul_efficiency, attention_efficiency, bus_gb_per_s, host_link_gb_per_s,
                       measured))

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

EngineCatalog read_engine(ObjectReader reader);

/// Names of all constants that the engine asks for, sorted.
std::vector<std::string> engine_constant_names();

/// Faults `file` where a name that the engine asks for is missing, and each constant that it does
/// not ask for: such a value would be accepted and ignored.
void check_engine_names(const EngineCatalog& engine, const std::string& file, Faults& faults);

}  // namespace sizesheet
