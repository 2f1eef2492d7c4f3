// SPDX-License-Identifier: Apache-2.0
#include "sizing/adapter_state.h"

#include <cmath>

#include "sizing/pieces.h"

namespace sizesheet {

AdapterState adapter_state(const Job& job) {
  Job alone = job;
  alone.layout = Layout{};
  alone.paged_bytes = 0;
  const auto pieces = memory_pieces<double>(alone, stages_of(alone).front());
  return {std::llround(pieces.adapters), std::llround(pieces.gradients),
          std::llround(pieces.master + pieces.moments)};
}

}  // namespace sizesheet
