// SPDX-License-Identifier: Apache-2.0
// How long the rows of the quarterly sheet take.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "bench/counters.h"
#include "sheet/build/build_sheet.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

SheetSpec quarterly_spec() {
  return load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
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

BENCHMARK(sweep_quarterly)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace sizesheet
