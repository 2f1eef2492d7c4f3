// SPDX-License-Identifier: Apache-2.0
// The configurations that peers are asked for, in this process: a call each, names resolved before.
// SIZESHEET_BENCH_LINES names the file of requests, which tests/bench/peers.py writes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/counters.h"
#include "bench/requests.h"
#include "sizing/estimate.h"
#include "sizing/memory/memory.h"
#include "sizing/time/clocks.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

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

}  // namespace
}  // namespace sizesheet
