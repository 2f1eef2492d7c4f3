// SPDX-License-Identifier: Apache-2.0
// `sizesheet explain`: one sizing taken apart: every term with formula, inputs and source, and why
// not fewer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace sizesheet {

struct ExplainOptions {
  std::string catalog = "catalog";
  std::string model;
  std::string method;
  std::string gpu;  ///< "" asks without a GPU; then gpus is needed
  std::string stack = "hf-trl";
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> seq_len;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> tokens;
  std::optional<double> measured_gib;
  std::string format = "text";
};

/// 0; what the engine refuses throws InputError.
int run_explain(const ExplainOptions& options, std::ostream& out);

}  // namespace sizesheet
