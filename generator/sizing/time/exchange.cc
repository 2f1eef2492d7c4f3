// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/exchange.h"

#include <algorithm>
#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/tower.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/time/clocks.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Bytes a second of one GPU's network card.
double nic_rate(const Job& job, const GpuSpeed& speed) {
  return 1e9 * speed.nic_gb_per_s.value_or(job.constants->value("throughput.nic_gb_per_s"));
}

/// Of a ring over n ranks, what each sends of a tensor.
double ring_share(double ranks) { return ranks > 1 ? (ranks - 1) / ranks : 0; }

double gradient_bytes(const Job& job) {
  return job.layout.reduce_fp32 || job.state.reduces_in_fp32 ? 4 : 2;
}

/// Bytes that one rank sends; dense parameters and routed experts have rings of their own.
struct Sent {
  double dense = 0;
  double expert = 0;

  double seconds(double dense_rate, double expert_rate) const {
    return dense / dense_rate + expert / expert_rate;
  }
};

/// What each rank sends of so many bytes, around the rings of those that share them.
Sent around_shards(const Layout& layout, double dense, double expert) {
  return {ring_share(as_double(layout.shard_ranks())) * dense,
          ring_share(as_double(layout.expert_shard_ranks())) * expert};
}

/// A reduction of the gradients to their shards.
Sent scattered(const Job& job, const RankParameters& held) {
  const double gradient = gradient_bytes(job);
  return around_shards(job.layout, held.trained_dense * gradient, held.trained_expert * gradient);
}

/// Of every micro-batch: two gathers of the weights, one for each pass without gradient, and a
/// reduction of the gradients unless they wait for the last one.
Sent gathered(const Job& job, const RankParameters& held) {
  const double trained = job.fp8_params ? 1 : 2;
  const double base = job.full() ? trained : base_bytes(job);
  const double expert_base = job.full() ? trained : expert_base_bytes(job);
  const double gradient = keeps_whole_gradients(job) ? 0 : gradient_bytes(job);
  const double gathers = 2 + job.ungraded_passes();
  const double teacher = job.training && job.training->teacher
                             ? 2 * as_double(count_parameters(*job.training->teacher).total()) /
                                   as_double(job.layout.tp * job.layout.pp)
                             : 0;
  return around_shards(job.layout,
                       gathers * held.dense * base + teacher + held.trained_dense * gradient,
                       gathers * held.expert * expert_base + held.trained_expert * gradient);
}

/// One all-reduce a step; with sharded states a reduction and a gather of the bf16 weights.
Sent reduced(const Job& job, const RankParameters& held) {
  const double gradient = gradient_bytes(job);
  const double bytes = job.layout.shard == Shard::kNone ? 2 * gradient : gradient + 2;
  return {ring_share(as_double(job.layout.replicas())) * held.trained_dense * bytes,
          ring_share(as_double(job.layout.expert_shard_ranks())) * held.trained_expert * bytes};
}

/// Some ranks hold the same parameters. Where one has the dense ones, tensor-parallel ranks may
/// still hold the same experts.
bool reduces(const Job& job) {
  return job.layout.replicas() > 1 ||
         (has_experts(*job.model) && job.layout.expert_shard_ranks() > 1);
}

void add_data_parallel(const Job& job, const Gpu& gpu, const GpuSpeed& speed,
                       const RankParameters& held, LinkTimes& found) {
  const Layout& layout = job.layout;
  if (!reduces(job)) return;
  const double dense = ring_rate(job, gpu, speed, layout.replicas(), layout.tp);
  // Ranks that hold the same experts stand this far apart.
  const std::int64_t stride = std::max<std::int64_t>(
      1, layout.replicas() * layout.tp / std::max<std::int64_t>(1, layout.expert_shard_ranks()));
  const double expert = ring_rate(job, gpu, speed, layout.expert_shard_ranks(), stride);
  if (layout.shard != Shard::kZero3) {
    found.reduce = reduced(job, held).seconds(dense, expert);
    return;
  }
  const double group = ring_rate(job, gpu, speed, layout.shard_ranks(), layout.tp);
  found.gather = gathered(job, held).seconds(group, expert);
  if (keeps_whole_gradients(job)) found.reduce = scattered(job, held).seconds(group, expert);
  if (layout.shard_ranks() < layout.replicas()) {  // replicas of the sharded groups
    found.reduce += reduced(job, held).seconds(dense, expert) / as_double(layout.shard_ranks());
  }
  const double collectives = ((keeps_whole_gradients(job) ? 2 : 3) + job.ungraded_passes()) *
                             as_double(job.model->layers()) / as_double(layout.pp);
  found.latency = collectives * as_double(layout.shard_ranks() - 1) *
                  job.constants->value("throughput.collective_latency_us") * 1e-6;
}

/// Four all-gathers or reduce-scatters a layer forward, four backward, four to recompute, and as
/// many for each pass without gradient.
double tensor_seconds(const Job& job, const GpuSpeed& speed) {
  const double tp = as_double(job.layout.tp);
  if (tp <= 1) return 0;
  const double passes = 8 + 4 * (job.repeated_share() + job.ungraded_passes());
  const double layers = as_double(job.model->layers()) / as_double(job.layout.pp);
  const double rate =
      speed.bus_gb_per_s * 1e9 * job.constants->value("throughput.tensor_bus_share");
  return passes * layers * ring_share(tp) * job.tokens_per_rank() * 2 *
         as_double(job.model->hidden) / rate;
}

/// Dispatch and combine, forward, backward and to recompute. Inside a node a token goes to every
/// expert it visits; to another node it goes once, however many of its experts stand there.
double expert_seconds(const Job& job, const Gpu& gpu, const GpuSpeed& speed) {
  const double ep = as_double(job.layout.ep);
  if (ep <= 1) return 0;
  double layers = 0;
  double width = 0;
  double visits = 0;
  for (const BlockRun& run : job.model->runs) {
    if (!run.block.moe) continue;
    const Moe& moe = *run.block.moe;
    layers += as_double(run.count);
    width = as_double(moe.latent_size > 0 ? moe.latent_size : job.model->hidden);
    visits = std::max(visits, as_double(moe.experts_per_token));
  }
  const bool again = job.repeats_forward() || job.recompute_modules.contains("moe");
  const double share = job.constants->value("throughput.all_to_all_share");
  const double exchanges = (again ? 6 : 4) + 2 * job.ungraded_passes();
  const double bytes = exchanges * layers / as_double(job.layout.pp) * job.tokens_per_rank() * 2 *
                       width / as_double(job.layout.tp);
  const double inside = bytes * visits * ring_share(ep) / (speed.bus_gb_per_s * 1e9 * share);
  // Ranks that divide the experts stand side by side, folded over those of tensor parallelism.
  const double nodes = as_double(job.layout.expert_split()) / as_double(gpu.gpus_per_node);
  if (nodes <= 1) return inside;
  const double visited = (nodes - 1) * (1 - std::pow(1 - 1 / nodes, visits));
  const double nic = nic_rate(job, speed) * share;
  return std::max(inside, bytes * visited / nic);
}

/// Keys and values around the ring, once forward and twice backward.
double context_seconds(const Job& job, const Gpu& gpu, const GpuSpeed& speed) {
  const double cp = as_double(job.layout.cp);
  if (cp <= 1) return 0;
  const double width = over_blocks(*job.model, [](const Block& block) {
    return block.attention ? as_double(block.attention->kv_heads * block.attention->head_dim) : 0;
  });
  const double bytes = (3 + job.ungraded_passes()) * 2 * 2 * width * job.tokens_per_rank() * cp *
                       ring_share(cp) / as_double(job.layout.tp * job.layout.pp);
  return bytes / ring_rate(job, gpu, speed, job.layout.cp, job.layout.tp);
}

/// Sharded weights come up for forward and for backward, gradients go down; kept activations go
/// down and come up again.
double host_seconds(const Job& job, const GpuSpeed& speed, const RankParameters& held) {
  if (!job.layout.offload_params && !job.activation_offload) return 0;
  const double rate = speed.host_link_gb_per_s * 1e9;
  double bytes = 0;
  if (job.layout.offload_params) {
    const double base = job.full() ? 2 : base_bytes(job);
    bytes += ((2 + job.ungraded_passes()) * (held.dense + held.expert) * base +
              2 * (held.trained_dense + held.trained_expert)) /
             as_double(job.layout.shard_ranks());
  }
  if (job.activation_offload) {
    bytes += 2 * memory_pieces<double>(job, stages_of(job).front()).host_activations;
  }
  return bytes / rate;
}

}  // namespace

RankParameters rank_parameters(const Job& job) {
  const ComponentCounts counts = count_parameters(*job.model);
  const double ranks = as_double(job.layout.tp * job.layout.pp);
  RankParameters found;
  found.dense = as_double(counts.total() - counts.experts) / ranks;
  found.expert = as_double(counts.experts) / as_double(job.layout.expert_split() * job.layout.pp);
  found.trained_dense = job.full() ? found.dense : as_double(trainable_parameters(job)) / ranks;
  const TowerState tower = tower_state(job);
  found.dense += tower.frozen + tower.trained;
  if (job.full()) found.trained_dense += tower.trained;
  found.trained_expert = job.full() ? found.expert : 0;
  return found;
}

double ring_rate(const Job& job, const Gpu& gpu, const GpuSpeed& speed, std::int64_t ranks,
                 std::int64_t stride) {
  const double node = speed.bus_gb_per_s * 1e9;
  if (ranks * stride <= gpu.gpus_per_node) return node;
  // A ring enters each node once and spreads over the network cards of its GPUs there.
  const std::int64_t inside = std::max<std::int64_t>(1, gpu.gpus_per_node / stride);
  return std::min(node, as_double(inside) * nic_rate(job, speed));
}

double data_parallel_bytes(const Job& job) {
  const Layout& layout = job.layout;
  if (!reduces(job)) return 0;
  const RankParameters held = rank_parameters(job);
  const Sent whole = reduced(job, held);
  if (layout.shard != Shard::kZero3) return whole.dense + whole.expert;
  const Sent sharded = gathered(job, held);
  const bool groups = layout.shard_ranks() < layout.replicas();
  const Sent last = keeps_whole_gradients(job) ? scattered(job, held) : Sent();
  return as_double(job.grad_accum) * (sharded.dense + sharded.expert) + last.dense + last.expert +
         (groups ? (whole.dense + whole.expert) / as_double(layout.shard_ranks()) : 0);
}

double stepped_parameters(const Job& job, const RankParameters& held) {
  if (job.layout.shard == Shard::kNone) return held.trained_dense + held.trained_expert;
  return held.trained_dense / as_double(job.layout.shard_ranks()) +
         held.trained_expert / as_double(job.layout.expert_shard_ranks());
}

LinkTimes exchange_of(const Job& job, const Gpu& gpu, const GpuSpeed& speed,
                      const RankParameters& held) {
  LinkTimes found;
  found.host = host_seconds(job, speed, held);
  if (job.layout.gpus() == 1) return found;
  add_data_parallel(job, gpu, speed, held, found);
  found.tensor = tensor_seconds(job, speed);
  found.expert = expert_seconds(job, gpu, speed);
  found.context = context_seconds(job, gpu, speed);
  return found;
}

}  // namespace sizesheet
