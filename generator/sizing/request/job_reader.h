// SPDX-License-Identifier: Apache-2.0
// A request object read into a Job: model and run, layout, and kernels.
#pragma once

#include <memory>
#include <optional>

#include "support/json.h"

namespace sizesheet {

struct Architecture;
struct Catalog;
struct EngineConstants;
struct Gpu;
struct Layout;
struct ReadJob;
struct TrainingObjective;

/// Keys of an estimate request but id, model, gpu and stack. Faults go to the reader's collector.
/// The GPU (nullptr: none named) gives `hsdp` its shard group and decides between bf16 and fp16;
/// the catalog has the models that score completions. `training`: of the request's objective, read
/// before.
ReadJob read_job(ObjectReader& request, std::shared_ptr<const Architecture> model,
                 const std::optional<TrainingObjective>& training, const EngineConstants& constants,
                 const Gpu* gpu, const Catalog& catalog);

/// The model with so many rows more in embedding and head as "added_tokens" says, for tokens of
/// one's own, rounded up to "vocab_multiple", and with its further predictions where "mtp" keeps
/// them.
std::shared_ptr<const Architecture> model_as_run(ObjectReader& request,
                                                 std::shared_ptr<const Architecture> model);

/// "none", "optimizer", "params", "all".
const char* offload_name(const Layout& layout);

}  // namespace sizesheet
