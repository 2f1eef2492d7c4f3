// SPDX-License-Identifier: Apache-2.0
// How long loading the catalog takes, every fact of it checked.
#include <benchmark/benchmark.h>

#include "catalog/catalog.h"

namespace sizesheet {
namespace {

void load_catalog_whole(benchmark::State& state) {
  for (auto step : state) {
    benchmark::DoNotOptimize(load_sound_catalog(SIZESHEET_SOURCE_DIR "/catalog"));
  }
}

BENCHMARK(load_catalog_whole)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
