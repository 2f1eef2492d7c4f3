// SPDX-License-Identifier: Apache-2.0
// How long loading the catalog and one sizing question take.
#include <benchmark/benchmark.h>

#include <string>

#include "catalog/catalog.h"
#include "sizing/estimate.h"

namespace sizesheet {
namespace {

const std::string kCatalog = SIZESHEET_SOURCE_DIR "/catalog";

void load(benchmark::State& state) {
  for (auto step : state) benchmark::DoNotOptimize(load_sound_catalog(kCatalog));
}

void search_for_a_count(benchmark::State& state, const char* model, const char* method) {
  const Catalog catalog = load_sound_catalog(kCatalog);
  const Json request = {
      {"model", model}, {"method", method}, {"gpu", "h100-sxm"}, {"stack", "hf-trl"}};
  for (auto step : state) {
    benchmark::DoNotOptimize(estimate(request, catalog, catalog.engine.current));
  }
}

BENCHMARK(load)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_for_a_count, one_gpu, "llama-3.1-8b", "lora-r16")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search_for_a_count, many_gpus, "llama-3.1-405b", "full")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sizesheet
