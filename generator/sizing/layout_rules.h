// SPDX-License-Identifier: Apache-2.0
// Which layouts are possible at all: divisibility and placement, one rule at a time, each with the
// nearest value that obeys it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/job.h"

namespace sizesheet {

struct Question;

/// A rule that a layout breaks: the key to mend and why.
struct LayoutFault {
  std::string key;  ///< "tp", "pp" …
  std::string words;
};

/// The first rule this layout breaks; every dimension must be set (dp included).
std::optional<LayoutFault> layout_fault(const Question& question, const Layout& layout);

/// Whether the dimensions may stand together, each of which breaks no rule alone.
bool mesh_holds(const Question& question, const Layout& layout);

/// Rules that one dimension breaks whatever the others are; "" if none. `key`: tp, pp, cp, ep.
std::string dimension_fault(const Question& question, const std::string& key, std::int64_t ranks);

/// Why tensor parallelism over `tp` ranks cannot divide this model; "" where it can.
std::string tensor_split_fault(const Architecture& model, std::int64_t tp);

/// Why colocated generation engines cannot stand on `gpus` GPUs; "" where they can, or are none.
std::string engines_fault(const Question& question, std::int64_t gpus);

/// Values of a dimension worth trying on `gpus` GPUs, ascending: those `dimension_fault` allows.
std::vector<std::int64_t> degrees(const Question& question, const std::string& key,
                                  std::int64_t gpus);

/// "(nearest: 4, 8)": the divisors of `whole` around `wanted`.
std::string nearest_divisors(std::int64_t whole, std::int64_t wanted);

/// Keys of a layout in the order the device mesh is built, outermost first, with their ranks:
/// "pp 2 x dp 4 x cp 1 x tp 8"; sharded data parallelism as "dp_replicate 2 x dp_shard 8".
std::string device_mesh(const Layout& layout);

}  // namespace sizesheet
