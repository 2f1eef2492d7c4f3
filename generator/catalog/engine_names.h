// SPDX-License-Identifier: Apache-2.0
// The constants that the engine asks for: a closed list, so that a name in the source that is none
// of them does not compile, and one that is costs no search.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "support/json.h"

namespace sizesheet {

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

}  // namespace sizesheet
