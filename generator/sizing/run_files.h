// SPDX-License-Identifier: Apache-2.0
// What a run leaves on disk and holds in host memory: adapter file, checkpoints, base weights.
#pragma once

#include <cstdint>
#include <vector>

#include "sizing/answer.h"
#include "sizing/job.h"

namespace sizesheet {

/// `host_per_gpu`: bytes that one rank keeps in host memory (MemoryBill::host).
RunFiles run_files(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node);

/// The same four with their formulas, in the order of the members: adapter_bytes … disk_bytes.
std::vector<MemoryTerm> run_file_terms(const Job& job, std::int64_t host_per_gpu,
                                       std::int64_t gpus_per_node);

}  // namespace sizesheet
