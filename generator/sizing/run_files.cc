// SPDX-License-Identifier: Apache-2.0
#include "sizing/run_files.h"

#include <algorithm>
#include <cmath>

#include "sizing/numbers.h"
#include "sizing/parameters.h"
#include "sizing/pieces.h"

namespace sizesheet {
namespace {

/// The four figures of a run before they are rounded.
template <typename N>
struct Files {
  N adapter = 0.0;
  N checkpoint = 0.0;
  N host_memory = 0.0;
  N disk = 0.0;
};

template <typename N>
Files<N> files_of(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node) {
  const N trained = input<N>("trainable", static_cast<double>(trainable_parameters(job)));
  const N weight = input<N>("weight_bytes", job.state.weight);
  const double moments = job.state.bf16_moments ? job.optimizer.matrix_bf16 : job.optimizer.matrix;
  Files<N> files;
  if (!job.full()) files.adapter = trained * weight;
  files.checkpoint = trained * (weight + input<N>("master_bytes", job.state.master) +
                                input<N>("moment_bytes", moments));
  // The base is published in 16 bits, whatever a run quantises it to.
  const N base = input<N>("parameters", static_cast<double>(count_parameters(*job.model).total())) *
                 input<N>("base_bytes", job.constants->value("files.base_bytes"));
  const std::int64_t ranks = std::min(job.layout.gpus(), gpus_per_node);
  files.host_memory = input<N>("ranks_in_node", static_cast<double>(ranks)) *
                          input<N>("host_per_gpu", static_cast<double>(host_per_gpu)) +
                      base;
  files.disk = base + files.adapter +
               input<N>("kept", job.constants->value("files.kept_checkpoints")) * files.checkpoint;
  return files;
}

}  // namespace

RunFiles run_files(const Job& job, std::int64_t host_per_gpu, std::int64_t gpus_per_node) {
  const Files<double> files = files_of<double>(job, host_per_gpu, gpus_per_node);
  return {whole_bytes(files.adapter), whole_bytes(files.checkpoint), whole_bytes(files.host_memory),
          whole_bytes(files.disk)};
}

std::vector<MemoryTerm> run_file_terms(const Job& job, std::int64_t host_per_gpu,
                                       std::int64_t gpus_per_node) {
  const Files<Traced> files = files_of<Traced>(job, host_per_gpu, gpus_per_node);
  const char* const source = "method.html#files";
  const auto term = [&](const char* name, const char* title, const Traced& bytes) {
    return MemoryTerm{name, title, whole_bytes(bytes.value()), formula_of(bytes), source};
  };
  return {term("adapter_bytes", "Adapter file", files.adapter),
          term("checkpoint_bytes", "One checkpoint", files.checkpoint),
          term("host_memory_bytes", "Host memory of a node", files.host_memory),
          term("disk_bytes", "Disk", files.disk)};
}

}  // namespace sizesheet
