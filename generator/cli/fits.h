// SPDX-License-Identifier: Apache-2.0
// `sizesheet fits`: what can be trained on the GPUs one has.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace sizesheet {

struct FitsOptions {
  std::string catalog = "catalog";
  std::string sheet = "quarterly";  ///< whose rules for prices and headroom hold
  std::string gpu;
  std::int64_t gpus = 1;
  std::string stack = "hf-trl";
  std::int64_t seq_len = 4096;
  std::int64_t tokens = 50000000;
  std::optional<std::string> budget_usd;  ///< as typed: money is read from its digits
  std::optional<double> deadline_hours;
  std::string as_of;
  std::string format = "text";
  int jobs = 1;
};

/// 0; 1 when nothing fits, or nothing within budget and deadline.
int run_fits(const FitsOptions& options, std::ostream& out);

}  // namespace sizesheet
