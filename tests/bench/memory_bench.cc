// SPDX-License-Identifier: Apache-2.0
// How long one memory estimate takes at a given layout: all phases and both timelines of every
// pipeline stage. And one speed estimate. Each over 10,000 distinct requests, whose names are
// resolved beforehand. The configurations that peers are asked for, a call each:
// SIZESHEET_BENCH_LINES names the file of requests, which tests/bench/peers.py writes. And counting
// the parameters of every model of the catalog of one shape.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/counters.h"
#include "bench/requests.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "catalog/published/measured.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "sizing/time/clocks.h"
#include "support/json.h"
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

struct Asked {
  Question question;
  Job job;
};

/// Read once. Empty where no file is named.
const std::vector<Asked>& asked() {
  static const std::vector<Asked> kAll = [] {
    std::vector<Asked> all;
    const char* name = std::getenv("SIZESHEET_BENCH_LINES");
    std::ifstream in(name == nullptr ? "" : name);
    for (std::string line; std::getline(in, line);) {
      Question question = question_from(Json::parse(line));
      Job job = job_with_layout(question, question.given_layout());
      all.push_back({std::move(question), std::move(job)});
    }
    return all;
  }();
  return kAll;
}

void bill(const Asked& one) { benchmark::DoNotOptimize(worst_bill(one.job, stages_of(one.job))); }

void bill_and_hours(const Asked& one) {
  bill(one);
  const auto speed = throughput(one.job, *one.question.gpu, &project_catalog().speed_intervals);
  if (speed) benchmark::DoNotOptimize(run_hours(one.job, *speed));
}

void answer(const Asked& one) { benchmark::DoNotOptimize(whole_answer(one.question)); }

void peers(benchmark::State& state, void (*call)(const Asked&)) {
  const std::vector<Asked>& all = asked();
  if (all.empty()) state.SkipWithError("SIZESHEET_BENCH_LINES names no file of requests");
  for (auto step : state) {
    for (const Asked& one : all) call(one);
  }
  state.counters["call_s"] = seconds_each(all.size());
}

BENCHMARK_CAPTURE(peers, bill, bill)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(peers, bill_and_hours, bill_and_hours)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(peers, answer, answer)->Unit(benchmark::kMillisecond);

void parameters(benchmark::State& state, Shape shape) {
  std::vector<const Architecture*> models;
  for (const auto& [id, model] : project_catalog().models) {
    if (shape_of_model(model.architecture) == shape) models.push_back(&model.architecture);
  }
  for (auto step : state) {
    for (const Architecture* model : models) benchmark::DoNotOptimize(count_parameters(*model));
  }
  state.counters["models"] = static_cast<double>(models.size());
  state.counters["model_s"] = seconds_each(models.size());
}

BENCHMARK_CAPTURE(parameters, dense, Shape::kDense);
BENCHMARK_CAPTURE(parameters, moe, Shape::kMoe);
BENCHMARK_CAPTURE(parameters, hybrid, Shape::kHybrid);

}  // namespace
}  // namespace sizesheet
