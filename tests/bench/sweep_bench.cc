// SPDX-License-Identifier: Apache-2.0
// How long a sweep takes: the quarterly sheet, and sheets of a hundred, a thousand and ten thousand
// cells of one mix, whose rows go as they come. Run one of these at a time for its peak of memory.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "bench/counters.h"
#include "sheet/sweep.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

SheetSpec quarterly_spec() {
  return load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
}

/// 108 cells for each length: four models of three shapes, three methods, nine GPUs.
SheetSpec growing_spec(std::int64_t lengths) {
  SheetSpec spec = quarterly_spec();
  spec.models.clear();
  for (const char* id : {"llama-3.1-8b", "qwen3-32b", "qwen3-30b-a3b", "nemotron-h-47b"}) {
    spec.models.push_back({id, "", ""});
  }
  const SpecScenario first = spec.scenarios.front();
  spec.scenarios.clear();
  for (std::int64_t i = 0; i < lengths; ++i) {
    SpecScenario scenario = first;
    scenario.id += "-" + std::to_string(i);
    scenario.request["workload"]["seq_len"] = 4096 + 8 * i;  // lengths so near cost the same
    spec.scenarios.push_back(std::move(scenario));
  }
  return spec;
}

void sweep_of(benchmark::State& state, const SheetSpec& spec, int jobs) {
  std::size_t rows = 0;
  for (auto step : state) {
    rows = 0;
    sweep(
        project_catalog(), spec, jobs, [&](Row&& row) { rows += row.key().empty() ? 0 : 1; },
        [](std::size_t, std::size_t) {});
  }
  state.counters["cells"] = static_cast<double>(rows);
  state.counters["cells_each_s"] = each_second(rows);
}

void sweep_quarterly(benchmark::State& state) {
  sweep_of(state, quarterly_spec(), static_cast<int>(state.range(0)));
}

void sweep_growing(benchmark::State& state) { sweep_of(state, growing_spec(state.range(0)), 1); }

BENCHMARK(sweep_quarterly)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(sweep_growing)->Arg(1)->Arg(10)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
