// SPDX-License-Identifier: Apache-2.0
#include "cli/measure_script.h"

#include <algorithm>
#include <iterator>

#include "catalog/catalog.h"
#include "catalog/models/model.h"
#include "cli/command_parts.h"
#include "cli/common_options.h"
#include "cli/explained_request.h"
#include "cli/run_request.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/job/job.h"
#include "sizing/model/adapters.h"
#include "sizing/model/projections.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kTrainer = "hf-trl";  // the stack of transformers' Trainer
constexpr const char* kPlace = "@RUN@";     // of the settings in the script

/// What Trainer calls an optimizer: TrainingArguments.optim.
struct TrainerOptimizer {
  std::string_view id;
  bool foreach = false;
  const char* name;
};
constexpr TrainerOptimizer kOptimizers[] = {{"adamw", false, "adamw_torch_fused"},
                                            {"adamw", true, "adamw_torch"},
                                            {"adamw-8bit", false, "adamw_bnb_8bit"},
                                            {"paged-adamw", false, "paged_adamw_32bit"},
                                            {"paged-adamw-8bit", false, "paged_adamw_8bit"},
                                            {"adafactor", false, "adafactor"},
                                            {"sgd", false, "sgd"}};

const TrainerOptimizer* trainer_optimizer(const Job& job) {
  const auto* found = std::ranges::find_if(kOptimizers, [&](const TrainerOptimizer& one) {
    return one.id == job.optimizer.id &&
           (one.foreach == job.optimizer_foreach || one.id != "adamw");
  });
  return found == std::end(kOptimizers) ? nullptr : found;
}

void refuse_unless(bool holds, const std::string& words) {
  if (!holds) throw InputError("measure-script: " + words);
}

/// What the script cannot run, by name.
void refuse_unmeasured(const Question& question, const Job& job) {
  refuse_unless(job.layout.gpus() == 1, "measures on one GPU; expected a card such as 1xh100");
  refuse_unless(question.stack == nullptr || question.stack->id == kTrainer,
                "runs transformers' Trainer, which is the stack " + std::string(kTrainer) +
                    ", and not " + (question.stack ? question.stack->id : ""));
  refuse_unless(!job.grpo && !job.training, "measures supervised fine-tuning alone");
  refuse_unless(job.full() || (job.kind == MethodKind::kLora && job.base == BaseDtype::kBf16),
                "measures full fine-tuning and LoRA on a 16-bit base; a quantised base needs "
                "weights that are no random numbers");
  refuse_unless(job.recompute == Recompute::kNone || job.recompute == Recompute::kFull,
                "Trainer recomputes every block or none");
  refuse_unless(job.precision == Precision::kBf16, "trains in bf16");
  refuse_unless(!job.layout.offload_optimizer && !job.layout.offload_params, "offloads nothing");
  refuse_unless(trainer_optimizer(job) != nullptr, "Trainer has no optimizer " + job.optimizer.id);
}

std::vector<std::string> target_names(const Job& job) {
  const Projections preset = preset_targets(*job.model, job.target_words);
  return preset.empty() ? split(job.target_words, ',') : names_of(preset);
}

Json settings_of(const Question& question, const Job& job, const std::string& repository) {
  Json run = {{"request", question.request},
              {"repository", repository},
              {"kind", job.full() ? "full" : "lora"},
              {"seq_len", job.seq_len},
              {"micro_batch", job.micro_batch},
              {"grad_accum", job.grad_accum},
              {"recompute", job.recompute == Recompute::kFull},
              {"attention", job.attention == AttentionKernel::kEager ? "eager" : "sdpa"},
              {"optim", trainer_optimizer(job)->name},
              {"autocast", true},
              {"fp32_weights", job.full() && job.state.autocast_cache > 0}};
  if (!job.full()) {
    run["rank"] = job.adapters.rank;
    run["targets"] = target_names(job);
  }
  return run;
}

/// 0. Throws InputError for what the script cannot run.
int run_measure_script(const ExplainOptions& asked, const Streams& streams) {
  ExplainOptions options = asked;
  Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(streams.err);
  const Json request = request_of_run(
      explained_request(options, "measure-script", catalog, taken).request, "measure-script");
  const Question question = read_whole_question(request, catalog, catalog.engine.current);
  const Sizing sizing = answer(question);
  const Job& job = sizing.plan.chosen.job;
  refuse_unmeasured(question, job);
  const std::string& repository = catalog.model(options.model).repository;
  refuse_unless(!repository.empty(), options.model + " has no name on the Hub");
  std::string script(embedded_documents().at("measure.py"));
  const std::string settings = settings_of(question, job, repository).dump(1);
  script.replace(script.find(kPlace), std::string_view(kPlace).size(), settings);
  streams.out << script;
  return 0;
}

}  // namespace

void add_measure_script(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(
      app, streams, chosen, "measure-script",
      "Print a Python script that measures a run on your GPU, for record", run_measure_script);
  const QuestionHelp help = {.words = "What to run: llama-3.1-8b lora 1xh100",
                             .method = "The method: full, lora, LoRA r64 …",
                             .gpu = "The GPU: 4090, H100, an id …",
                             .gpus = "One",
                             .sheet = "Sheet whose rules and first scenario apply",
                             .most_gpus = count_kind().bounds};
  add_set_up(command, options, help);
  add_catalog(command, options.catalog);
  add_sheet(command, options, help.sheet);
  command.add_option("--request", options.request,
                     "Other keys of an estimate request: {\"kernels\": {\"recompute\": \"none\"}}");
}

}  // namespace sizesheet
