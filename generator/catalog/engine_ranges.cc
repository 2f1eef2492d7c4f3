// SPDX-License-Identifier: Apache-2.0
#include "catalog/engine_ranges.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace sizesheet {
namespace {

using Range = Bounds<double>;

constexpr Range kOverheadGib{0, 1000};
constexpr Range kFraction{0, 1};
constexpr Range kBytesEach{0, 1000};
constexpr Range kSwitch{0, 1};
constexpr Range kCopies{0, 16};
constexpr Range kKernels{0, 10000};
constexpr Range kMicroseconds{0, 1e6};
// These are divided by.
constexpr Range kBlock{1, 1e6};
constexpr Range kTokens{1, 1e9};
constexpr Range kEfficiency{0.001, 1};
constexpr Range kLinkGbPerS{0.001, 1e6};

struct NamedRange {
  const char* id;
  Range range;
};

constexpr NamedRange kRanges[] = {
    {"nf4.block", kBlock},
    {"nf4.nested_block", kBlock},
    {"8bit.block", kBlock},
    {"overhead.context_gib", kOverheadGib},
    {"overhead.communicator_gib", kOverheadGib},
    {"overhead.library_bytes", {0, 1e12}},
    {"overhead.dynamic_share", kFraction},
    {"overhead.static_share", kFraction},
    {"allocator.fused_dynamic_share", kFraction},
    {"allocator.multi_rank_dynamic_share", kFraction},
    {"allocator.varying_dynamic_share", kFraction},
    {"allocator.expandable_dynamic_share", kFraction},
    {"allocator.expandable_static_share", kFraction},
    {"allocator.deepspeed_cap_gib", {0, 1e6}},
    {"bucket.bytes_per_element", kBytesEach},
    {"end_backward.activation_share", kFraction},
    {"dequant.hbm_share", kEfficiency},
    {"dequant.bytes_per_parameter", kBytesEach},
    {"throughput.half_tokens", {0, 1e6}},
    {"throughput.expert_half_tokens", {0, 1e6}},
    {"throughput.moe_efficiency", kEfficiency},
    {"throughput.fp8_efficiency", kEfficiency},
    {"throughput.biased_attention", kEfficiency},
    {"throughput.scan_efficiency", kEfficiency},
    {"throughput.hbm_share", kEfficiency},
    {"throughput.tensor_bus_share", kEfficiency},
    {"throughput.all_to_all_share", kEfficiency},
    {"throughput.eager_passes", kBytesEach},
    {"throughput.fused_passes", kBytesEach},
    {"throughput.logit_bytes", kBytesEach},
    {"throughput.eager_adapter_bytes", kBytesEach},
    {"throughput.fused_adapter_bytes", kBytesEach},
    {"throughput.dora_bytes", kBytesEach},
    {"throughput.eager_launch_us", kMicroseconds},
    {"throughput.fused_launch_us", kMicroseconds},
    {"throughput.collective_latency_us", kMicroseconds},
    {"throughput.kernels_per_layer", kKernels},
    {"throughput.kernels_per_adapter", kKernels},
    {"throughput.kernels_per_expert", kKernels},
    {"throughput.kernels_per_quantised_layer", kKernels},
    {"throughput.overlap", kFraction},
    {"throughput.step_overlap", kFraction},
    {"throughput.nic_gb_per_s", kLinkGbPerS},
    {"files.base_bytes", kBytesEach},
    {"files.kept_checkpoints", {0, 10000}},
    {"offload.cpu_gb_per_s", kLinkGbPerS},
    {"offload.gradient_share", kFraction},
    {"offload.host_buffer_factor", {0, 100}},
    {"loss.plain_gathers_vocabulary", kSwitch},
    {"loss.head_overlaps", kSwitch},
    {"loss.unit_gathered", kSwitch},
    {"activation.embedding_output", kCopies},
    {"context_parallel.ring_buffers", kCopies},
    {"search.context_parallel_tokens", kTokens},
    {"dora.saved_output_bytes", kBytesEach},
    {"int8.saved_input_bytes", kBytesEach},
    {"fp8.saved_input_bytes", kBytesEach},
    {"fp8.weight_copy_bytes", kBytesEach},
    {"generation.colocated_chunk_tokens", kTokens},
    {"generation.server_chunk_tokens", kTokens},
    {"generation.sampler_bytes", kBytesEach},
    {"generation.block_tokens", kTokens},
    {"generation.ssm_state_bytes", kBytesEach},
    {"generation.cuda_graph_gib", kOverheadGib},
    {"generation.library_gib", kOverheadGib},
};

/// Each of `needed` must stand in `present`.
template <typename Entries>
void check_present(const std::vector<std::string>& needed, const Entries& present, const char* list,
                   const std::string& file, Faults& faults) {
  for (const std::string& name : needed) {
    if (present.contains(name)) continue;
    faults.add(file, std::string("/") + list,
               "expected an entry \"" + name + "\", which the engine asks for, got none");
  }
}

}  // namespace

std::optional<Bounds<double>> range_of_constant(const std::string& id) {
  const auto found = std::find_if(std::begin(kRanges), std::end(kRanges),
                                  [&](const NamedRange& one) { return one.id == id; });
  return found == std::end(kRanges) ? std::nullopt : std::optional(found->range);
}

std::vector<std::string> engine_constant_names() {
  std::vector<std::string> names;
  for (const NamedRange& one : kRanges) names.emplace_back(one.id);
  std::sort(names.begin(), names.end());
  return names;
}

void check_engine_names(const EngineCatalog& engine, const std::string& file, Faults& faults) {
  const std::vector<std::string> known = engine_constant_names();
  for (std::size_t i = 0; i < engine.constants.size(); ++i) {
    const std::string& id = engine.constants[i].id;
    if (id.empty() || range_of_constant(id)) continue;
    faults.add(file, "/constants/" + std::to_string(i) + "/id",
               "no constant of the engine is called " + shown(id) + did_you_mean(id, known));
  }
  check_present(known, engine.current.values, "constants", file, faults);
  check_present({"hf-amp"}, engine.current.recipes, "recipes", file, faults);
  check_present({"adamw"}, engine.current.optimizers, "optimizers", file, faults);
  check_present({"hf", "hf-amp", "legacy", "bf16", "flash-ce", "vocab-parallel", "chunked",
                 "chunked-compiled"},
                engine.current.losses, "losses", file, faults);
}

}  // namespace sizesheet
