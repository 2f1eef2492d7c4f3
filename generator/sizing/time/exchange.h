// SPDX-License-Identifier: Apache-2.0
// What the ranks of a layout send each other in one step, and how long the links take for it.
#pragma once

#include <cstdint>

namespace sizesheet {

struct Gpu;
struct GpuSpeed;
struct Job;
struct RankParameters;

RankParameters rank_parameters(const Job& job);

/// Seconds on the links, before any of it hides behind computing.
struct LinkTimes {
  double tensor = 0;   ///< tensor parallelism, per micro-batch
  double expert = 0;   ///< all-to-alls of expert parallelism, per micro-batch
  double context = 0;  ///< keys and values around the ring, per micro-batch
  double gather = 0;   ///< sharded weights and their gradients, per micro-batch
  double latency = 0;  ///< of those collectives, per micro-batch
  double host = 0;     ///< weights or activations kept on the host, per micro-batch
  double reduce = 0;   ///< gradients of whole weights, once a step
};

LinkTimes exchange_of(const Job& job, const Gpu& gpu, const GpuSpeed& speed,
                      const RankParameters& held);

/// Bytes a second and GPU of a ring over `ranks` GPUs that stand `stride` apart: the link inside a
/// node, or the network cards of those that share one.
double ring_rate(const Job& job, const Gpu& gpu, const GpuSpeed& speed, std::int64_t ranks,
                 std::int64_t stride);

/// Bytes that one rank sends in an optimizer step for weights and gradients: what data parallelism
/// costs the links. Collectives inside the model's own splits are not counted.
double data_parallel_bytes(const Job& job);

/// Trainable parameters whose states one rank steps, divided by ZeRO where the layout does.
double stepped_parameters(const Job& job, const RankParameters& held);

}  // namespace sizesheet
