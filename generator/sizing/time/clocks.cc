// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/clocks.h"

#include <algorithm>
#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/published/measured.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/time/exchange.h"
#include "sizing/time/step_work.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Half of the efficiency at `half` rows, all of it far beyond.
double saturated(double rows, double half) { return rows / (rows + half); }

/// Of the dense peak, what large products reach.
double matmul_share(const Job& job, const GpuSpeed& speed) {
  return job.fused_ops ? speed.matmul_efficiency
                       : speed.eager_matmul_efficiency.value_or(speed.matmul_efficiency);
}

/// Of a narrow expert's product the tiles at its edges are a large part: as the factor is at the
/// width that it was measured at.
double width_factor(const Job& job, double width) {
  const double half = job.constants->value("throughput.expert_half_width");
  const double at = job.constants->value("throughput.expert_width");
  return saturated(width, half) / saturated(at, half);
}

/// Of that, what grouped products of routed experts reach with many rows.
double grouped_share(const Job& job, const GpuSpeed& speed, double width) {
  const EngineConstants& constants = *job.constants;
  // A loop over the experts runs plain products.
  if (job.looped_experts && constants.value("experts.eager_loop") != 0) return 1;
  if (!job.fused_ops && speed.eager_matmul_efficiency) {
    return constants.value("eager.grouped_efficiency") / *speed.eager_matmul_efficiency;
  }
  const double share =
      speed.grouped_efficiency.value_or(constants.value("throughput.moe_efficiency"));
  return std::min(1.0, share * width_factor(job, width));
}

double matmul_seconds(const Job& job, const StepWork& work, const GpuSpeed& speed, double rate) {
  const EngineConstants& constants = *job.constants;
  const double rows = job.tokens_per_rank();
  double seconds =
      work.matmul_flops / (rate * saturated(rows, constants.value("throughput.half_tokens")));
  if (work.expert_flops <= 0) return seconds;
  const double grouped =
      grouped_share(job, speed, work.expert_width) *
      saturated(work.tokens_per_expert, constants.value("throughput.expert_half_tokens"));
  return seconds + work.expert_flops / (rate * grouped);
}

/// Other recipes than Transformer Engine's cast more around each product.
double fp8_share(const Job& job, const GpuSpeed& speed) {
  if (!job.state.transformer_engine || job.torchao_fp8) {
    return job.constants->value("throughput.fp8_efficiency");
  }
  return speed.te_fp8_efficiency.value_or(job.constants->value("throughput.fp8_te_efficiency"));
}

/// Of the peak, what attention reaches. A plain kernel is matrix products; that it writes the
/// scores is in the memory clock.
double attention_share(const Job& job, const GpuSpeed& speed) {
  const EngineConstants& constants = *job.constants;
  if (job.attention == AttentionKernel::kEager) {
    return matmul_share(job, speed) * constants.value("eager.plain_attention");
  }
  // PyTorch's attention and Transformer Engine's run the kernels of cuDNN.
  const bool cudnn = !job.fused_ops || job.state.transformer_engine;
  if (!cudnn || !speed.sdpa_efficiency) return speed.attention_efficiency;
  const double length = as_double(job.sample_length.value_or(job.seq_len));
  return *speed.sdpa_efficiency * saturated(length, constants.value("eager.attention_half_tokens"));
}

double attention_seconds(const Job& job, const StepWork& work, const GpuSpeed& speed, double peak) {
  double share = attention_share(job, speed);
  // Attention that adds a bias to its scores (ALiBi) does not run on the fastest kernels.
  if (job.model->alibi) share *= job.constants->value("throughput.biased_attention");
  return work.attention_flops / (peak * share);
}

/// Kernels wait for one another a little, and for a host that issues them more slowly than they
/// run: device and host join as the fourth root of the sum of their fourth powers.
double host_wait(const Job& job, const StepWork& work, double host, double busy) {
  const double gaps = work.kernels * job.constants->value("eager.gap_us") * 1e-6;
  const double device = busy + gaps;
  if (host <= 0) return gaps;
  const auto fourth = [](double x) { return x * x * x * x; };
  const double both = std::sqrt(std::sqrt(fourth(device) + fourth(host)));
  // This is `both - device` without the digits that a subtraction loses.
  return gaps + fourth(host) / ((both + device) * (both * both + device * device));
}

/// What the GPU waits for kernels and gathers that its host launches one by one: little while each
/// of them runs longer than the launch of the next.
double launch_wait(const Job& job, const StepWork& work, double busy) {
  const EngineConstants& constants = *job.constants;
  const double units = work.gathered_units * constants.value("throughput.fsdp_unit_us") * 1e-6;
  if (!job.fused_ops) return host_wait(job, work, work.host_seconds + units, busy);
  const double launching =
      work.kernels * constants.value("throughput.fused_launch_us") * 1e-6 + units;
  if (launching <= 0) return 0;
  const double cube = launching * launching * launching;
  const double both = std::cbrt(cube + busy * busy * busy);
  // This is `both - busy` without the digits that a subtraction loses.
  return cube / (both * both + both * busy + busy * busy);
}

/// Of the memory bandwidth, what elementwise kernels reach. GDDR is slow enough for the kernels of
/// eager PyTorch to fill it.
double streamed_share(const Job& job, const Gpu& gpu) {
  constexpr double kFastestGddr = 1800;  // GB/s
  return job.constants->value(job.fused_ops ? ConstantName("throughput.hbm_share")
                              : gpu.bandwidth_gb_per_s <= kFastestGddr && !gpu.multi_node
                                  ? ConstantName("eager.gddr_share")
                                  : ConstantName("eager.hbm_share"));
}

/// Clocks of one micro-batch that the GPU itself runs.
StepClocks computing(const Job& job, const Gpu& gpu, const GpuSpeed& speed, double peak,
                     const StepWork& work) {
  const EngineConstants& constants = *job.constants;
  const double bf16 = gpu.bf16_dense_tflops.value_or(gpu.fp16_dense_tflops.value_or(0)) * 1e12;
  const double memory = gpu.bandwidth_gb_per_s * 1e9;
  const double moved = memory * streamed_share(job, gpu);
  StepClocks clocks;
  const bool fp8 = job.precision == Precision::kFp8;
  const double share = matmul_share(job, speed) * (fp8 ? fp8_share(job, speed) : 1);
  clocks.matmul = matmul_seconds(job, work, speed, peak * share);
  clocks.attention = attention_seconds(job, work, speed, bf16) /
                     (job.fp8_attention ? constants.value("throughput.fp8_attention_speedup") : 1);
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

/// Of so many parameters on one GPU.
double stepping_seconds(const Job& job, const Gpu& gpu, double stepped) {
  const EngineConstants& constants = *job.constants;
  const double memory = gpu.bandwidth_gb_per_s * 1e9;
  // Weight, master and moments both ways, the gradient once.
  const double each =
      2 * (job.state.weight + job.state.master + job.moment_bytes()) + job.state.gradient;
  if (job.fused_ops) return stepped * each / (memory * constants.value("throughput.hbm_share"));
  const double fused = memory * constants.value("eager.fused_optimizer_share");
  // Clipping reads every gradient, then reads and writes it.
  const double clipping = stepped * 3 * job.state.gradient / fused;
  const OptimizerCost& cost = job.optimizer;
  const double passes = job.state.weight < 4 ? cost.step_bytes_16bit : cost.step_bytes;
  if (passes <= 0) return stepped * each / fused + clipping;
  return stepped * passes / (memory * streamed_share(job, gpu)) + clipping;
}

void add_optimizer(const Job& job, const Gpu& gpu, const Pace& pace, StepClocks& step) {
  const EngineConstants& constants = *job.constants;
  const double stepped = stepped_parameters(job, pace.held);
  const double host_link = pace.speed->host_link_gb_per_s * 1e9;
  if (!job.layout.offload_optimizer) {
    step.optimizer = stepping_seconds(job, gpu, stepped);
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

/// Of a step, what ranks that reduce once a step wait for the slowest of them. Sharded weights wait
/// in every layer: the latency of their collectives stands for it. All wait for the one with most
/// tokens.
double straggling(const Job& job) {
  const double uneven = job.samples ? job.samples->waiting(job.layout.dp) - 1 : 0;
  const double replicas = as_double(job.layout.replicas());
  const double few = job.constants->value("throughput.straggling_ranks");
  if (job.layout.shard == Shard::kZero3 || replicas <= few) return uneven;
  return uneven + job.constants->value("throughput.straggling_share") * std::log2(replicas / few);
}

/// The longest stage over the mean one, in layers.
double pipeline_imbalance(const Job& job) {
  if (job.layout.first_layers == 0 && job.layout.last_layers == 0) return 1;
  std::int64_t longest = 0;
  for (std::int64_t stage = 0; stage < job.layout.pp; ++stage) {
    std::int64_t layers = 0;
    for (std::int64_t turn = 0; turn < job.layout.vpp; ++turn) {
      layers += chunk_range(job, turn * job.layout.pp + stage).count;
    }
    longest = std::max(longest, layers);
  }
  return as_double(longest * job.layout.pp) / as_double(job.model->layers());
}

/// As `measured` of a speed names kinds of method: "lora", "lora fp8".
std::string measured_kind(const Job& job, bool fp8) {
  const MethodKind kind = settings_kind(job.kind, job.quantised());
  return id_of(kind == MethodKind::kDora ? MethodKind::kLora : kind) + (fp8 ? " fp8" : "");
}

/// Some published speed of the GPU is of the job's kind of method, whatever its number type.
bool measured_for(const Job& job, const GpuSpeed& speed) {
  return contains(speed.measured, measured_kind(job, false)) ||
         contains(speed.measured, measured_kind(job, true));
}

const char* evidence_of(const Job& job, const GpuSpeed& speed) {
  const std::string kind = measured_kind(job, job.precision == Precision::kFp8);
  if (contains(speed.measured, kind)) return "exact";
  const auto sibling = job.constants->speeds.find(speed.sibling.value_or(""));
  const bool beside =
      sibling != job.constants->speeds.end() && contains(sibling->second.measured, kind);
  return beside || measured_for(job, speed) ? "related" : "none";
}

/// Of gathers, the share that computing hides while it runs. Megatron's FSDP gathers by copy
/// engines ahead of need, so that only what computing does not outlast is left.
double gather_overlap(const Job& job) {
  const bool megatron = job.state.transformer_engine && job.layout.shard == Shard::kZero3;
  return job.constants->value(megatron ? ConstantName("throughput.megatron_fsdp_overlap")
                                       : ConstantName("throughput.overlap"));
}

StepClocks step_clocks(const Job& job, const Gpu& gpu, const Pace& pace) {
  const EngineConstants& constants = *job.constants;
  const LinkTimes links = exchange_of(job, gpu, *pace.speed, pace.held);
  StepClocks step = pace.computing;
  if (job.layout.shard == Shard::kZero3) {
    // Hooks run beside the kernels: the step takes as long as the longer of both.
    step.launch += std::max(0.0, pace.hook_seconds - step.total());
  }
  step.tensor = links.tensor;
  step.expert = links.expert;
  const double cp = as_double(job.layout.cp);
  step.context =
      std::max(0.0, links.context - step.attention) +
      constants.value("throughput.context_loss") * (cp - 1) / cp * (step.matmul + step.attention);
  const double compute = step.total();
  step.exchange = links.latency + exposed(links.gather + links.host, compute, gather_overlap(job));
  const double micro_batch = step.total();
  const auto repeat = [&](const char*, double& clock) { clock *= as_double(job.grad_accum); };
  fields(repeat, step);
  step.pipeline = micro_batch * as_double(job.layout.pp - 1) / as_double(job.layout.vpp);
  step.exchange += exposed(links.reduce, compute, constants.value("throughput.step_overlap"));
  step.exchange += straggling(job) * micro_batch * as_double(job.grad_accum);
  // Every micro-batch but one waits for the longest stage; of one the whole path counts.
  step.pipeline += (pipeline_imbalance(job) - 1) * micro_batch * as_double(job.grad_accum - 1);
  add_optimizer(job, gpu, pace, step);
  return step;
}

}  // namespace

double faster_host(const Job& job, const StepClocks& clocks) {
  if (job.fused_ops) return 1;
  const double saved = (1 - job.constants->value("host.earlier_share")) * clocks.launch;
  return clocks.total() / (clocks.total() - saved);
}

const Job& as_batched(const Job& job, std::optional<Job>& own) {
  if (!job.samples) return job;
  own = job;
  own->seq_len = std::llround(job.samples->cost.row);
  own->sample_length = std::llround(job.samples->cost.attended);
  return *own;
}

std::vector<NamedClock> parts_of(const Throughput& speed) {
  std::vector<NamedClock> parts;
  const auto add = [&](const NamedClock& one) {
    if (one.seconds > 0) parts.push_back(one);
  };
  if (!speed.rollout) {
    std::ranges::for_each(named(speed.clocks), add);
    return parts;
  }
  const StepSeconds& step = *speed.rollout;
  const NamedClock phases[] = {{"generation", "generation", step.generation},
                               {"logprobs", "log-probabilities and scores", step.logprobs},
                               {"training", "training", step.training},
                               {"critic", "the value model", step.critic},
                               {"weight_sync", "handing over weights", step.weight_sync},
                               {"switch", "changing places", step.switching},
                               {"fixed", "rewards and data", step.fixed}};
  std::ranges::for_each(phases, add);
  return parts;
}

std::string bound_by(const Throughput& speed) {
  return std::ranges::max(parts_of(speed), {}, &NamedClock::seconds).title;
}

IntervalFacts speed_facts(const Job& job, const Gpu& gpu) {
  IntervalFacts facts;
  facts.kind = id_of(settings_kind(job.kind, job.quantised()));
  facts.spread = job.layout.interval_spread();
  facts.packed = job.packed;
  facts.routed = has_experts(*job.model);
  facts.desktop = !gpu.multi_node;
  facts.fp8 = job.precision == Precision::kFp8;
  const auto speed = job.constants->speeds.find(gpu.id);
  facts.stack = job.stack != nullptr ? job.stack->id : "";
  facts.gpu = gpu.id;
  facts.optimizer = job.optimizer.id;
  facts.evidence = speed == job.constants->speeds.end() ? "none" : evidence_of(job, speed->second);
  return facts;
}

namespace {

/// The key of a card that has the dense peak of the job's precision.
struct PeakKey {
  const char* name;
  std::optional<double> GpuFacts::*tflops;
};

PeakKey peak_key(const Job& job) {
  if (job.precision == Precision::kFp8) return {"fp8_dense_tflops", &Gpu::fp8_dense_tflops};
  if (job.precision == Precision::kFp16) return {"fp16_dense_tflops", &Gpu::fp16_dense_tflops};
  return {"bf16_dense_tflops", &Gpu::bf16_dense_tflops};
}

/// The key of a link that the job needs and the speed does not know; "" where it has all.
std::string missing_link(const Job& job, const GpuSpeed& speed) {
  const bool host = job.layout.offload_optimizer || job.layout.offload_params ||
                    job.activation_offload || job.paged_bytes > 0;
  if (job.layout.gpus() > 1 && speed.bus_gb_per_s <= 0) return "bus_gb_per_s";
  return host && speed.host_link_gb_per_s <= 0 ? "host_link_gb_per_s" : "";
}

}  // namespace

std::string why_no_speed(const Job& job, const Gpu& gpu) {
  const auto speed = job.constants->speeds.find(gpu.id);
  const PeakKey peak = peak_key(job);
  const bool listed = speed != job.constants->speeds.end();
  const std::string link = listed ? missing_link(job, speed->second) : "";
  const std::string missing = !listed                           ? "speed"
                              : !(gpu.*peak.tflops).has_value() ? peak.name
                                                                : link;
  if (missing.empty()) return "";
  return "no " + missing + " of GPU " + gpu.id + " is known";
}

std::optional<Pace> pace_of(const Job& job, const Gpu& gpu) {
  const auto entry = job.constants->speeds.find(gpu.id);
  const double peak =
      (gpu.*peak_key(job).tflops).value_or(0) * 1e12;  // FLOP/s; 0 when the catalog does not say
  if (entry == job.constants->speeds.end() || peak <= 0) return std::nullopt;
  std::optional<Job> own;
  const Job& batched = as_batched(job, own);
  const StepWork work = step_work(batched);
  const double hook = job.constants->value("throughput.zero3_module_us") * 1e-6;
  return Pace{&entry->second,
              peak,
              computing(batched, gpu, entry->second, peak, work),
              rank_parameters(job),
              work.per_token.model,
              work.hooked_modules * hook};
}

namespace {

/// Every clock in the same share: which of them a team's runs took longer for is not known.
void correct(const IntervalRange& range, Throughput& speed) {
  speed.team_runs = range.team_runs;
  speed.team_factor = range.factor;
  speed.measured = true;
  for (double* value : {&speed.tokens_per_second_per_gpu, &speed.low, &speed.high}) {
    *value *= range.factor;
  }
  auto longer = [&](const char*, double& seconds) { seconds /= range.factor; };
  fields(longer, speed.clocks);
}

}  // namespace

std::optional<Throughput> throughput(const Job& job, const Gpu& gpu, const Pace& pace,
                                     const Intervals* intervals) {
  if (!missing_link(job, *pace.speed).empty()) return std::nullopt;
  std::optional<Job> own;
  const Job& batched = as_batched(job, own);
  Throughput result;
  result.clocks = step_clocks(batched, gpu, pace);
  result.tokens_per_second_per_gpu =
      trained_rate<double>(job, batched.tokens_per_rank(), result.clocks.total());
  result.low = result.high = result.tokens_per_second_per_gpu;
  result.measured = measured_for(job, *pace.speed);
  if (intervals != nullptr) {
    const IntervalRange found = intervals->of(speed_facts(job, gpu));
    if (found.team_runs > 0) correct(found, result);
    result.low *= found.low;
    result.high *= found.high;
    result.high *= faster_host(job, result.clocks);
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
  const auto tokens = job.run_tokens();
  if (!tokens) return std::nullopt;
  const auto hours = [&](double per_gpu) {
    const double all = hours_of_tokens<double>(job, *tokens, per_gpu);
    const double parts = std::floor(all * 1e4 + 0.5);
    // No run takes no time: what is divided by its hours would have no end.
    return (all > 0 ? std::max(parts, 1.0) : parts) / 1e4;
  };
  return Hours{hours(speed.high), hours(speed.tokens_per_second_per_gpu), hours(speed.low)};
}

}  // namespace sizesheet
