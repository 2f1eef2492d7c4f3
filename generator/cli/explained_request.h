// SPDX-License-Identifier: Apache-2.0
// The `estimate` request that words and options of a command line mean.
#pragma once

#include <optional>
#include <string>

#include "cli/question_options.h"
#include "sheet/spec.h"
#include "support/json.h"

namespace sizesheet {

class TakenNames;
struct Catalog;

struct ExplainOptions : QuestionOptions {
  std::string objective;
  std::string request;  ///< other keys of an `estimate` request, a JSON object
  std::optional<double> measured_gib;
};

struct ExplainedRequest {
  Json request;
  SheetSpec spec;                  ///< the rules, asked for this model and method
  std::optional<SheetSpec> rules;  ///< absent in a catalog without the usual sheet
  bool without_stack = false;      ///< "none" was said: estimate's own values apply
};

/// Sets the names of `options` to ids; `catalog` gains what they name and it lacks. Throws
/// InputError, naming `command`, for what cannot be asked.
ExplainedRequest explained_request(ExplainOptions& options, const std::string& command,
                                   Catalog& catalog, TakenNames& taken);

}  // namespace sizesheet
