// SPDX-License-Identifier: Apache-2.0
// A GPU as catalog facts: what the driver reports, how many can be had together, how fast it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/facts/gpu_speed.h"
#include "support/json.h"

namespace sizesheet {

/// What an edition shows of a GPU as it stands.
struct GpuFacts {
  std::string id;
  std::string name;        ///< "H100 80GB HBM3 SXM5"
  std::string short_name;  ///< "H100"
  std::string tiny_name;   ///< shortest form for a narrow column: "P6000"
  std::string vendor;
  double memory_gb = 0;         ///< as marketed
  bool unified_memory = false;  ///< shared with the machine's processor
  std::int64_t gpus_per_node = 8;
  std::optional<double> bf16_dense_tflops;
  std::optional<double> fp16_dense_tflops;
  std::optional<double> fp8_dense_tflops;
  double bandwidth_gb_per_s = 0;
  double tdp_w = 0;
  bool bf16 = false;  ///< computes in bf16; else fp16 with loss scaling
  std::string interconnect;
  std::string note;
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(GpuFacts, (),
                      (id, name, short_name, tiny_name, vendor, memory_gb, unified_memory,
                       gpus_per_node, bf16_dense_tflops, fp16_dense_tflops, fp8_dense_tflops,
                       bandwidth_gb_per_s, tdp_w, bf16, interconnect, note, source, date))

/// Number formats of matrix products.
inline const std::vector<std::string> kNumberFormats{"fp16",      "bf16",  "fp8",
                                                     "fp8-block", "mxfp8", "nvfp4"};

/// In which formats libraries train on a GPU.
struct GpuFormats {
  std::vector<std::string> products;  ///< some of kNumberFormats
  bool fp8_any_layout = false;  ///< products take fp8 operands as they are, without a transpose
};
BOOST_DESCRIBE_STRUCT(GpuFormats, (), (products, fp8_any_layout))

struct Gpu : GpuFacts {
  std::optional<double> torch_total_gib;
  std::optional<double> driver_total_gib;
  double os_reserve_gib = 0;                  ///< unified memory only
  std::vector<std::int64_t> rentable_counts;  ///< within one node, ascending
  bool multi_node = true;                     ///< whole nodes beyond one can be rented
  std::int64_t max_gpus = 0;                  ///< largest count on offer; 0: no limit of its own
  std::optional<double> compute_capability;   ///< NVIDIA's: 9.0 is Hopper, 10.0 Blackwell
  std::vector<std::string> was;               ///< ids that it had before
  std::optional<GpuFormats> formats;          ///< absent: not known
  std::optional<GpuSpeed> speed;              ///< absent: memory alone can be sized
  Json speed_raw;                             ///< as its file has it
  Json raw;                                   ///< without the speed

  /// What a training process may use, bytes; nullopt when neither total is known.
  /// torch total; else driver total - 0.9 GiB; unified memory less the OS reserve. floor(GiB *
  /// 2^30).
  std::optional<std::int64_t> capacity_bytes() const;
  /// Rentable counts up to `limit`: those within a node, then whole nodes.
  std::vector<std::int64_t> counts_up_to(std::int64_t limit) const;
  /// Whether its products are known to take the format.
  bool has_format(const std::string& format) const;
};
/// In the order in which an entry is read, and its faults are told.
BOOST_DESCRIBE_STRUCT(Gpu, (),
                      (id, name, short_name, tiny_name, vendor, memory_gb, torch_total_gib,
                       driver_total_gib, unified_memory, os_reserve_gib, rentable_counts,
                       gpus_per_node, multi_node, max_gpus, bf16_dense_tflops, fp16_dense_tflops,
                       fp8_dense_tflops, bandwidth_gb_per_s, tdp_w, bf16, compute_capability,
                       interconnect, was, note, source, date))

Gpu read_gpu(ObjectReader reader);

}  // namespace sizesheet
