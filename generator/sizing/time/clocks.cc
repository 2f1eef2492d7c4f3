// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/clocks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sizing/memory/pieces.h"
#include "sizing/request/job_reader.h"

namespace sizesheet {
namespace {

/// Half of the efficiency at `half` rows, all of it far beyond.
double saturated(double rows, double half) { return rows / (rows + half); }

double matmul_seconds(const Job& job, const StepWork& work, double rate) {
  const EngineConstants& constants = *job.constants;
  const double rows = job.tokens_per_rank();
  double seconds =
      work.matmul_flops / (rate * saturated(rows, constants.value("throughput.half_tokens")));
  if (work.expert_flops <= 0) return seconds;
  // A loop over the experts runs plain products.
  const bool looped = !job.fused_ops && constants.value("experts.eager_loop") != 0;
  const double grouped =
      (looped ? 1 : constants.value("throughput.moe_efficiency")) *
      saturated(work.tokens_per_expert, constants.value("throughput.expert_half_tokens"));
  return seconds + work.expert_flops / (rate * grouped);
}

double attention_seconds(const Job& job, const StepWork& work, const GpuSpeed& speed, double peak) {
  // A plain kernel is matrix products; that it writes the scores is in the memory clock.
  double share = job.attention == AttentionKernel::kEager ? speed.matmul_efficiency
                                                          : speed.attention_efficiency;
  // Attention that adds a bias to its scores (ALiBi) does not run on the fastest kernels.
  static const std::set<std::string> kBiased = {"mpt", "bloom"};
  if (kBiased.contains(job.model->model_type))
    share *= job.constants->value("throughput.biased_attention");
  return work.attention_flops / (peak * share);
}

/// What the GPU waits for kernels and gathers that its host launches one by one: little while each
/// of them runs longer than the launch of the next.
double launch_wait(const Job& job, const StepWork& work, double busy) {
  const EngineConstants& constants = *job.constants;
  const double each = constants.value(job.fused_ops ? ConstantName("throughput.fused_launch_us")
                                                    : ConstantName("throughput.eager_launch_us"));
  const double unit = constants.value("throughput.fsdp_unit_us");
  const double launching = (work.kernels * each + work.gathered_units * unit) * 1e-6;
  return std::cbrt(launching * launching * launching + busy * busy * busy) - busy;
}

/// Clocks of one micro-batch that the GPU itself runs.
StepClocks computing(const Job& job, const Gpu& gpu, const GpuSpeed& speed, double peak,
                     const StepWork& work) {
  const EngineConstants& constants = *job.constants;
  const double bf16 = gpu.bf16_dense_tflops.value_or(gpu.fp16_dense_tflops.value_or(0)) * 1e12;
  const double memory = gpu.bandwidth_gb_per_s * 1e9;
  const double moved = memory * constants.value("throughput.hbm_share");
  StepClocks clocks;
  const bool fp8 = job.precision == Precision::kFp8;
  const double share =
      speed.matmul_efficiency * (fp8 ? constants.value("throughput.fp8_efficiency") : 1);
  clocks.matmul = matmul_seconds(job, work, peak * share);
  clocks.attention = attention_seconds(job, work, speed, bf16);
  clocks.scan = work.scan_flops / (bf16 * constants.value("throughput.scan_efficiency"));
  clocks.memory = (work.layer_bytes + work.logit_bytes) / moved;
  clocks.adapters = work.adapter_bytes / moved;
  clocks.dequantise = work.dequantised * constants.value("dequant.bytes_per_parameter") /
                      (memory * constants.value("dequant.hbm_share"));
  clocks.launch = launch_wait(job, work, clocks.total());
  return clocks;
}

/// Of what the links do, the part that computing does not hide.
double exposed(double links, double compute, double overlap) {
  return std::max(0.0, links - compute) + (1 - overlap) * std::min(links, compute);
}

void add_optimizer(const Job& job, const Gpu& gpu, const Pace& pace, StepClocks& step) {
  const EngineConstants& constants = *job.constants;
  const double stepped = stepped_parameters(job, pace.held);
  const double host_link = pace.speed->host_link_gb_per_s * 1e9;
  if (!job.layout.offload_optimizer) {
    const double moved = gpu.bandwidth_gb_per_s * 1e9 * constants.value("throughput.hbm_share");
    // Weight, master and moments both ways, the gradient once.
    const double each =
        2 * (job.state.weight + job.state.master + job.moment_bytes()) + job.state.gradient;
    step.optimizer = stepped * each / moved;
    if (job.paged_bytes > 0) {
      step.offload =
          2 * memory_pieces<double>(job, stages_of(job).front()).host_moments / host_link;
    }
    return;
  }
  const double in_node = as_double(std::min<std::int64_t>(job.layout.gpus(), gpu.gpus_per_node));
  const double on_host = job.state.bf16_moments ? 2 * (2 + 4) + 2 : 2 * (4 + 8) + 4;
  step.offload = stepped * (2 + 2) / host_link +
                 in_node * stepped * on_host / (constants.value("offload.cpu_gb_per_s") * 1e9);
}

StepClocks step_clocks(const Job& job, const Gpu& gpu, const Pace& pace) {
  const EngineConstants& constants = *job.constants;
  const LinkTimes links = exchange_of(job, gpu, *pace.speed, pace.held);
  StepClocks step = pace.computing;
  step.tensor = links.tensor;
  step.expert = links.expert;
  step.context = std::max(0.0, links.context - step.attention);
  const double compute = step.total();
  step.exchange = links.latency + exposed(links.gather + links.host, compute,
                                          constants.value("throughput.overlap"));
  const double micro_batch = step.total();
  const auto repeat = [&](const char*, double& clock) { clock *= as_double(job.grad_accum); };
  fields(repeat, step);
  step.pipeline = micro_batch * as_double(job.layout.pp - 1) / as_double(job.layout.vpp);
  step.exchange += exposed(links.reduce, compute, constants.value("throughput.step_overlap"));
  add_optimizer(job, gpu, pace, step);
  return step;
}

}  // namespace

std::array<NamedClock, 14> named(const StepClocks& clocks) {
  return {{{"matmul", "matrix products", clocks.matmul},
           {"attention", "attention", clocks.attention},
           {"scan", "Mamba scans", clocks.scan},
           {"memory", "memory traffic", clocks.memory},
           {"adapters", "adapter branches", clocks.adapters},
           {"dequantise", "dequantising", clocks.dequantise},
           {"launch", "kernel launches", clocks.launch},
           {"tensor", "tensor parallelism", clocks.tensor},
           {"expert", "expert parallelism", clocks.expert},
           {"context", "context parallelism", clocks.context},
           {"exchange", "exchange of weights and gradients", clocks.exchange},
           {"pipeline", "the pipeline's bubble", clocks.pipeline},
           {"optimizer", "the optimizer step", clocks.optimizer},
           {"offload", "offloading to the host", clocks.offload}}};
}

double StepClocks::total() const {
  double seconds = 0;
  for (const NamedClock& clock : named(*this)) seconds += clock.seconds;
  return seconds;
}

std::string bound_by(const StepClocks& clocks) {
  const auto all = named(clocks);
  const auto largest = std::ranges::max_element(
      all, [](const NamedClock& a, const NamedClock& b) { return a.seconds < b.seconds; });
  return largest->title;
}

IntervalFacts speed_facts(const Job& job, const Gpu& gpu) {
  IntervalFacts facts;
  facts.kind = id_of(practised(job.kind, job.quantised()));
  facts.spread = job.layout.interval_spread();
  facts.packed = job.packed;
  facts.routed = has_experts(*job.model);
  facts.desktop = !gpu.multi_node;
  facts.fp8 = job.precision == Precision::kFp8;
  const auto speed = job.constants->speeds.find(gpu.id);
  facts.measured = speed != job.constants->speeds.end() && speed->second.measured;
  return facts;
}

std::optional<Pace> pace_of(const Job& job, const Gpu& gpu) {
  const auto entry = job.constants->speeds.find(gpu.id);
  const std::optional<double>& dense = job.precision == Precision::kFp8    ? gpu.fp8_dense_tflops
                                       : job.precision == Precision::kFp16 ? gpu.fp16_dense_tflops
                                                                           : gpu.bf16_dense_tflops;
  const double peak = dense.value_or(0) * 1e12;  // FLOP/s; 0 when the catalog does not say
  if (entry == job.constants->speeds.end() || peak <= 0) return std::nullopt;
  const StepWork work = step_work(job);
  return Pace{&entry->second, peak, computing(job, gpu, entry->second, peak, work),
              rank_parameters(job), work.per_token.model};
}

std::optional<Throughput> throughput(const Job& job, const Gpu& gpu, const Pace& pace,
                                     const Intervals* intervals) {
  // A link that the job needs and the catalog does not know.
  const bool host = job.layout.offload_optimizer || job.layout.offload_params ||
                    job.activation_offload || job.paged_bytes > 0;
  if (job.layout.gpus() > 1 && pace.speed->bus_gb_per_s <= 0) return std::nullopt;
  if (host && pace.speed->host_link_gb_per_s <= 0) return std::nullopt;
  Throughput result;
  result.clocks = step_clocks(job, gpu, pace);
  const double tokens = job.tokens_per_rank() * as_double(job.grad_accum);
  const double ranks = as_double(job.layout.tp * job.layout.pp);
  result.tokens_per_second_per_gpu = tokens / result.clocks.total() / ranks;
  result.low = result.high = result.tokens_per_second_per_gpu;
  result.measured = pace.speed->measured;
  if (intervals != nullptr) {
    const IntervalClass& found = intervals->of(speed_facts(job, gpu));
    result.low *= found.low;
    result.high *= found.high;
  }
  result.flops_per_token = pace.flops_per_token;
  result.mfu = result.tokens_per_second_per_gpu * result.flops_per_token / pace.peak_flops;
  return result;
}

std::optional<Throughput> throughput(const Job& job, const Gpu& gpu, const Intervals* intervals) {
  const auto pace = pace_of(job, gpu);
  return pace ? throughput(job, gpu, *pace, intervals) : std::nullopt;
}

std::optional<Hours> run_hours(const Job& job, const Throughput& speed) {
  if (!job.tokens) return std::nullopt;
  const auto hours = [&](double per_gpu) {
    const double training = *job.tokens / (per_gpu * as_double(job.layout.gpus())) / 3600;
    const double all = training * (1 + job.checkpoint_share) + job.startup_hours;
    return std::floor(all * 1e4 + 0.5) / 1e4;
  };
  return Hours{hours(speed.high), hours(speed.tokens_per_second_per_gpu), hours(speed.low)};
}

}  // namespace sizesheet
