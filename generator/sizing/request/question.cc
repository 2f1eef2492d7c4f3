// SPDX-License-Identifier: Apache-2.0
// A request read into a question; and what a question says once it is read: the parts that it
// wants, the layout that it gives, and its job as a layout spreads it.

#include "sizing/request/question.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/models/architecture.h"
#include "catalog/models/config_keys.h"
#include "catalog/models/model.h"
#include "catalog/published/measured.h"
#include "catalog/published/team_runs.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/model/parameters.h"
#include "sizing/model/projections.h"
#include "sizing/request/grpo_reader.h"
#include "sizing/request/job_basis.h"
#include "sizing/request/job_reader.h"
#include "sizing/request/kernels_reader.h"
#include "sizing/request/layout_rules.h"
#include "sizing/request/objective_reader.h"
#include "sizing/request/settled_defaults.h"
#include "sizing/request/stack_defaults.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

void read_model_key(ObjectReader& reader, const Catalog& catalog, Question& question) {
  const Json& value = reader.raw("model");
  if (value.is_object()) {
    ObjectReader inner = reader.object("model");
    question.model = std::make_shared<const Architecture>(read_config(inner));
    question.model_id = kInlineModel;
    return;
  }
  if (const Model* model = find_named(reader, "model", catalog.models, "model")) {
    // Nothing owns it but the catalog, which outlives every question.
    question.model = {std::shared_ptr<void>(), &model->architecture};
    question.model_id = model->id;
  }
}

/// What trains as it is stored says what the frozen base is stored in.
void take_stored_base(const Question& question, Json& request) {
  if (!question.model || !question.model->stored || !question.model->stored->as_stored) return;
  const auto method = request.find("method");
  if (method == request.end() || !method->is_object()) return;
  if (!method->contains("base") || method->at("base").is_null()) {
    (*method)["base"] = question.model->stored->format;
  }
}

const std::vector<StackSetting>& settings_of(ObjectReader& reader, const Question& question,
                                             const Json& request) {
  static const std::vector<StackSetting> kNone;
  if (question.stack == nullptr) return kNone;
  const auto known = value_of(kMethodKinds, question.kind);
  if (!known) return kNone;
  const auto refusal = question.stack->refused.find(question.kind);
  // What extends another kind is run as that one, unless the stack says otherwise.
  const bool extends = facts_of(*known).extends != *known;
  const bool nf4 = at_dotted(request, "method.base") == "nf4";
  const auto entry = question.stack->kinds.find(extends && refusal == question.stack->refused.end()
                                                    ? id_of(settings_kind(*known, nf4))
                                                    : question.kind);
  if (entry != question.stack->kinds.end()) return entry->second;
  const std::string kind = "method.kind " + shown(question.kind);
  reader.fault("stack", refusal != question.stack->refused.end()
                            ? question.stack->id + " refuses " + kind + ": " + refusal->second
                            : kind + " of " + question.stack->id + " is not modelled yet");
  return kNone;
}

/// What runs of a team's own say of the bytes beside the tensors. A few runs that took less never
/// take away more than the context: a layout that fits only by them is no layout to buy.
double team_bytes(const Job& job) {
  if (job.intervals->team.empty() || job.grpo || job.gpu == nullptr) return 0;
  IntervalFacts facts;
  facts.stack = job.stack != nullptr ? job.stack->id : "";
  facts.kind = id_of(job.kind);
  facts.routed = has_experts(*job.model);
  facts.gpu = job.gpu->id;
  facts.optimizer = job.optimizer.id;
  const double bytes = std::round(team_correction(job.intervals->team, facts).bytes);
  return std::max(bytes, -job.overheads.context_gib * kGiB);
}

/// Reads the request over the defaults for one spread.
ReadJob read_spread(const Json& request, std::span<const DefaultValue> defaults,
                    const Question& question, const EngineConstants& constants, Faults& faults) {
  ObjectReader reader(request, "", "", faults, defaults);
  reader.leave({"id", "model", "added_tokens", "vocab_multiple", "mtp", "gpu", "stack", "limits",
                "deadline_hours", "objective", "vary", "answer"});
  ReadJob read = read_job(reader, {.model = question.model,
                                   .training = question.training,
                                   .constants = constants,
                                   .gpu = question.gpu,
                                   .catalog = *question.catalog});
  read.job.stack = question.stack;
  read.job.gpu = question.gpu;
  read.job.intervals = &question.catalog->intervals;
  read.job.overheads.team_bytes = team_bytes(read.job);
  reader.done();
  return read;
}

/// What else is asked for: it needs a card, and a deadline also needs the length of the run.
void read_extras(ObjectReader& reader, Question& question) {
  question.wants_limits = reader.flag_or("limits", false);
  question.deadline_hours = reader.optional_number("deadline_hours", {1e-9, 1e9});
  const bool card = question.gpu != nullptr;
  const bool runs = question.single().run_tokens().has_value();
  const auto needs = [&](const std::string& what) {
    return [&, what] { return what + "needs " + question.single().length_keys(); };
  };
  refuse_unless(reader, question.objective != Objective::kMoney || runs, "objective",
                needs("\"money\" "));
  bool money = question.objective == Objective::kMoney;
  for (const AnswerPart part : {AnswerPart::kMoney, AnswerPart::kFrontier, AnswerPart::kOwn}) {
    const bool asked = question.parts && question.parts->contains(part);
    money = money || asked;
    if (!asked) continue;
    const std::string name = in_quotes(id_of(kAnswerParts, part));
    refuse_unless(reader, card, "answer", name + " needs a gpu: dollars depend on the card");
    refuse_unless(reader, !card || runs, "answer", needs(name + " "));
  }
  if (money) {
    const std::string unpriced = money_fault(question.single());
    refuse_unless(reader, unpriced.empty(), "grpo", unpriced);
  }
  if (card && !question.layout_given() && !question.pins().gpus) {
    const Gpu& gpu = *question.gpu;
    refuse_unless(reader, !gpu.counts_up_to(question.max_gpus()).empty(), "max_gpus",
                  "expected at least " + std::to_string(gpu.rentable_counts.front()) +
                      ", the fewest " + gpu.id + " that are counted, got " +
                      std::to_string(question.max_gpus()));
  }
  refuse_unless(reader, card || !question.wants_limits, "limits",
                "what fits depends on the card, and no gpu is named");
  if (!question.deadline_hours) return;
  refuse_unless(reader, card, "deadline_hours", "hours depend on the card, and no gpu is named");
  refuse_unless(reader, runs, "deadline_hours", needs(""));
}

/// What the search is for, and what it may change of the job beside the layout.
void read_search(ObjectReader& reader, const Json& request, Question& question) {
  refuse_unless(reader, question.gpu != nullptr || question.objective == Objective::kMemory,
                "objective", "needs a gpu: hours and dollars depend on the card");
  if (!reader.has("vary")) return;
  const std::vector<std::string> known{"recompute", "micro_batch"};
  const std::vector<std::string> varied = reader.texts("vary");
  for (const std::string& one : varied) {
    refuse_unless(reader, contains(known, one), "vary",
                  "expected some of recompute, micro_batch, got " + in_quotes(one) +
                      did_you_mean(one, known));
  }
  question.varies_recompute = contains(varied, "recompute");
  question.varies_micro_batch = contains(varied, "micro_batch");
  refuse_unless(reader, varied.empty() || question.gpu != nullptr, "vary",
                "needs a gpu: without one nothing is searched");
  refuse_unless(reader,
                !question.varies_recompute || at_dotted(request, "kernels.recompute").is_null(),
                "vary", "\"recompute\" is fixed by kernels.recompute");
  if (!question.varies_micro_batch) return;
  refuse_unless(reader, at_dotted(request, "workload.micro_batch").is_null(), "vary",
                "\"micro_batch\" is fixed by workload.micro_batch");
  refuse_unless(reader, at_dotted(request, "grpo").is_null(), "vary",
                "\"micro_batch\" is not searched with grpo: fix workload.micro_batch");
  refuse_unless(reader, !at_dotted(request, "workload.global_batch").is_null(), "vary",
                "\"micro_batch\" needs workload.global_batch, the batch that every size keeps");
}

/// Which parts of the answer are wanted.
void read_parts(ObjectReader& reader, Question& question) {
  if (!reader.has("answer")) return;
  question.parts.emplace();
  const std::string expected = "expected some of " + join(ids(kAnswerParts), ", ") + ", got ";
  for (const std::string& one : reader.texts("answer")) {
    const auto part = value_of(kAnswerParts, one);
    refuse_unless(reader, part.has_value(), "answer",
                  expected + in_quotes(one) + did_you_mean(one, ids(kAnswerParts)));
    if (part) question.parts->insert(*part);
  }
  refuse_unless(reader, !question.parts->empty() || !reader.sound("answer"), "answer",
                expected + "[]");
}

/// What the framework has no trainer for.
void check_training(const Question& question, Faults& faults) {
  if (question.stack == nullptr) return;
  const StackTraining& trains = question.stack->trains;
  const auto kind = value_of(kMethodKinds, question.kind);
  const auto known = kind ? trains.objectives.find(std::string(id_of(facts_of(*kind).extends)))
                          : trains.objectives.end();
  if (known == trains.objectives.end()) return;
  const std::string asked = question.single().trained_by();
  if (contains(known->second, asked)) return;
  faults.add("", "/stack",
             question.stack->id + " has no " + in_quotes(asked) + " for " + question.kind +
                 ": it trains " + join(known->second, ", ") +
                 (trains.note.empty() ? "" : "; " + trains.note) + " (" + trains.source + ")");
}

/// What the stack's entry refuses under a word of its own; a fused Mamba kernel never calls an
/// adapter on the projection behind it.
void check_stack(const Json& request, const Question& question, Faults& faults) {
  if (question.stack == nullptr) return;
  const auto refuse = [&](bool asked, const char* word, const char* place,
                          const std::string& what) {
    const auto refusal = question.stack->refused.find(word);
    if (!asked || refusal == question.stack->refused.end()) return;
    faults.add("", place, question.stack->id + " refuses " + what + ": " + refusal->second);
  };
  const Job& job = question.single();
  const Shard shard = question.pins().shard.value_or(Shard::kNone);
  refuse(shard != Shard::kNone, "sharding", "/stack", "layout.shard " + in_quotes(name_of(shard)));
  refuse(at_dotted(request, "method.base") == "mxfp4", "mxfp4", "/stack", "method.base \"mxfp4\"");
  refuse(
      !job.full() && has_mamba(*job.model) && job.adapters.targets.contains(Projection::kMixerOut),
      "out_proj", "/method/targets", "an adapter on \"out_proj\"");
}

/// The job under each way of spreading it; `faults` are those of them all. What stands under the
/// defaults of an earlier one is not read again.
std::map<Spread, ReadJob> jobs_under(const Json& request, const AppliedSettings& defaults,
                                     const EngineConstants& constants, const Question& question,
                                     std::map<Spread, Faults>& faults) {
  std::map<Spread, ReadJob> jobs;
  for (const Spread spread : {Spread::kSingle, Spread::kDdp, Spread::kSharded}) {
    const auto same = std::ranges::find_if(jobs, [&](const auto& earlier) {
      return std::ranges::all_of(defaults, [&](const AppliedSetting& applied) {
        return &value_for(applied, earlier.first) == &value_for(applied, spread);
      });
    });
    if (same != jobs.end()) {
      jobs[spread] = same->second;
    } else {
      jobs[spread] =
          read_spread(request, defaults_for(defaults, spread), question, constants, faults[spread]);
      jobs[spread].job.layout.shard_named = !at_dotted(request, "layout.shard").is_null();
    }
  }
  return jobs;
}

/// Whether other values of the stack's defaults are read as well.
enum class Alternatives { kRead, kLeft };

/// Leaves out what this model or request cannot have, such as experts' modules of a dense model.
void read_alternative(const Json& request, const AppliedSettings& defaults,
                      const EngineConstants& constants, Question& question) {
  std::map<Spread, Faults> faults;
  std::map<Spread, ReadJob> jobs = jobs_under(request, defaults, constants, question, faults);
  const bool sound =
      std::ranges::all_of(faults, [](const auto& found) { return found.second.empty(); });
  if (sound) question.alternatives.push_back(std::move(jobs));
}

/// What recomputes all of every block, as the stack does it: some wrap attention, MLP and norms one
/// by one, and none of them the block of a model without routed experts.
const char* whole_recompute(const AppliedSettings& defaults, const Question& question) {
  for (const AppliedSetting& applied : defaults) {
    if (applied.setting->key != "kernels.recompute" || has_experts(*question.model)) continue;
    const bool one_by_one = std::ranges::any_of(
        applied.setting->alternatives, [](const auto& other) { return other.value == "sublayer"; });
    if (one_by_one) return "sublayer";
  }
  return "full";
}

/// What recomputes nothing before what recomputes all, where the defaults do neither.
void read_recomputes(const Json& request, const AppliedSettings& defaults,
                     const EngineConstants& constants, Question& question) {
  for (const std::string way : {"none", whole_recompute(defaults, question)}) {
    const auto does = [&](const auto& spread) { return recompute_name(spread.second.job) == way; };
    if (std::ranges::all_of(question.jobs, does)) continue;
    Json varied = request;
    set_dotted(varied, "kernels.recompute", way);
    read_alternative(varied, defaults, constants, question);
    for (const AppliedSettings& other : alternatives_of(defaults, varied)) {
      read_alternative(varied, other, constants, question);
    }
  }
}

void read_jobs(const Json& request, ObjectReader& reader, const EngineConstants& constants,
               Alternatives others, Question& question, Faults& faults) {
  question.stack_defaults = applicable(settings_of(reader, question, request), request, question);
  const AppliedSettings& defaults = question.stack_defaults;
  std::map<Spread, Faults> own;
  question.jobs = jobs_under(request, defaults, constants, question, own);
  for (const AppliedSetting& applied : defaults) {
    if (!applied.setting->trap.empty() &&
        !default_value(request, applied, Spread::kSingle).is_null()) {
      question.traps.push_back(
          {applied.setting->key, applied.setting->trap, applied.setting->trap_value});
    }
  }
  for (const Fault& fault : own[Spread::kSingle].all()) {
    faults.add(fault.file, fault.pointer, fault.message);
  }
  if (!faults.empty() || others == Alternatives::kLeft) return;
  if (question.varies_recompute) read_recomputes(request, defaults, constants, question);
  if (question.layout_given()) return;
  for (const AppliedSettings& other : alternatives_of(defaults, request)) {
    read_alternative(request, other, constants, question);
  }
}

std::string kind_of(const Json& request) {
  const Json& kind = at_dotted(request, "method.kind");
  return kind.is_string() ? kind.get<std::string>() : "";
}

/// What the stack warns of in every run, and in runs like this one.
std::vector<std::string> stack_warnings(const Question& question) {
  std::vector<std::string> run = {question.kind};
  const bool generates = question.single().grpo.has_value();
  run.emplace_back(generates            ? "rl"
                   : !question.training ? "sft"
                                        : std::string(question.training->facts().id));
  if (has_experts(*question.model)) run.emplace_back("routed");
  std::vector<std::string> warnings = question.stack->warnings;
  for (const StackWarning& warning : question.stack->warnings_for) {
    const bool applies = std::ranges::all_of(
        warning.runs, [&](const std::string& word) { return contains(run, word); });
    if (applies) warnings.push_back(warning.text);
  }
  return warnings;
}

/// What is read once its subject is known.
void read_rest(Json request, const EngineConstants& constants, Alternatives others,
               Question& question, Faults& faults) {
  ObjectReader reader(request, "", "", faults);
  read_search(reader, request, question);
  read_parts(reader, question);
  read_jobs(request, reader, constants, others, question, faults);
  if (!faults.empty()) return;
  if (question.gpu != nullptr && !question.gpu->capacity_bytes()) {
    reader.fault("gpu", question.gpu->id +
                            ": its usable memory is not known, so nothing can be sized on it");
  }
  check_layout(request, question, faults);
  read_extras(reader, question);
  check_training(question, faults);
  check_stack(request, question, faults);
  question.request = std::move(request);
  if (question.stack != nullptr) question.warnings = stack_warnings(question);
}

}  // namespace

std::string vendor_fault(const Stack& stack, const Gpu& gpu) {
  const bool unknown = gpu.vendor.empty();  // a card of which only the memory was said
  if (stack.vendors.empty() || unknown || contains(stack.vendors, gpu.vendor)) return "";
  return stack.id + " needs a GPU of " + join(stack.vendors, " or ") + " (" + stack.needs + "); " +
         gpu.id + " is of " + gpu.vendor;
}

Question read_question(const Json& request, const Catalog& catalog,
                       const EngineConstants& constants, Faults& faults) {
  Question question;
  question.catalog = &catalog;
  Json whole = with_method(request, catalog, faults);
  const std::vector<std::string> settled = settle_defaults(request, whole);
  ObjectReader reader(whole, "", "", faults);
  question.id = reader.text_or("id", "");
  reader.text_or("$schema", "");  // tells editors how to help
  if (whole.is_object()) whole.erase("$schema");
  question.speed_intervals = &catalog.speed_intervals;
  question.kind = kind_of(whole);
  const Json& method = at_dotted(request, "method");
  if (method.is_string()) question.method_id = method.get<std::string>();
  read_model_key(reader, catalog, question);
  take_stored_base(question, whole);
  question.model = model_as_run(reader, question.model);
  read_objective(reader, catalog, question);
  if (reader.has("gpu")) question.gpu = find_named(reader, "gpu", catalog.gpus, "GPU");
  if (reader.has("stack")) question.stack = find_named(reader, "stack", catalog.stacks, "stack");
  if (question.stack != nullptr && question.gpu != nullptr) {
    const std::string elsewhere = vendor_fault(*question.stack, *question.gpu);
    refuse_unless(reader, elsewhere.empty(), "stack", elsewhere);
  }
  if (!question.model || !faults.empty()) return question;
  read_rest(std::move(whole), constants, Alternatives::kRead, question, faults);
  question.warnings.insert(question.warnings.begin(), settled.begin(), settled.end());
  return question;
}

Question read_again(const Question& question, Json request, const EngineConstants& constants,
                    Faults& faults) {
  const std::string kind = kind_of(request);
  // What is trained for is read anew where it changes, or where its reference rests on the kind.
  if (question.training && (at_dotted(request, "objective") != question.request.at("objective") ||
                            kind != question.kind)) {
    return read_question(request, *question.catalog, constants, faults);
  }
  Question changed;
  static_cast<Subject&>(changed) = question;
  changed.kind = kind;
  read_rest(std::move(request), constants, Alternatives::kLeft, changed, faults);
  return changed;
}

bool Question::wants(AnswerPart part) const {
  if (parts) return parts->contains(part);
  return part == AnswerPart::kMemory || part == AnswerPart::kWords ||
         (part == AnswerPart::kMoney && objective == Objective::kMoney);
}

bool Question::layout_given() const {
  const LayoutPins& fixed = pins();
  const int known = (fixed.gpus ? 1 : 0) + (fixed.dp ? 1 : 0) + (fixed.tp ? 1 : 0);
  return known >= 2 || (fixed.gpus && *fixed.gpus == 1);
}

Layout Question::given_layout() const {
  const LayoutPins& fixed = pins();
  Layout layout = single().layout;
  layout.pp = fixed.pp.value_or(1);
  layout.cp = fixed.cp.value_or(1);
  layout.ep = fixed.ep.value_or(1);
  const std::int64_t gpus = fixed.gpus.value_or(0);
  layout.tp = fixed.tp.value_or(
      std::max<std::int64_t>(1, gpus / (fixed.dp.value_or(1) * layout.pp * layout.cp)));
  layout.dp =
      fixed.dp.value_or(std::max<std::int64_t>(1, gpus / (layout.tp * layout.pp * layout.cp)));
  layout.shard = fixed.shard.value_or(Shard::kNone);
  return layout;
}

Spread spread_of(const Layout& layout) {
  if (layout.replicas() == 1) return Spread::kSingle;
  return layout.shard == Shard::kNone ? Spread::kDdp : Spread::kSharded;
}

const Job& read_job_of(const Question& question, const Layout& dimensions,
                       std::size_t alternative) {
  const auto& jobs = alternative == 0 ? question.jobs : question.alternatives.at(alternative - 1);
  return jobs.at(spread_of(dimensions)).job;
}

void spread_over(const Layout& dimensions, Layout& layout) {
  for (const Dimension& one : kDimensions) layout.*one.ranks = dimensions.*one.ranks;
  layout.shard = dimensions.shard;
  if (layout.shard_group > layout.replicas()) layout.shard_group = 0;
}

Job job_with_layout(const Question& question, const Layout& dimensions, std::size_t alternative) {
  Job job = read_job_of(question, dimensions, alternative);
  spread_over(dimensions, job.layout);
  job.accumulate();
  return job;
}

}  // namespace sizesheet
