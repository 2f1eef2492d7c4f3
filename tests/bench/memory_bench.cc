// SPDX-License-Identifier: Apache-2.0
// How long one memory estimate takes at a given layout: all phases and both timelines of every
// pipeline stage. And one speed estimate. Each over 10,000 distinct requests, whose names are
// resolved beforehand.
#include <benchmark/benchmark.h>

#include <map>
#include <utility>
#include <vector>

#include "bench/counters.h"
#include "bench/requests.h"
#include "sizing/memory/memory.h"
#include "sizing/time/clocks.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr std::size_t kRequests = 10000;

struct Resolved {
  Job job;
  std::vector<Stage> stages;
  const Gpu* gpu = nullptr;
};

std::vector<Resolved> resolved(Shape shape, std::int64_t gpus) {
  std::vector<Resolved> all;
  for (const Json& request : requests_with_layout(shape, gpus, kRequests)) {
    const Question question = question_from(request);
    Job job = job_with_layout(question, question.given_layout());
    std::vector<Stage> stages = stages_of(job);
    all.push_back({std::move(job), std::move(stages), question.gpu});
  }
  return all;
}

/// Made once for all benchmarks and repetitions.
const std::vector<Resolved>& resolved_once(Shape shape, std::int64_t gpus) {
  static std::map<std::pair<Shape, std::int64_t>, std::vector<Resolved>> known;
  std::vector<Resolved>& found = known[{shape, gpus}];
  if (found.empty()) found = resolved(shape, gpus);
  return found;
}

void count_stages(benchmark::State& state, const std::vector<Resolved>& all) {
  std::size_t stages = 0;
  for (const Resolved& one : all) stages += one.stages.size();
  state.counters["stages"] = static_cast<double>(stages) / static_cast<double>(all.size());
  state.counters["estimate_s"] = seconds_each(all.size());
  state.counters["stage_s"] = seconds_each(stages);
}

void memory(benchmark::State& state, Shape shape, std::int64_t gpus) {
  const std::vector<Resolved>& all = resolved_once(shape, gpus);
  for (auto step : state) {
    for (const Resolved& one : all) benchmark::DoNotOptimize(worst_bill(one.job, one.stages));
  }
  count_stages(state, all);
}

void memory_and_stages(benchmark::State& state, Shape shape, std::int64_t gpus) {
  const std::vector<Resolved>& all = resolved_once(shape, gpus);
  for (auto step : state) {
    for (const Resolved& one : all) {
      benchmark::DoNotOptimize(worst_bill(one.job, stages_of(one.job)));
    }
  }
  count_stages(state, all);
}

void speed(benchmark::State& state, Shape shape, std::int64_t gpus) {
  const std::vector<Resolved>& all = resolved_once(shape, gpus);
  const Intervals& intervals = project_catalog().speed_intervals;
  for (auto step : state) {
    for (const Resolved& one : all) {
      const auto found = throughput(one.job, *one.gpu, &intervals);
      if (found) benchmark::DoNotOptimize(run_hours(one.job, *found));
    }
  }
  count_stages(state, all);
}

BENCHMARK_CAPTURE(memory, dense_8, Shape::kDense, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory, dense_512, Shape::kDense, 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory, moe_8, Shape::kMoe, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory, moe_512, Shape::kMoe, 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory, hybrid_8, Shape::kHybrid, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory, hybrid_512, Shape::kHybrid, 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_and_stages, dense_8, Shape::kDense, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_and_stages, dense_512, Shape::kDense, 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_and_stages, moe_8, Shape::kMoe, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_and_stages, moe_512, Shape::kMoe, 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_and_stages, hybrid_8, Shape::kHybrid, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_and_stages, hybrid_512, Shape::kHybrid, 512)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speed, dense_8, Shape::kDense, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speed, moe_8, Shape::kMoe, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speed, hybrid_8, Shape::kHybrid, 8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
