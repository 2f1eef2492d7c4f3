// SPDX-License-Identifier: Apache-2.0
#include "sizing/throughput.h"

#include <algorithm>
#include <cmath>

namespace sizesheet {
namespace {

struct ForwardFlops {
  double matmul = 0;     ///< projections and head
  double attention = 0;  ///< causal scores and values
  double head = 0;
};

ForwardFlops forward_flops(const Job& job, const ModelSums& sums) {
  ForwardFlops flops;
  flops.head = 2.0 * static_cast<double>(job.model->vocab) * static_cast<double>(job.model->hidden);
  flops.matmul = 2.0 * sums.matrix + flops.head;
  for (const BlockRun& run : job.model->runs) {
    if (!run.block.attention) continue;
    const double width = static_cast<double>(run.block.attention->heads) *
                         static_cast<double>(run.block.attention->head_dim);
    flops.attention +=
        static_cast<double>(run.count) * 2.0 * static_cast<double>(job.seq_len) * width;
  }
  return flops;
}

double recomputed(const Job& job, const ForwardFlops& forward) {
  switch (job.recompute) {
    case Recompute::kFull:
      return forward.matmul - forward.head + forward.attention;
    case Recompute::kSelective:
      return 0.5 * (forward.matmul - forward.head);
    default:
      return 0;
  }
}

struct Links {
  double ring_bytes_per_s =
      0;  ///< all-gather, reduce-scatter, all-reduce over the data-parallel ranks
  double node_bytes_per_s = 0;  ///< tensor parallelism
};

Links links_of(const Job& job, const Gpu& gpu, const GpuSpeed& speed) {
  const double node = speed.bus_gb_per_s * 1e9;
  const bool inside = job.layout.shard_ranks() * job.layout.tp <= gpu.gpus_per_node;
  // A ring enters each node once and spreads over all its network cards.
  const double across = std::min(node, job.constants->value("throughput.node_gb_per_s") * 1e9);
  return {inside ? node : across, node};
}

/// Seconds of all-gather and gradient reduction per micro-batch on one rank.
double data_parallel_seconds(const Job& job, const ModelSums& sums, double bytes_per_s) {
  const double n = static_cast<double>(job.layout.dp);
  if (n <= 1) return 0;
  const double tp = static_cast<double>(job.layout.tp);
  const double s = static_cast<double>(job.layout.shard_ranks());
  const double parameters = (sums.matrix + sums.replicated + sums.root) / tp;
  const double trained = job.full() ? parameters : static_cast<double>(sums.adapters.total()) / tp;
  const bool fp32_gradients = job.layout.reduce_fp32 || job.state.id == "megatron";
  const double gradient_bytes = trained * (fp32_gradients ? 4 : 2);
  if (job.layout.shard != Shard::kZero3) {
    return 2 * (n - 1) / n * gradient_bytes / bytes_per_s / static_cast<double>(job.grad_accum);
  }
  const double weight_bytes = job.nf4() ? nf4_bytes(*job.constants, job.double_quant) : 2;
  const double gather = (s - 1) / s * parameters * weight_bytes * 2;
  return (gather + (s - 1) / s * gradient_bytes) / bytes_per_s;
}

/// All-gather and reduce-scatter pairs of tensor parallelism, forward, backward and recompute;
/// exposed.
double tensor_parallel_seconds(const Job& job, double bytes_per_s) {
  const double tp = static_cast<double>(job.layout.tp);
  if (tp <= 1) return 0;
  const double passes = job.recompute == Recompute::kFull ? 8 : 6;
  const double layers = static_cast<double>(job.model->layers());
  return passes * layers * (tp - 1) / tp * job.tokens_per_rank() * 2 *
         static_cast<double>(job.model->hidden) / bytes_per_s;
}

double dequantise_seconds(const Job& job, const ModelSums& sums, const Gpu& gpu) {
  if (!job.nf4()) return 0;
  const double passes = job.recompute == Recompute::kFull ? 3 : 2;
  const double bandwidth = gpu.bandwidth_gb_per_s * 1e9 * job.constants->value("dequant.hbm_share");
  return passes * sums.matrix / static_cast<double>(job.layout.tp) *
         job.constants->value("dequant.bytes_per_parameter") / bandwidth;
}

double to_ten_thousandths(double hours) { return std::floor(hours * 1e4 + 0.5) / 1e4; }

}  // namespace

TokenFlops flops_per_token(const Job& job, const ModelSums& sums) {
  const ForwardFlops forward = forward_flops(job, sums);
  TokenFlops flops;
  if (job.full()) {
    flops.model = 3 * (forward.matmul + forward.attention);
  } else {
    flops.model =
        2 * forward.matmul + 3 * forward.attention + 6 * static_cast<double>(sums.adapters.total());
  }
  flops.hardware = flops.model + recomputed(job, forward);
  return flops;
}

std::optional<Throughput> throughput(const Job& job, const ModelSums& sums, const Gpu& gpu) {
  const auto entry = job.constants->speeds.find(gpu.id);
  if (entry == job.constants->speeds.end() || !gpu.bf16_dense_tflops) return std::nullopt;
  const GpuSpeed& speed = entry->second;
  const Links links = links_of(job, gpu, speed);
  if (job.layout.gpus() > 1 && links.ring_bytes_per_s <= 0) return std::nullopt;
  const double peak = *gpu.bf16_dense_tflops * 1e12;
  const double efficiency = speed.matmul_efficiency *
                            (job.full() ? 1.0 : job.constants->value("throughput.lora_efficiency"));
  const TokenFlops flops = flops_per_token(job, sums);
  const double tp = static_cast<double>(job.layout.tp);
  const double compute = job.tokens_per_rank() * flops.hardware / tp / (peak * efficiency) +
                         dequantise_seconds(job, sums, gpu);
  const double exchange =
      job.layout.dp > 1 ? data_parallel_seconds(job, sums, links.ring_bytes_per_s) : 0;
  const double exposed = 1 - job.constants->value("throughput.overlap");
  double seconds = std::max(compute, exchange) + exposed * std::min(compute, exchange);
  if (job.layout.tp > 1) seconds += tensor_parallel_seconds(job, links.node_bytes_per_s);
  Throughput result;
  result.tokens_per_second_per_gpu = job.tokens_per_rank() / seconds / tp;
  result.flops_per_token = flops.model;
  result.mfu = result.tokens_per_second_per_gpu * flops.model / peak;
  return result;
}

std::optional<Hours> run_hours(const Job& job, const Throughput& speed) {
  if (!job.tokens) return std::nullopt;
  const double per_second =
      speed.tokens_per_second_per_gpu * static_cast<double>(job.layout.gpus());
  const double hours = *job.tokens / per_second / 3600;
  return Hours{to_ten_thousandths(hours * job.constants->value("throughput.time_low")),
               to_ten_thousandths(hours),
               to_ten_thousandths(hours * job.constants->value("throughput.time_high"))};
}

}  // namespace sizesheet
