// SPDX-License-Identifier: Apache-2.0
// What a run leaves on disk and holds in host memory: adapter file, checkpoints, base weights.
#pragma once

#include <cstdint>
#include <vector>

#include "sizing/answer.h"
#include "sizing/job.h"

namespace sizesheet {

/// Bytes. Everything is of the whole run but host memory, which is of one node.
struct FileBill {
  std::int64_t adapter = 0;      ///< 0 for full fine-tuning
  std::int64_t checkpoint = 0;   ///< one from which the run resumes: trained weights, optimizer
  std::int64_t host_memory = 0;  ///< pinned states of its ranks, and the checkpoint while it loads
  std::int64_t disk = 0;         ///< base weights, the checkpoints that are kept, the adapter file
};

/// `host_per_gpu`: bytes that one rank keeps in host memory (MemoryBill::host).
FileBill run_files(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node);

/// The same four with their formulas, in the order of the members: adapter_bytes … disk_bytes.
std::vector<MemoryTerm> run_file_terms(const Job& job, std::int64_t host_per_gpu,
                                       std::int64_t gpus_per_node);

}  // namespace sizesheet
