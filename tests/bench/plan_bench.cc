// SPDX-License-Identifier: Apache-2.0
// How long one search for a count of GPUs takes: every question is timed on its own, so that the
// slow ones show. Processor time of the thread, which other work disturbs least.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <vector>

#include "bench/requests.h"
#include "sizing/request/question.h"
#include "sizing/search/search.h"
#include "support/json.h"

namespace sizesheet {
namespace {

constexpr std::size_t kQuestions = 2000;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Made once for all repetitions.
const std::vector<Question>& questions_once(Shape shape) {
  static std::map<Shape, std::vector<Question>> known;
  std::vector<Question>& found = known[shape];
  if (found.empty()) {
    for (const Json& request : requests_to_search(shape, kQuestions)) {
      found.push_back(question_from(request));
    }
  }
  return found;
}

void search(benchmark::State& state, Shape shape) {
  const std::vector<Question>& questions = questions_once(shape);
  std::vector<double> times;
  for (auto step : state) {
    times.clear();
    double all = 0;
    for (const Question& question : questions) {
      const double start = thread_seconds();
      benchmark::DoNotOptimize(search_counts(question));
      times.push_back(thread_seconds() - start);
      all += times.back();
    }
    state.SetIterationTime(all);
  }
  std::sort(times.begin(), times.end());
  state.counters["median_s"] = times[times.size() / 2];
  state.counters["p99_s"] = times[times.size() * 99 / 100];
  state.counters["longest_s"] = times.back();
}

BENCHMARK_CAPTURE(search, dense, Shape::kDense)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, moe, Shape::kMoe)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, hybrid, Shape::kHybrid)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
