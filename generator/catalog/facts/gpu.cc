// SPDX-License-Identifier: Apache-2.0
#include "catalog/facts/gpu.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "catalog/facts/gpu_speed.h"
#include "catalog/files/entry.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

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

void check_memory(ObjectReader& reader, const Gpu& gpu) {
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

void check_counts(ObjectReader& reader, const Gpu& gpu) {
  const auto& counts = gpu.rentable_counts;
  const bool ascending =
      std::adjacent_find(counts.begin(), counts.end(), std::greater_equal<>()) == counts.end();
  if (reader.sound("rentable_counts") && (counts.empty() || !ascending)) {
    reader.mismatch("rentable_counts", "ascending counts, at least one");
  }
  if (gpu.max_gpus > 0 && !counts.empty() && counts.back() > gpu.max_gpus) {
    reader.mismatch(
        "max_gpus",
        "at least the largest rentable count " + std::to_string(counts.back()) + ", or 0",
        gpu.max_gpus);
  }
}

/// What its products take, and says elsewhere that they take.
GpuFormats read_formats(ObjectReader formats, ObjectReader& reader, const Gpu& gpu) {
  auto read = read_members<GpuFormats>(formats, {.may_lack = {"fp8_any_layout"}});
  read_source(formats);
  read_date(formats, "date");
  formats.done();
  if (!formats.sound("products")) return read;
  std::set<std::string> seen;
  for (const std::string& format : read.products) {
    if (!contains(kNumberFormats, format)) {
      formats.fault("products", "expected some of " + join(kNumberFormats, ", ") + "; got " +
                                    shown(format) + did_you_mean(format, kNumberFormats));
    } else if (!seen.insert(format).second) {
      formats.fault("products", "expected each format once, got " + shown(format) + " again");
    }
  }
  const auto agree = [&](const char* key, const std::string& format, bool stated) {
    if (!reader.sound(key) || stated == seen.contains(format)) return;
    formats.fault("products", "expected " + in_quotes(format) + (stated ? "" : " not") +
                                  " among them, as " + key + " says");
  };
  agree("bf16", "bf16", gpu.bf16);
  if (gpu.fp8_dense_tflops) agree("fp8_dense_tflops", "fp8", true);
  if (read.fp8_any_layout && !seen.contains("fp8")) {
    formats.fault("fp8_any_layout", "expected false without \"fp8\" in products, got true");
  }
  return read;
}

}  // namespace

std::optional<std::int64_t> Gpu::capacity_bytes() const {
  constexpr double kDriverOverheadGib = 0.9;  // what a process loses of the driver's total
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

bool Gpu::has_format(const std::string& format) const {
  return formats && contains(formats->products, format);
}

Gpu read_gpu(ObjectReader reader) {
  constexpr Bounds<double> kMemoryGib{0.01, 1e6};
  Gpu gpu = read_members<Gpu>(reader, {.numbers = {0.001, 1e7},
                                       .counts = {1, 65536},
                                       .bounds = {{"memory_gb", kMemoryGib},
                                                  {"torch_total_gib", kMemoryGib},
                                                  {"driver_total_gib", kMemoryGib},
                                                  {"os_reserve_gib", {0, 1e6}},
                                                  {"max_gpus", {0, 1 << 20}},
                                                  {"tdp_w", {0.1, 1e7}},
                                                  {"compute_capability", {1, 100}}},
                                       .may_be_empty = {"note"}});
  check_memory(reader, gpu);
  check_counts(reader, gpu);
  read_filled_text(reader, "capacity_rule");
  if (auto formats = reader.optional_object("formats")) {
    gpu.formats = read_formats(*std::move(formats), reader, gpu);
  }
  if (auto speed = reader.optional_object("speed")) {
    gpu.speed = read_speed(*speed);
    gpu.speed_raw = speed->whole();
    gpu.raw.erase("speed");
  }
  reader.done();
  return gpu;
}

}  // namespace sizesheet
