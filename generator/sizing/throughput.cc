// SPDX-License-Identifier: Apache-2.0
#include "sizing/throughput.h"

#include <algorithm>
#include <cmath>

#include "sizing/parameters.h"
#include "sizing/pieces.h"

namespace sizesheet {
namespace {

double as_double(std::int64_t count) { return static_cast<double>(count); }

/// Parameters and layers that communication moves.
struct Traffic {
  double dense = 0;  ///< per rank: everything but routed experts, over tp and pp
  double expert = 0;
  double trained_dense = 0;
  double trained_expert = 0;
  double projections = 0;  ///< quantised matrices per rank
  double attention_layers = 0;
  double expert_layers = 0;
  double kv_width = 0;           ///< of the widest attention
  double experts_per_token = 0;  ///< of the widest mixture
};

void add_layers(const Architecture& model, Traffic& traffic) {
  for (const BlockRun& run : model.runs) {
    if (run.block.attention) {
      const Attention& attention = *run.block.attention;
      traffic.attention_layers += as_double(run.count);
      traffic.kv_width =
          std::max(traffic.kv_width, as_double(attention.kv_heads * attention.head_dim));
    }
    if (!run.block.moe) continue;
    traffic.expert_layers += as_double(run.count);
    traffic.experts_per_token =
        std::max(traffic.experts_per_token, as_double(run.block.moe->experts_per_token));
  }
}

Traffic traffic_of(const Job& job) {
  const ComponentCounts counts = count_parameters(*job.model);
  const double ranks = as_double(job.layout.tp * job.layout.pp);
  const double experts = as_double(job.layout.expert_split() * job.layout.pp);
  Traffic traffic;
  traffic.dense = as_double(counts.total() - counts.experts) / ranks;
  traffic.expert = as_double(counts.experts) / experts;
  traffic.projections = 0;
  for (const BlockRun& run : job.model->runs) {
    const SplitCounts split = split_parameters(*job.model, run.block);
    traffic.projections +=
        as_double(run.count * split.matrix) / ranks + as_double(run.count * split.expert) / experts;
  }
  traffic.trained_dense = job.full() ? traffic.dense : as_double(trainable_parameters(job)) / ranks;
  traffic.trained_expert = job.full() ? traffic.expert : 0;
  add_layers(*job.model, traffic);
  return traffic;
}

struct Links {
  double ring = 0;  ///< bytes/s: all-gather, reduce-scatter, all-reduce over data-parallel ranks
  double node = 0;  ///< bytes/s inside a node
  double all_to_all = 0;  ///< bytes/s per GPU between expert-parallel ranks
};

Links links_of(const Job& job, const Gpu& gpu, const GpuSpeed& speed) {
  const double node = speed.bus_gb_per_s * 1e9;
  const double network = job.constants->value("throughput.node_gb_per_s") * 1e9;
  const bool inside = job.layout.shard_ranks() * job.layout.tp <= gpu.gpus_per_node;
  // A ring enters each node once and spreads over all its network cards; an all-to-all between
  // nodes gets one card per GPU.
  Links links;
  links.ring = inside ? node : std::min(node, network);
  links.node = node;
  links.all_to_all =
      job.layout.ep <= gpu.gpus_per_node ? node : network / as_double(gpu.gpus_per_node);
  return links;
}

/// Bytes of all-gather and gradient reduction per micro-batch on one rank, for one kind of
/// parameter held alike by `shards` ranks.
double exchanged_bytes(const Job& job, double parameters, double trained, double shards,
                       double replicas, double weight_bytes) {
  const bool fp32_gradients = job.layout.reduce_fp32 || job.state.id == "megatron";
  const double gradient_bytes = trained * (fp32_gradients ? 4 : 2);
  if (job.layout.shard == Shard::kZero3) {
    return (shards - 1) / shards * (parameters * weight_bytes * 2 + gradient_bytes);
  }
  if (replicas <= 1) return 0;
  return 2 * (replicas - 1) / replicas * gradient_bytes / as_double(job.grad_accum);
}

double data_parallel_seconds(const Job& job, const Traffic& traffic, double bytes_per_s) {
  const Layout& layout = job.layout;
  if (layout.replicas() <= 1) return 0;
  const double dense =
      exchanged_bytes(job, traffic.dense, traffic.trained_dense, as_double(layout.shard_ranks()),
                      as_double(layout.replicas()), job.quantised() ? base_bytes(job) : 2);
  const double edp = as_double(layout.expert_shard_ranks());
  const double expert = exchanged_bytes(job, traffic.expert, traffic.trained_expert, edp, edp,
                                        job.quantised() ? expert_base_bytes(job) : 2);
  return (dense + expert) / bytes_per_s;
}

/// All-gather and reduce-scatter pairs of tensor parallelism, forward, backward and recompute;
/// exposed.
double tensor_parallel_seconds(const Job& job, double bytes_per_s) {
  const double tp = as_double(job.layout.tp);
  if (tp <= 1) return 0;
  const double passes = job.repeats_forward() ? 8 : 6;
  const double layers = as_double(job.model->layers()) / as_double(job.layout.pp);
  return passes * layers * (tp - 1) / tp * job.tokens_per_rank() * 2 *
         as_double(job.model->hidden) / bytes_per_s;
}

/// Two all-to-alls of an expert layer forward and two backward, two more to recompute; exposed.
double expert_parallel_seconds(const Job& job, const Traffic& traffic, double bytes_per_s) {
  const double ep = as_double(job.layout.ep);
  if (ep <= 1) return 0;
  const double passes = job.repeats_forward() ? 6 : 4;
  return passes * traffic.expert_layers / as_double(job.layout.pp) * (ep - 1) / ep *
         job.tokens_per_rank() * traffic.experts_per_token * 2 * as_double(job.model->hidden) /
         bytes_per_s;
}

/// Keys and values around the ring, once forward and twice backward; hidden like data parallelism.
double context_parallel_seconds(const Job& job, const Traffic& traffic, double bytes_per_s) {
  const double cp = as_double(job.layout.cp);
  if (cp <= 1) return 0;
  const double tokens = job.tokens_per_rank() * cp;
  return 3 * traffic.attention_layers / as_double(job.layout.pp) * (cp - 1) / cp * tokens * 2 *
         traffic.kv_width / as_double(job.layout.tp) * 2 / bytes_per_s;
}

double dequantise_seconds(const Job& job, const Traffic& traffic, const Gpu& gpu) {
  if (!job.quantised()) return 0;
  const double passes = job.repeats_forward() ? 3 : 2;
  const double bandwidth = gpu.bandwidth_gb_per_s * 1e9 * job.constants->value("dequant.hbm_share");
  return passes * traffic.projections * job.constants->value("dequant.bytes_per_parameter") /
         bandwidth;
}

/// Dense peak of the precision in use, FLOP/s; 0 when the catalog does not say.
double peak_of(const Job& job, const Gpu& gpu) {
  const std::optional<double>& peak = job.precision == Precision::kFp8    ? gpu.fp8_dense_tflops
                                      : job.precision == Precision::kFp16 ? gpu.fp16_dense_tflops
                                                                          : gpu.bf16_dense_tflops;
  return peak.value_or(0) * 1e12;
}

double efficiency_of(const Job& job, const Traffic& traffic, const GpuSpeed& speed) {
  double efficiency = speed.matmul_efficiency;
  if (!job.full()) efficiency *= job.constants->value("throughput.lora_efficiency");
  if (traffic.expert_layers > 0) efficiency *= job.constants->value("throughput.moe_efficiency");
  if (job.precision == Precision::kFp8)
    efficiency *= job.constants->value("throughput.fp8_efficiency");
  return efficiency;
}

/// Idle share of a pipeline: (pp - 1) / (vpp * micro-batches).
double bubble_of(const Job& job) {
  return as_double(job.layout.pp - 1) / as_double(job.grad_accum * job.layout.vpp);
}

double to_ten_thousandths(double hours) { return std::floor(hours * 1e4 + 0.5) / 1e4; }

}  // namespace

std::optional<Throughput> throughput(const Job& job, const Gpu& gpu) {
  const auto entry = job.constants->speeds.find(gpu.id);
  const double peak = peak_of(job, gpu);
  if (entry == job.constants->speeds.end() || peak <= 0) return std::nullopt;
  const Links links = links_of(job, gpu, entry->second);
  if (job.layout.gpus() > 1 && links.ring <= 0) return std::nullopt;
  const Traffic traffic = traffic_of(job);
  const TokenFlops flops = flops_per_token(job);
  const double ranks = as_double(job.layout.tp * job.layout.pp);
  const double compute = job.tokens_per_rank() * flops.hardware / ranks /
                             (peak * efficiency_of(job, traffic, entry->second)) +
                         dequantise_seconds(job, traffic, gpu);
  const double exchange = data_parallel_seconds(job, traffic, links.ring) +
                          context_parallel_seconds(job, traffic, links.ring);
  const double exposed = 1 - job.constants->value("throughput.overlap");
  double seconds = std::max(compute, exchange) + exposed * std::min(compute, exchange);
  seconds += tensor_parallel_seconds(job, links.node) +
             expert_parallel_seconds(job, traffic, links.all_to_all);
  seconds *= 1 + bubble_of(job);
  Throughput result;
  result.tokens_per_second_per_gpu = job.tokens_per_rank() / seconds / ranks;
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
