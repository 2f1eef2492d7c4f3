// SPDX-License-Identifier: Apache-2.0
// Requests drawn from all that the contract allows: models of every family, methods, states,
// optimizers, kernels, layouts and GPUs, the same ones for the same seed on any machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/models/architecture.h"
#include "support/json.h"

namespace sizesheet {

class RandomRequests {
 public:
  RandomRequests(const Catalog& catalog, std::uint64_t seed);

  /// A request whose every key but those of `layout` is valid. `searched`: on a named GPU, with no
  /// parallel dimension given; else every dimension is given, and the dimensions may clash.
  Json next(bool searched);

 private:
  /// Less than `end`. The distributions of the standard library differ from one to the next.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
  bool one_in(std::size_t times) { return below(times) == 0; }
  Json any(const std::vector<Json>& values) { return values[below(values.size())]; }

  Json method(const Architecture& model, const std::string& precision);
  Json adapters(const std::string& kind, const Architecture& model);
  Json kernels(const Architecture& model, const std::string& precision);
  Json workload(bool flash);
  Json layout(const Architecture& model);
  void add_fp8(Json& request);
  void add_optimizer(Json& request);
  void add_objective(Json& request);
  /// Generation that starts on any of the GPUs drawn: models of up to three billion parameters.
  void add_grpo(const Architecture& model, Json& request);
  /// Where the model can see, now and then.
  void add_images(const Architecture& model, Json& request);

  const Catalog& catalog_;
  std::mt19937_64 engine_;
};

/// Leaves what a stack decides to the catalog's stack of that number, counted round.
void leave_to_stack(Json& request, std::size_t number);

}  // namespace sizesheet
