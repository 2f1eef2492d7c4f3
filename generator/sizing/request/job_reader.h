// SPDX-License-Identifier: Apache-2.0
// A request object read into a Job, part by part.
#pragma once

#include <memory>

#include "support/json.h"

namespace sizesheet {

struct Architecture;
struct JobBasis;
struct Layout;
struct ReadJob;

/// Keys of an estimate request but id, model, gpu and stack. Faults go to the reader's collector.
/// The GPU of the basis gives `hsdp` its shard group and decides between bf16 and fp16.
ReadJob read_job(ObjectReader& request, const JobBasis& basis);

/// The model with so many rows more in embedding and head as "added_tokens" says, for tokens of
/// one's own, rounded up to "vocab_multiple", and with its further predictions where "mtp" keeps
/// them.
std::shared_ptr<const Architecture> model_as_run(ObjectReader& request,
                                                 std::shared_ptr<const Architecture> model);

/// "none", "optimizer", "params", "all".
const char* offload_name(const Layout& layout);

}  // namespace sizesheet
