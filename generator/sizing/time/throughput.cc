// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/throughput.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sizesheet {

std::array<NamedClock, 14> named(const StepClocks& clocks) {
  return {{{"matmul", "matrix products", clocks.matmul},
           {"attention", "attention", clocks.attention},
           {"scan", "Mamba scans", clocks.scan},
           {"memory", "memory traffic", clocks.memory},
           {"adapters", "adapter branches", clocks.adapters},
           {"dequantise", "dequantising", clocks.dequantise},
           {"launch", "kernel launches by the host", clocks.launch},
           {"tensor", "tensor parallelism", clocks.tensor},
           {"expert", "expert parallelism", clocks.expert},
           {"context", "context parallelism", clocks.context},
           {"exchange", "exchange of weights and gradients", clocks.exchange},
           {"pipeline", "the pipeline's bubble", clocks.pipeline},
           {"optimizer", "the optimizer step", clocks.optimizer},
           {"offload", "offloading to the host", clocks.offload}}};
}

double StepClocks::total() const { return clock_seconds<double>(named(*this)); }

}  // namespace sizesheet
