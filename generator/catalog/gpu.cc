// SPDX-License-Identifier: Apache-2.0
#include "catalog/gpu.h"

#include <algorithm>
#include <cmath>

#include "catalog/loader.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kMemoryGib{0.01, 1e6};
constexpr Bounds<double> kReserve{0, 1e6};
constexpr Bounds<double> kTflops{0.001, 1e7};
constexpr Bounds<double> kGbPerSecond{0.001, 1e7};
constexpr Bounds<double> kWatts{0.1, 1e7};
constexpr double kDriverOverheadGib = 0.9;  // what a process loses of the driver's total

void read_names(ObjectReader& reader, Gpu& gpu) {
  gpu.id = read_id(reader, "id");
  gpu.name = read_filled_text(reader, "name");
  gpu.short_name = read_filled_text(reader, "short_name");
  gpu.tiny_name = read_filled_text(reader, "tiny_name");
  gpu.vendor = read_filled_text(reader, "vendor");
}

/// What a program sees of the memory is somewhat less than is printed on the box.
void check_size(ObjectReader& reader, const std::string& key, std::optional<double> gib,
                double memory_gb) {
  constexpr double kLeast = 0.5;
  constexpr double kMost = 1.1;
  if (!gib || !reader.sound(key) || !reader.sound("memory_gb")) return;
  if (*gib >= kLeast * memory_gb && *gib <= kMost * memory_gb) return;
  reader.fault(
      key, "expected about the " + shortest(memory_gb) + " of memory_gb, got " + shortest(*gib));
}

void read_memory(ObjectReader& reader, Gpu& gpu) {
  gpu.memory_gb = reader.number("memory_gb", kMemoryGib);
  gpu.torch_total_gib = read_known_or_null(reader, "torch_total_gib", kMemoryGib);
  gpu.driver_total_gib = read_known_or_null(reader, "driver_total_gib", kMemoryGib);
  gpu.unified_memory = reader.flag("unified_memory");
  gpu.os_reserve_gib = reader.number("os_reserve_gib", kReserve);
  if (reader.sound("unified_memory") && !gpu.unified_memory && gpu.os_reserve_gib > 0) {
    reader.fault("os_reserve_gib",
                 "expected 0 where unified_memory is false, got " + shortest(gpu.os_reserve_gib));
  }
  check_size(reader, "torch_total_gib", gpu.torch_total_gib, gpu.memory_gb);
  check_size(reader, "driver_total_gib", gpu.driver_total_gib, gpu.memory_gb);
  const auto capacity = gpu.capacity_bytes();
  if (capacity && *capacity <= 0 && reader.sound("")) {
    reader.fault("", "expected memory that leaves a capacity above 0, got " +
                         format_gib(*capacity, 2) + " GiB");
  }
}

void read_counts(ObjectReader& reader, Gpu& gpu) {
  constexpr Bounds<std::int64_t> kGpus{1, 65536};
  gpu.rentable_counts = reader.integers("rentable_counts", kGpus);
  const auto& counts = gpu.rentable_counts;
  const bool ascending =
      std::adjacent_find(counts.begin(), counts.end(), std::greater_equal<>()) == counts.end();
  if (reader.sound("rentable_counts") && (counts.empty() || !ascending)) {
    reader.fault("rentable_counts", "expected ascending counts, at least one, got " +
                                        shown(reader.raw("rentable_counts")));
  }
  gpu.gpus_per_node = reader.integer("gpus_per_node", kGpus);
  gpu.multi_node = reader.flag("multi_node");
  gpu.max_gpus = reader.integer("max_gpus", {0, 1 << 20});
  if (gpu.max_gpus > 0 && !counts.empty() && counts.back() > gpu.max_gpus) {
    reader.fault("max_gpus", "expected at least the largest rentable count " +
                                 std::to_string(counts.back()) + ", or 0, got " +
                                 std::to_string(gpu.max_gpus));
  }
}

void read_speed(ObjectReader& reader, Gpu& gpu) {
  gpu.bf16_dense_tflops = read_known_or_null(reader, "bf16_dense_tflops", kTflops);
  gpu.fp16_dense_tflops = read_known_or_null(reader, "fp16_dense_tflops", kTflops);
  gpu.fp8_dense_tflops = read_known_or_null(reader, "fp8_dense_tflops", kTflops);
  gpu.bandwidth_gb_per_s = reader.number("bandwidth_gb_per_s", kGbPerSecond);
  gpu.tdp_w = reader.number("tdp_w", kWatts);
  gpu.bf16 = reader.flag("bf16");
  gpu.interconnect = read_filled_text(reader, "interconnect");
}

}  // namespace

std::optional<std::int64_t> Gpu::capacity_bytes() const {
  if (!torch_total_gib && !driver_total_gib) return std::nullopt;
  double gib = torch_total_gib ? *torch_total_gib : *driver_total_gib - kDriverOverheadGib;
  if (unified_memory) gib -= os_reserve_gib;
  return static_cast<std::int64_t>(std::floor(gib * kGiB));
}

std::vector<std::int64_t> Gpu::counts_up_to(std::int64_t limit) const {
  const std::int64_t most = max_gpus > 0 ? std::min(max_gpus, limit) : limit;
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : rentable_counts) {
    if (count <= most) counts.push_back(count);
  }
  if (!multi_node || rentable_counts.empty() || gpus_per_node <= 0) return counts;
  const std::int64_t nodes = rentable_counts.back() / gpus_per_node + 1;
  for (std::int64_t count = nodes * gpus_per_node; count <= most; count += gpus_per_node) {
    counts.push_back(count);
  }
  return counts;
}

Gpu read_gpu(ObjectReader reader) {
  Gpu gpu;
  gpu.raw = reader.whole();
  read_names(reader, gpu);
  read_memory(reader, gpu);
  read_counts(reader, gpu);
  read_speed(reader, gpu);
  read_filled_text(reader, "capacity_rule");
  gpu.was = read_was(reader);
  gpu.note = reader.text("note");
  gpu.source = read_source(reader);
  gpu.date = read_date(reader, "date");
  reader.done();
  return gpu;
}

}  // namespace sizesheet
