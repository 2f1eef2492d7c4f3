// SPDX-License-Identifier: Apache-2.0
// What `ask`, `explain` and `fits` are asked: one set of options for a question about a run.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "catalog/model_names.h"
#include "cli/common_options.h"
#include "support/values.h"

namespace sizesheet {

class TakenNames;
struct Catalog;
struct SheetSpec;
struct UsualNames;

struct QuestionOptions : CommonOptions {
  std::string model, config, method, gpu, stack;  ///< as people call them; "" where not said
  std::optional<std::int64_t> gpus, seq_len, tokens;
  std::optional<double> deadline;  ///< hours
  std::optional<double> budget;    ///< dollars
  std::string format = "text";

  bool as_json() const { return format == "json"; }
  /// Of the catalog; "" where no model is named.
  std::string model_id() const { return config.empty() ? model : ""; }
};

/// What the options that mean a little else in each command say in its help.
struct QuestionHelp {
  const char* method;
  const char* gpu;
  const char* gpus;
  const char* stack;
  const char* sheet;
  Bounds<double> most_gpus;
};

/// The options themselves, the older spelling of two among them. Gives `--method` back.
CLI::Option* add_question(CLI::App& command, QuestionOptions& options, const QuestionHelp& help);

/// Whether a model is named, or its config.json. Throws InputError, naming `command`, for both.
bool names_model(const QuestionOptions& options, const std::string& command);

/// Sets the names to ids. A config.json becomes a model of `catalog`. A model has to be named.
ModelTaken take_question(QuestionOptions& options, Catalog& catalog, const UsualNames& usual,
                         TakenNames& taken);

/// The same where no model is named.
void take_names(QuestionOptions& options, const Catalog& catalog, const UsualNames& usual,
                TakenNames& taken);

/// Asks the first scenario of a sheet as the options say, after their names became ids. `methods`
/// are those that the sheet is asked for. Throws InputError for what does not go together.
void ask_scenario(const QuestionOptions& options, const Catalog& catalog,
                  const std::vector<std::string>& methods, SheetSpec& sheet);

}  // namespace sizesheet
