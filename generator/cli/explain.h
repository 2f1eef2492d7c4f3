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
  std::string gpu;               ///< "" asks without a GPU; then gpus is needed
  std::string stack = "hf-trl";  ///< "none": the values of `estimate` without a stack
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> seq_len;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> tokens;
  std::string request;  ///< other keys of an `estimate` request, a JSON object
  std::optional<double> measured_gib;
  std::string format = "text";
};

/// Asks what `estimate` would read from the same words. 0; 1 when nothing fits; what the engine
/// refuses throws InputError.
int run_explain(const ExplainOptions& options, std::ostream& out);

}  // namespace sizesheet
