// SPDX-License-Identifier: Apache-2.0
// How long reading a request takes, and how many lines `estimate` answers in a second: parsed,
// answered and printed. Models of every shape by turns.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/counters.h"
#include "bench/requests.h"
#include "catalog/catalog.h"
#include "cli/json_lines.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr std::size_t kLayoutsOfShape = 3400;
constexpr std::size_t kSearchesOfShape = 300;

std::vector<Json> by_turns(const std::vector<std::vector<Json>>& shapes) {
  std::vector<Json> all;
  for (std::size_t i = 0; i < shapes.front().size(); ++i) {
    for (const std::vector<Json>& shape : shapes) all.push_back(shape[i]);
  }
  return all;
}

/// On 8 and 512 GPUs by turns, more than 10,000 in all. Made once.
const std::vector<Json>& layouts() {
  static const std::vector<Json> kAll = [] {
    std::vector<std::vector<Json>> all;
    for (const Shape shape : {Shape::kDense, Shape::kMoe, Shape::kHybrid}) {
      for (const std::int64_t gpus : {8, 512}) {
        all.push_back(requests_with_layout(shape, gpus, kLayoutsOfShape / 2));
      }
    }
    return by_turns(all);
  }();
  return kAll;
}

const std::vector<Json>& searches() {
  static const std::vector<Json> kAll = by_turns({
      requests_to_search(Shape::kDense, kSearchesOfShape),
      requests_to_search(Shape::kMoe, kSearchesOfShape),
      requests_to_search(Shape::kHybrid, kSearchesOfShape),
  });
  return kAll;
}

using Requests = const std::vector<Json>& (*)();

void read_request(benchmark::State& state, Requests requests) {
  const std::vector<Json>& all = requests();
  const Catalog& catalog = project_catalog();
  for (auto step : state) {
    for (const Json& request : all) {
      Faults faults;
      benchmark::DoNotOptimize(read_question(request, catalog, catalog.engine.current, faults));
    }
  }
  state.counters["request_s"] = seconds_each(all.size());
}

void lines(benchmark::State& state, Requests requests) {
  std::string text;
  for (const Json& request : requests()) text += request.dump() + "\n";
  const Catalog& catalog = project_catalog();
  std::ofstream out("/dev/null");
  for (auto step : state) {
    std::istringstream in(text);
    for_each_json_line(
        in, out, static_cast<int>(state.range(0)), [&](const Json& request, std::int64_t) {
          return to_json(
              whole_answer(read_whole_question(request, catalog, catalog.engine.current)));
        });
  }
  state.counters["lines"] = each_second(requests().size());
}

BENCHMARK_CAPTURE(read_request, layout, layouts)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_request, search, searches)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lines, layout, layouts)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lines, search, searches)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
