// SPDX-License-Identifier: Apache-2.0
#include "sizing/throughput.h"

#include <cmath>

#include "sizing/flops.h"
#include "sizing/job_reader.h"
#include "sizing/numbers.h"

namespace sizesheet {
namespace {

/// Dense peak of the precision in use, FLOP/s; 0 when the catalog does not say.
double peak_of(const Job& job, const Gpu& gpu) {
  const std::optional<double>& peak = job.precision == Precision::kFp8    ? gpu.fp8_dense_tflops
                                      : job.precision == Precision::kFp16 ? gpu.fp16_dense_tflops
                                                                          : gpu.bf16_dense_tflops;
  return peak.value_or(0) * 1e12;
}

/// A link that the job needs and the catalog does not know.
bool lacks_link(const Job& job, const GpuSpeed& speed) {
  const bool host = job.layout.offload_optimizer || job.layout.offload_params ||
                    job.activation_offload || job.paged_bytes > 0;
  return (job.layout.gpus() > 1 && speed.bus_gb_per_s <= 0) ||
         (host && speed.host_link_gb_per_s <= 0);
}

double to_ten_thousandths(double hours) { return std::floor(hours * 1e4 + 0.5) / 1e4; }

}  // namespace

IntervalFacts speed_facts(const Job& job, const Gpu& gpu) {
  const Layout& layout = job.layout;
  IntervalFacts facts;
  facts.kind = job.full() ? "full" : job.quantised() ? "qlora" : "lora";
  const bool split = layout.tp * layout.pp * layout.cp * layout.ep > 1;
  facts.spread = split ? "model" : layout.dp > 1 ? "data" : "one";
  facts.packed = job.packed;
  facts.routed = has_experts(*job.model);
  facts.desktop = !gpu.multi_node;
  facts.fp8 = job.precision == Precision::kFp8;
  const auto speed = job.constants->speeds.find(gpu.id);
  facts.measured = speed != job.constants->speeds.end() && speed->second.measured;
  return facts;
}

std::optional<Throughput> throughput(const Job& job, const Gpu& gpu, const Intervals* intervals) {
  const auto entry = job.constants->speeds.find(gpu.id);
  const double peak = peak_of(job, gpu);
  if (entry == job.constants->speeds.end() || peak <= 0 || lacks_link(job, entry->second)) {
    return std::nullopt;
  }
  Throughput result;
  result.clocks = step_clocks(job, gpu, entry->second, peak);
  const double tokens = job.tokens_per_rank() * as_double(job.grad_accum);
  const double ranks = as_double(job.layout.tp * job.layout.pp);
  result.tokens_per_second_per_gpu = tokens / result.clocks.total() / ranks;
  result.low = result.high = result.tokens_per_second_per_gpu;
  result.measured = entry->second.measured;
  if (intervals != nullptr) {
    const IntervalClass& found = intervals->of(speed_facts(job, gpu));
    result.low *= found.low;
    result.high *= found.high;
  }
  result.flops_per_token = flops_per_token(job).model;
  result.mfu = result.tokens_per_second_per_gpu * result.flops_per_token / peak;
  return result;
}

std::optional<Hours> run_hours(const Job& job, const Throughput& speed) {
  if (!job.tokens) return std::nullopt;
  const auto hours = [&](double per_gpu) {
    const double training = *job.tokens / (per_gpu * as_double(job.layout.gpus())) / 3600;
    return to_ten_thousandths(training * (1 + job.checkpoint_share) + job.startup_hours);
  };
  return Hours{hours(speed.high), hours(speed.tokens_per_second_per_gpu), hours(speed.low)};
}

}  // namespace sizesheet
