// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include <cstdlib>
#include <iomanip>

#include "calculator/estimates.h"
#include "calculator/terms.h"
#include "catalog/catalog.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/json_lines.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "render/choices.h"
#include "sheet/fields.h"
#include "sheet/measures.h"
#include "sheet/rows/size_row.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/residual.h"
#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/projections.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/values.h"

namespace sizesheet {
namespace {

struct ExplainOptions : CommonOptions {
  std::string model;
  std::string method;
  std::string gpu;
  std::string stack = "hf-trl";
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> seq_len;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> tokens;
  std::string objective;
  std::string request;  ///< other keys of an `estimate` request, a JSON object
  std::optional<double> measured_gib;
  std::string format = "text";
};

/// What `explain` knows of one job.
struct Explanation {
  Sizing sizing;
  JobTerms terms;
  std::vector<PhaseCheck> phases;
  Death smaller;                        ///< of the next smaller count, or of this one if it is none
  std::int64_t smaller_gpus = 0;        ///< 0: nothing runs out
  std::vector<ResidualCause> residual;  ///< empty without a measured figure
  std::optional<RentedRun> money;       ///< where the objective is money
};

/// Says `value` under a dotted key that --request does not say too.
void put(Json& request, const std::string& key, const std::string& option, const Json& value) {
  const std::string parent = key.substr(0, key.find('.'));
  if (!at_dotted(request, key).is_null()) {
    throw InputError("--request: " + key + " is said twice, " + option + " says it too");
  }
  const bool nested = parent != key && request.contains(parent);
  if (nested && !request.at(parent).is_object()) {
    throw InputError("--request: " + parent + ": expected an object, got " +
                     shown(request.at(parent)));
  }
  set_dotted(request, key, value);
}

void set_absent(Json& request, const std::string& key, const Json& value) {
  if (at_dotted(request, key).is_null()) set_dotted(request, key, value);
}

/// Without a GPU type there is no capacity to search a layout for.
void refuse_open_layout(const Json& request) {
  int known = 0;
  for (const char* key : {"layout.gpus", "layout.dp", "layout.tp"}) {
    if (!at_dotted(request, key).is_null()) ++known;
  }
  if (known >= 2 || at_dotted(request, "layout.gpus") == 1) return;
  throw InputError(
      "explain: without --gpu the layout has to be given: --gpus 8 spreads by data parallelism "
      "alone, --request '{\"layout\": {\"gpus\": 8, \"tp\": 2}}' says more");
}

Json request_of(const ExplainOptions& options) {
  Json request = request_keys(
      options.request,
      {{"model", "--model"}, {"method", "--method"}, {"stack", "--stack"}, {"gpu", "--gpu"}});
  if (request.contains("answer")) {
    throw InputError("--request: answer: an explanation always has every part");
  }
  request["model"] = options.model;
  request["method"] = options.method;
  if (options.stack != "none") request["stack"] = options.stack;
  if (!options.gpu.empty()) request["gpu"] = options.gpu;
  for (const auto& [key, option, given] :
       {std::tuple("layout.gpus", "--gpus", options.gpus),
        {"workload.seq_len", "--seq", options.seq_len},
        {"workload.micro_batch", "--micro-batch", options.micro_batch},
        {"workload.tokens", "--tokens", options.tokens}}) {
    if (given) put(request, key, option, *given);
  }
  if (!options.objective.empty()) put(request, "objective", "--objective", options.objective);
  // Without a GPU nothing can be searched: the count is spread by data parallelism alone.
  const bool spread = !at_dotted(request, "layout.dp").is_null();
  if (!request.contains("gpu") && options.gpus && !spread) {
    set_absent(request, "layout.tp", 1);
  }
  if (request.contains("gpu") && !request.contains("grpo")) set_absent(request, "limits", true);
  if (!request.contains("gpu")) refuse_open_layout(request);
  return request;
}

Json diagnosis_json(const Explanation& explanation) {
  Json json = {{"phases", Json::array()}, {"smaller", Json()}};
  for (const PhaseCheck& check : explanation.phases) json["phases"].push_back(written(check));
  if (explanation.smaller_gpus == 0) return json;
  json["smaller"] = written(explanation.smaller);
  json["smaller"]["gpus"] = explanation.smaller_gpus;
  return json;
}

Json explanation_json(const Explanation& explanation, const ExplainOptions& options) {
  Json json = to_json(explanation.sizing);
  if (explanation.money) put_money(*explanation.money, json);
  put_terms(explanation.terms, json);
  json["diagnosis"] = diagnosis_json(explanation);
  if (!options.measured_gib) return json;
  json["measured_gib"] = *options.measured_gib;
  Json& causes = json["residual"] = Json::array();
  for (const ResidualCause& cause : explanation.residual) causes.push_back(written(cause));
  return json;
}

Explanation explanation_of(const ExplainOptions& options, const Catalog& catalog) {
  Question question = read_whole_question(request_of(options), catalog, catalog.engine.current);
  question.parts = {AnswerPart::kMemory, AnswerPart::kMoney, AnswerPart::kBill, AnswerPart::kWords};
  Explanation explanation;
  if (question.objective == Objective::kMoney) {
    explanation.money = MoneyAnswers(estimate_rules(options)).answer(question);
    explanation.sizing = explanation.money->sizing;
  } else {
    explanation.sizing = whole_answer(question);
  }
  const Candidate& chosen = explanation.sizing.plan.chosen;
  explanation.terms = terms_of(question, explanation.sizing);
  if (explanation.money) explanation.terms.cost = explanation.money->cost_terms;
  explanation.phases = phase_checks(chosen.bill);
  // Where the next smaller count dies; where nothing holds, the best layout itself.
  const Plan& plan = explanation.sizing.plan;
  const Candidate* fails = plan.chosen.verdict == Verdict::kNo ? &plan.chosen : nullptr;
  if (fails == nullptr && plan.before) fails = &*plan.before;
  if (fails != nullptr) {
    explanation.smaller = death_of(fails->bill);
    explanation.smaller_gpus = fails->job.layout.gpus();
  }
  if (options.measured_gib) {
    const auto measured = static_cast<std::int64_t>(*options.measured_gib * kGiB);
    explanation.residual = residual_causes(question, explanation.sizing, measured);
  }
  return explanation;
}

// Causes that explain less than nothing are not worth a line; the JSON has them.
constexpr std::size_t kCausesShown = 8;

void print_term(const MemoryTerm& term, std::ostream& out) {
  out << std::left << std::setw(26) << term.title << std::right << std::setw(9)
      << format_gib(term.bytes, 2) << " GiB";
  if (term.bytes == 0) {
    out << '\n';
    return;
  }
  out << "   " << term.formula.text << '\n';
  for (const FormulaStep& step : term.formula.steps) {
    out << std::string(41, ' ') << step.name << " = " << step.formula << '\n';
  }
  std::string inputs;
  for (const NamedValue& input : term.formula.inputs) {
    inputs += (inputs.empty() ? "" : ", ") + input.name + " = " + shortest(input.value);
  }
  if (!inputs.empty()) out << std::string(41, ' ') << "with " << inputs << '\n';
}

std::string configuration(std::int64_t gpus, const std::string& gpu) {
  return std::to_string(gpus) + " GPU" + (gpus == 1 ? "" : "s") + (gpu.empty() ? "" : " " + gpu);
}

/// "dp 1, tp 2, cp 4, zero3 over dp x cp": context-parallel ranks share the states like
/// data-parallel ones.
std::string spread_words(const Job& job) {
  const Layout& layout = job.layout;
  std::string words = "dp " + std::to_string(layout.dp) + ", tp " + std::to_string(layout.tp);
  for (const auto& [key, ranks] :
       {std::pair("pp", layout.pp), {"cp", layout.cp}, {"ep", layout.ep}}) {
    if (ranks > 1) words += std::string(", ") + key + " " + std::to_string(ranks);
  }
  if (layout.shard == Shard::kNone) return words + ", unsharded";
  if (layout.replicas() == 1) {
    return words + (job.shards_experts() ? ", experts " + name_of(layout.shard) + " over tp"
                                         : ", unsharded");
  }
  return words + ", " + name_of(layout.shard) + (layout.cp > 1 ? " over dp x cp" : "");
}

/// What the job is run with, whoever chose it.
void print_choices(const Job& job, std::ostream& out) {
  out << full_choice_words(choices_of(job)) << '\n';
}

/// What nobody on the command line said.
void print_defaults(const Json& defaults, std::ostream& out) {
  const Json& stack = defaults.at("stack");
  out << "left open and taken from "
      << (stack.is_null() ? "the neutral values" : stack.get<std::string>()) << ':';
  const char* mark = " ";
  for (const auto& [key, value] : defaults.at("taken").items()) {
    out << mark << key << ' ' << (value.is_string() ? value.get<std::string>() : value.dump());
    mark = ", ";
  }
  out << '\n';
}

void print_layout(const Sizing& sizing, const ExplainOptions& options, std::ostream& out) {
  const Job& job = sizing.plan.chosen.job;
  out << options.model << ", " << options.method << ", "
      << configuration(job.layout.gpus(), options.gpu) << " (" << spread_words(job) << "), "
      << (options.stack == "none" ? "no stack" : "stack " + options.stack) << ", sequence "
      << job.seq_len << '\n';
  const std::int64_t total = sizing.parameters.total();
  out << format_integer(total) << " parameters, " << format_integer(sizing.trainable)
      << " trained ("
      << format_number(100 * static_cast<double>(sizing.trainable) / static_cast<double>(total), 2)
      << " %); headroom " << format_number(100 * job.headroom, 0) << " %\n";
  if (job.layout.gpus() > 1) out << "device mesh: " << device_mesh(job) << '\n';
  print_choices(job, out);
  print_defaults(sizing.defaults.json(), out);
  out << '\n';
}

void print_device(const Sizing& sizing, std::ostream& out) {
  const MemoryBill& bill = sizing.plan.chosen.bill;
  out << std::left << std::setw(26) << "On the device" << std::right << std::setw(9)
      << format_gib(bill.device, 2) << " GiB";
  if (sizing.plan.chosen.verdict != Verdict::kUnknown) {
    out << " of " << format_gib(bill.capacity, 2) << " usable: "
        << (holds(sizing.plan.chosen.verdict)
                ? standing_words(sizing.plan.chosen.verdict, bill.device_high, bill.capacity)
                : std::string(id_of(sizing.plan.chosen.verdict)));
  }
  out << "\nwithout activations, while the optimizer steps: " << format_gib(floor_bytes(bill), 2)
      << " GiB; no checkpointing goes below that\npeak in " << bill.peak_phase
      << "; 90 % of published measurements would lie between " << format_gib(sizing.device_low, 1)
      << " and " << format_gib(sizing.device_high, 1) << " GiB (confidence " << sizing.grade
      << ")\n";
  if (!sizing.binding.empty()) out << sizing.binding << '\n';
}

void print_phases(const Explanation& explanation, const ExplainOptions& options,
                  std::ostream& out) {
  out << "\nGiB on the device          step 1         later\n";
  const auto cell = [&](std::int64_t bytes, bool over) {
    out << std::right << std::setw(9) << format_gib(bytes, 2) << (over ? " over" : "     ");
  };
  for (const PhaseCheck& check : explanation.phases) {
    out << std::left << std::setw(26) << phase_title(check.phase);
    cell(check.step1, check.step1_over);
    cell(check.steady, check.steady_over);
    out << '\n';
  }
  if (explanation.smaller_gpus == 0) return;
  const Death& death = explanation.smaller;
  out << configuration(explanation.smaller_gpus, options.gpu);
  if (death.where.empty()) {
    out << " would hold it, but without the headroom\n";
    return;
  }
  out << " would run out in " << death.where << ": " << death.bill << ". Helps: " << death.remedy
      << '\n';
}

void print_limits(const Sizing& sizing, std::ostream& out) {
  if (!sizing.limits) return;
  const Limits& limits = *sizing.limits;
  out << "\nthis layout holds a micro-batch of " << or_absent(limits.micro_batch, format_integer)
      << " (power of two " << or_absent(limits.micro_batch_power_of_two, format_integer)
      << ") or sequences of " << or_absent(limits.seq_len, format_integer) << " tokens"
      << (limits.seq_len_beyond_positions ? ", more than the model has positions" : "") << '\n';
  out << "this count of GPUs no longer holds sequences of "
      << or_absent(limits.next_count_seq_len, format_integer) << "; with 30 % headroom this takes "
      << or_absent(sizing.comfortable, format_integer) << " GPUs\n";
}

std::string signed_gib(std::int64_t bytes) { return (bytes > 0 ? "+" : "") + format_gib(bytes, 2); }

void print_part(const char* title, const std::vector<MemoryTerm>& terms, std::ostream& out) {
  if (terms.empty()) return;
  out << '\n' << title << '\n';
  for (const MemoryTerm& term : terms) print_term(term, out);
}

void print_residual(const Explanation& explanation, double measured_gib, std::ostream& out) {
  const MemoryBill& bill = explanation.sizing.plan.chosen.bill;
  const double predicted = static_cast<double>(bill.device) / kGiB;
  out << "\nmeasured " << format_number(measured_gib, 2) << " GiB: the estimate is "
      << format_number(100 * (predicted / measured_gib - 1), 1) << " % away\n";
  const auto residual = static_cast<std::int64_t>(measured_gib * kGiB) - bill.device;
  out << signed_gib(residual) << " GiB to explain; each of these alone, worked out again:\n";
  std::size_t shown = 0;
  for (const ResidualCause& cause : explanation.residual) {
    if (std::abs(cause.left) >= std::abs(residual) || shown == kCausesShown) continue;
    ++shown;
    out << std::right << std::setw(10) << signed_gib(cause.bytes) << " GiB, leaves "
        << signed_gib(cause.left) << ": " << cause.words << '\n';
  }
  if (shown == 0) out << "    none of the changes known here comes closer\n";
}

void print_batching(const Job& job, std::ostream& out) {
  if (!job.samples) return;
  const SampleBatches& samples = *job.samples;
  out << "batching " << id_of(kBatchings, samples.batching) << ": samples of "
      << format_number(samples.spread.mean, 0) << " tokens (coefficient of variation "
      << shortest(samples.spread.variation) << ") in rows of " << format_number(samples.cost.row, 0)
      << " on average, " << format_number(samples.cost.computed, 3)
      << " tokens computed for each that is trained; attention over "
      << format_number(samples.cost.attended, 0) << '\n';
  if (job.layout.dp == 1) return;
  out << "of " << job.layout.dp << " ranks the slowest takes "
      << format_number(samples.waiting(job.layout.dp), 2) << " times the mean one's time"
      << (samples.rows * job.grad_accum > 1 ? ", at most" : "") << '\n';
}

void print_speed(const Sizing& sizing, std::ostream& out) {
  if (!sizing.speed) return;
  out << "\n"
      << format_number(sizing.speed->tokens_per_second_per_gpu, 0) << " tokens/s per GPU, MFU "
      << format_number(100 * sizing.speed->mfu, 1) << " %\n";
  print_batching(sizing.plan.chosen.job, out);
  const std::optional<StepSeconds>& rollout = sizing.speed->rollout;
  const double step = rollout ? rollout->step : sizing.speed->clocks.total();
  out << "a step of " << format_number(step, 3) << " s:\n";
  for (const NamedClock& part : parts_of(*sizing.speed)) {
    out << std::setw(10) << format_number(part.seconds, 4) << " s  " << std::setw(5)
        << format_number(100 * part.seconds / step, 1) << " %  " << part.title << '\n';
  }
  if (!sizing.hours) return;
  out << format_number(sizing.hours->mid, 1) << " h for the run (" << (rollout ? "assumed" : "90 %")
      << " range " << format_number(sizing.hours->low, 1) << " to "
      << format_number(sizing.hours->high, 1) << " h)\n";
}

void print_explanation(const Explanation& explanation, const ExplainOptions& options,
                       std::ostream& out) {
  const Sizing& sizing = explanation.sizing;
  print_layout(sizing, options, out);
  for (const MemoryTerm& term : explanation.terms.memory) print_term(term, out);
  print_device(sizing, out);
  print_phases(explanation, options, out);
  print_part("the engine that generates, on one of its GPUs:", explanation.terms.generation, out);
  print_part("files of the run, and host memory:", explanation.terms.files, out);
  print_limits(sizing, out);
  print_speed(sizing, out);
  if (explanation.money) out << money_words(*explanation.money) << '\n';
  if (options.measured_gib) print_residual(explanation, *options.measured_gib, out);
  for (const std::string& warning : sizing.warnings) out << "note: " << warning << '\n';
}

/// Asks what `estimate` would read from the same words.
int run_explain(const ExplainOptions& asked, const Streams& streams) {
  ExplainOptions options = asked;
  refuse_unknown_sheet(options);
  const Catalog catalog = load_sound_catalog(options.catalog, {});
  TakenNames taken(streams.err);
  const ModelTaken model = take_model(options.model, catalog, options, taken);
  take_name(options.method, "method", called_methods(catalog), taken);
  take_name(options.gpu, "GPU", called_gpus(catalog), taken);
  if (options.stack != "none") take_name(options.stack, "stack", called_stacks(catalog), taken);
  methods_for(model, {options.method}, catalog, taken);
  Explanation explanation = explanation_of(options, catalog);
  const bool json = options.format == "json";
  const auto said = json ? taken.sentences() : taken.sentences_in(streams.out);
  std::vector<std::string>& warnings = explanation.sizing.warnings;
  warnings.insert(warnings.begin(), said.begin(), said.end());
  if (json) {
    streams.out << json_text(explanation_json(explanation, options)) << '\n';
  } else {
    print_explanation(explanation, options, streams.out);
  }
  return explanation.sizing.plan.chosen.verdict == Verdict::kNo ? 1 : 0;
}

}  // namespace

void add_explain(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(app, streams, chosen, "explain",
                                               "Take one figure apart, term by term", run_explain);
  command.footer("Exit codes: 0 it fits, or no GPU is named; 1 nothing fits; 2 could not tell.");
  add_catalog(command, options.catalog);
  command.add_option("--model", options.model, "Model id")->required();
  command.add_option("--method", options.method, "Method id")->required();
  command.add_option("--gpu", options.gpu, "GPU id");
  add_value(command, "--gpus", options.gpus, count_kind(), "Fix the number of GPUs");
  command
      .add_option("--stack", options.stack,
                  "Stack whose practice holds for what is left open; none: estimate's own values")
      ->capture_default_str();
  add_value(command, "--seq", options.seq_len, length_kind(), "Tokens of a sequence: 4096, 8k");
  add_value(command, "--micro-batch", options.micro_batch, count_kind(),
            "Sequences of a micro-batch");
  add_value(command, "--tokens", options.tokens, tokens_kind(),
            "Training tokens of the run: 50M, 1B");
  add_choice(command, "--objective", options.objective, "The fewest GPUs, hours or dollars",
             {"memory", "time", "money"});
  command.add_option("--sheet", options.sheet, "Sheet whose rules decide about money");
  add_day(command, "--as-of", options.as_of, "Day of the prices then, YYYY-MM-DD");
  command.add_option("--request", options.request,
                     "Other keys of an estimate request: {\"workload\": {\"packed\": true}}");
  add_value(command, "--measured-gib", options.measured_gib, memory_kind(),
            "What nvidia-smi showed, GiB per GPU");
  add_format(command, options.format, {"text", "json"});
}

}  // namespace sizesheet
