// SPDX-License-Identifier: Apache-2.0
// How long counting the parameters of a model takes: every model of the catalog of one shape.
#include <benchmark/benchmark.h>

#include <vector>

#include "bench/counters.h"
#include "bench/requests.h"
#include "sizing/memory/parameters.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

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
