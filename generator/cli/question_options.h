// SPDX-License-Identifier: Apache-2.0
// What `ask`, `explain`, `fits` and `sweep` are asked: one set of options for a question about a
// run, and the sheet of rules that they make.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/model_names.h"
#include "cli/common_options.h"
#include "support/json.h"
#include "support/values.h"

namespace sizesheet {

class TakenNames;
struct Catalog;
struct SheetSpec;
struct UsualNames;

/// What a method that generates is run with in the place of its own figures.
struct GenerationOptions {
  std::optional<std::int64_t> group_size;                        ///< completions of a prompt
  std::optional<std::int64_t> prompt_length, completion_length;  ///< tokens at most
  std::optional<std::int64_t> generation_gpus;                   ///< of servers beside the trainer

  bool any() const { return group_size || prompt_length || completion_length || generation_gpus; }
};

/// What a rule of a run says in the place of the sheet's.
struct RunOptions : CommonOptions {
  std::string stack, provider, region;  ///< as people call them; "" where not said
  std::optional<std::int64_t> rank, gpus, seq_len, micro_batch, global_batch, grad_accum;
  GenerationOptions generation;
  std::optional<std::int64_t> tokens, examples, mean_length;
  std::optional<double> epochs, headroom;
  std::optional<double> deadline;  ///< hours
  Json said_grpo;                  ///< keys of `grpo` beside the method's; null without any
};

struct QuestionOptions : RunOptions {
  std::vector<std::string> words;  ///< the model, the method and the cards without an option's name
  std::string model, config, method, gpu;  ///< as people call them; "" where not said
  std::vector<std::string> other_configs;  ///< files of the same run beside `config`
  Json read_config;                        ///< what a training config says; null without one
  std::optional<double> budget;            ///< dollars
  bool whole_machine = false;              ///< a cloud's machine is named: all its GPUs, no fewer
  std::string format = "text";

  bool as_json() const { return format == "json"; }
  /// Of the catalog; "" where no model is named.
  std::string model_id() const { return config.empty() || !read_config.is_null() ? model : ""; }
};

/// What the options that mean a little else in each command say in its help.
struct QuestionHelp {
  const char* words;
  const char* method;
  const char* gpu;
  const char* gpus;
  const char* sheet;
  Bounds<double> most_gpus;
};

/// What runs and how: the words, the model, the method, the GPUs, the length and the batch.
void add_set_up(CLI::App& command, QuestionOptions& options, const QuestionHelp& help);
/// The form of the answer, the sheet of rules and the catalog.
void add_answer(CLI::App& command, QuestionOptions& options, const QuestionHelp& help);
/// The options of a question: both of these, with the length of the run and a budget between them.
void add_question(CLI::App& command, QuestionOptions& options, const QuestionHelp& help);

/// Those of them that are rules of every run, but for `--gpus` and `--seq`.
void add_run_options(CLI::App& command, RunOptions& options);

/// Whether a model is named, or its config.json. Throws InputError, naming `command`, for both.
bool names_model(const QuestionOptions& options, const std::string& command);

/// A `--model` that is a file becomes the config.json of a model, beside a training config as well.
void take_model_file(QuestionOptions& options, Catalog& catalog);

/// Sets the names to ids. A config.json becomes a model of `catalog`, and a rank that no method of
/// it has a method. A model has to be named.
ModelTaken take_question(QuestionOptions& options, Catalog& catalog, const UsualNames& usual,
                         TakenNames& taken);

/// The same where no model is named.
void take_names(QuestionOptions& options, Catalog& catalog, const UsualNames& usual,
                TakenNames& taken);

/// Sets stack, provider and region to those of the catalog.
void take_rules(RunOptions& options, const Catalog& catalog, TakenNames& taken);

/// The region as prices have it, with '*' where it begins their names: "eu*" of "EU"; "" where no
/// price is of it.
std::string known_region(const std::string& region, const Catalog& catalog);

/// The regions of prices that a word means: itself, or all that begin so ("eu*").
void take_region(std::string& region, const Catalog& catalog, TakenNames& taken);

/// Sequences of one example of a method's objective: two of a pair.
std::int64_t sequences_of(const Json& objective);

/// Asks the first scenario of a sheet as the options say, after their names became ids. `methods`
/// are those that the sheet is asked for, `gpu` the card or "". Throws InputError for what does not
/// go together.
void ask_scenario(const RunOptions& options, const Catalog& catalog,
                  const std::vector<std::string>& methods, const std::string& gpu, SheetSpec& sheet,
                  TakenNames& taken);

/// Of `methods` those that train adapters, with this rank; `catalog` gains those that it lacks.
/// Throws InputError where none does.
std::vector<std::string> methods_of_rank(std::int64_t rank, const std::vector<std::string>& methods,
                                         Catalog& catalog);

/// The id that a method is called by; of one with a rank that the catalog lacks ("lora r32") the
/// catalog gains it.
void take_method(std::string& name, Catalog& catalog, const std::vector<std::string>& usual,
                 TakenNames& taken);

}  // namespace sizesheet
