// SPDX-License-Identifier: Apache-2.0
// What the ranks of a layout send each other in one step, and how long the links take for it.
#pragma once

#include "catalog/gpu.h"
#include "sizing/job.h"

namespace sizesheet {

/// Seconds on the links, before any of it hides behind computing.
struct StepExchange {
  double tensor = 0;   ///< tensor parallelism, per micro-batch
  double expert = 0;   ///< all-to-alls of expert parallelism, per micro-batch
  double context = 0;  ///< keys and values around the ring, per micro-batch
  double gather = 0;   ///< sharded weights and their gradients, per micro-batch
  double latency = 0;  ///< of those collectives, per micro-batch
  double host = 0;     ///< weights or activations kept on the host, per micro-batch
  double reduce = 0;   ///< gradients of whole weights, once a step
};

StepExchange exchange_of(const Job& job, const Gpu& gpu, const GpuSpeed& speed);

/// Bytes a second and GPU of a ring over `ranks` GPUs that stand `stride` apart: the link inside a
/// node, or the network cards of those that share one.
double ring_rate(const Job& job, const Gpu& gpu, const GpuSpeed& speed, std::int64_t ranks,
                 std::int64_t stride);

/// Trainable parameters whose states one rank steps, dense and routed.
struct SteppedParameters {
  double dense = 0;
  double expert = 0;

  double total() const { return dense + expert; }
};

/// On one rank, divided by ZeRO where the layout does.
SteppedParameters stepped_parameters(const Job& job);

}  // namespace sizesheet
