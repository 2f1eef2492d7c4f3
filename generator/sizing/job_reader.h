// SPDX-License-Identifier: Apache-2.0
// A request object (already merged with its stack) read into a Job, every key checked.
#pragma once

#include <memory>
#include <optional>

#include "sizing/job.h"
#include "support/json.h"

namespace sizesheet {

/// The layout keys a request may fix; what is absent is searched.
struct LayoutPins {
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> dp;
  std::optional<std::int64_t> tp;
  std::optional<Shard> shard;
};

struct ReadJob {
  Job job;
  LayoutPins pins;
  std::int64_t max_gpus = 512;
};

/// Keys of an estimate request but id, model, gpu and stack. Faults go to the reader's collector.
/// `gpus_per_node` gives `hsdp` its shard group.
ReadJob read_job(ObjectReader& request, std::shared_ptr<const Architecture> model,
                 const EngineConstants& constants, std::int64_t gpus_per_node);

/// "none" … "zero3".
const char* name_of(Shard shard);
/// "none", "optimizer", "params", "all".
const char* offload_name(const Layout& layout);
const char* recompute_name(const Job& job);

}  // namespace sizesheet
