// SPDX-License-Identifier: Apache-2.0
// How fast a GPU runs the arithmetic and its links, as its file has it under "speed".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct GpuSpeed {
  double matmul_efficiency = 0;     ///< of the dense peak, in large matrix products
  double attention_efficiency = 0;  ///< of the dense peak, in flash attention
  double bus_gb_per_s = 0;          ///< achieved, per GPU, one direction, inside a node; 0: no link
  double host_link_gb_per_s = 0;    ///< achieved, per GPU, one direction; 0: not known
  /// Kinds of method of which a speed of this GPU was published: "full", "lora", "qlora", each also
  /// as "lora fp8".
  std::vector<std::string> measured;
  std::optional<std::string>
      sibling;  ///< nearest GPU with a published speed, whose rates these lean on
  /// Factors on matmul_efficiency, where this GPU's are known; else those of the constants.
  std::optional<double> grouped_efficiency;  ///< of routed experts' products
  std::optional<double> te_fp8_efficiency;   ///< of products in fp8 under Transformer Engine
  /// Of the dense peak, where operations run one by one in PyTorch; absent: as above.
  std::optional<double> eager_matmul_efficiency;
  std::optional<double> sdpa_efficiency;  ///< its attention on long sequences
  std::optional<double> nic_gb_per_s;  ///< achieved, per GPU, between nodes; absent: as most nodes
  std::string source;
};
BOOST_DESCRIBE_STRUCT(GpuSpeed, (),
                      (matmul_efficiency, attention_efficiency, bus_gb_per_s, host_link_gb_per_s,
                       measured, sibling, grouped_efficiency, te_fp8_efficiency,
                       eager_matmul_efficiency, sdpa_efficiency, nic_gb_per_s))

/// An object with a speed. An edition lists the speeds of all cards, and each has an "id" more,
/// which is read before.
GpuSpeed read_speed(ObjectReader& row);

}  // namespace sizesheet
