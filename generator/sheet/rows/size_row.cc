// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/size_row.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/price_row.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/verdict.h"
#include "sizing/request/grpo_reader.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/clocks.h"
#include "sizing/time/rollout.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// What the search for the fewest GPUs found.
void set_minimum(const Sizing& sizing, Row& row) {
  const Plan& plan = sizing.plan;
  row.by_memory = plan.by_memory;
  row.tight = plan.tight;
  row.rentable = plan.rentable;
  row.parameters_trainable = sizing.trainable;
  row.counts = plan.counts;
  row.fewer = plan.fewer;
  row.fingerprint = plan.fingerprint;
}

/// A row is of the whole card: where completions are generated, what engine and reference take
/// beyond the trainer's own peak is overhead.
std::int64_t beside_trainer(const Candidate& chosen) {
  return chosen.device() - chosen.bill.device;
}

void set_layout(const Sizing& sizing, Row& row) {
  const Candidate& chosen = sizing.plan.chosen;
  row.verdict = chosen.verdict;
  row.layout = shape_of(chosen.job);
  row.choices = choices_of(chosen.job);
  row.memory = chosen.bill;
  const std::int64_t beside = beside_trainer(chosen);
  row.memory.overhead += beside;
  row.memory.device += beside;
  row.device_low = sizing.device_low + beside;
  row.device_high = sizing.device_high + beside;
  row.confidence = sizing.grade;
  row.warnings = sizing.warnings;
}

/// Of the counts that the search looked at and of those that can be timed.
std::optional<std::int64_t> certain_from(const Plan& fewest, const std::vector<Timed>& ways) {
  std::optional<std::int64_t> least;
  const auto add = [&](std::int64_t gpus, Verdict verdict, std::optional<bool> certain) {
    if (verdict != Verdict::kFits || !certain.value_or(false)) return;
    least = std::min(least.value_or(gpus), gpus);
  };
  for (const CountCheck& check : fewest.counts) add(check.gpus, check.verdict, check.certain);
  for (const auto& [candidate, speed, hours] : ways) {
    add(candidate.job.layout.gpus(), candidate.verdict, candidate.certain());
  }
  return least;
}

void set_speed(const Sizing& sizing, Row& row) {
  if (row.verdict == Verdict::kNo) return;
  if (sizing.speed) {
    row.tokens_per_second_per_gpu = sizing.speed->tokens_per_second_per_gpu;
    row.speed_measured = sizing.speed->measured;
    row.mfu = sizing.speed->mfu;
    for (const NamedClock& part : parts_of(*sizing.speed)) {
      row.clocks.push_back({part.id, part.title, part.seconds});
    }
  }
  if (sizing.hours) {
    row.hours_low = sizing.hours->low;
    row.hours_mid = sizing.hours->mid;
    row.hours_high = sizing.hours->high;
  }
}

/// The set-up at a sequence length; nullopt where the layout cannot have that length.
using SetUpAt = std::optional<Candidate>;

/// Of what a request reads, the length alone changes; a search refuses those that its layout cannot
/// have.
SetUpAt set_up_at(Question& question, std::int64_t seq_len,
                  SetUpAt (*search)(const Question&, std::int64_t)) {
  const std::optional<GrpoSpec>& grpo = question.single().grpo;
  if (grpo && seq_len < grpo->sequence()) return std::nullopt;
  question.for_each_job([&](Job& job) { job.seq_len = seq_len; });
  return search(question, question.pins().gpus.value_or(1));
}

/// Largest multiple of 1,024 up to 2^20 that fits; the bill grows with the length.
std::optional<std::int64_t> longest_that_fits(const std::function<SetUpAt(std::int64_t)>& at) {
  const auto fits = [&](std::int64_t units) {
    const auto candidate = at(units * 1024);
    return candidate && candidate->verdict == Verdict::kFits;
  };
  if (!fits(1)) return std::nullopt;
  std::int64_t low = 1;
  std::int64_t high = 1024;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low * 1024;
}

/// A cell's row without proofs, with what it came from. What the engine refuses has no sizing.
struct Answered {
  Row row;
  Question question;
  Sizing sizing;            ///< of the set-up
  std::vector<Timed> ways;  ///< of every count that fits, the fastest layout
  Plan fewest;              ///< as the search for the fewest GPUs found it
};

/// The set-up that a row shows is among its candidates, even where one that may not win beats it.
void keep_count(std::int64_t gpus, const std::vector<RunCandidate>& all,
                std::vector<RunCandidate>& kept) {
  const auto shown = std::ranges::find(all, gpus, &RunCandidate::gpus);
  if (shown == all.end() || entry_with(kept, &RunCandidate::gpus, gpus) != nullptr) return;
  const auto shorter = std::ranges::find_if(
      kept, [&](const RunCandidate& one) { return one.hours.high < shown->hours.high; });
  kept.insert(shorter, *shown);
}

/// The row's candidates, and which of them it shows: without `gpus` the best.
const Timed* choose(const SheetSpec& spec, const Offers& offers, std::optional<std::int64_t> gpus,
                    const std::vector<Timed>& ways, Row& row) {
  const auto gpus_of = [](const Timed& way) { return way.candidate.job.layout.gpus(); };
  std::vector<RunCandidate> all = candidates_of(row.gpu, ways, offers);
  const Timed* chosen = gpus ? &*std::ranges::find(ways, *gpus, gpus_of)
                             : set_up_of(ways, all, spec.pick_rules, spec.deadline_hours);
  if (chosen == nullptr) return nullptr;
  const std::int64_t count = gpus_of(*chosen);
  row.by_seller = best_by_seller(row.gpu, ways, offers, spec.deadline_hours);
  if (const Offers* any = offers.of_any_stock()) {
    const std::vector<RunCandidate> all_stock = candidates_of(row.gpu, ways, *any);
    std::vector<const RunCandidate*> those;
    for (const RunCandidate& one : all_stock) those.push_back(&one);
    const RunCandidate* best = picked(those, spec.pick_rules, spec.deadline_hours);
    if (best != nullptr) row.of_any_stock = *best;
  }
  row.smaller_counts = smaller_counts(count, ways, all, spec.pick_rules, spec.deadline_hours);
  row.candidates = frontier(all);
  keep_count(count, all, row.candidates);
  drop_dear(spec.pick_rules, count, row.candidates);
  const auto shown = std::ranges::find(row.candidates, count, &RunCandidate::gpus);
  if (shown != row.candidates.end()) row.chosen = shown - row.candidates.begin();
  return chosen;
}

/// The search for the fewest GPUs; nullopt where no count asked for has a layout, as `refusal`
/// says.
std::optional<Plan> searched(const Question& question, std::string& refusal) {
  try {
    return search_counts(question);
  } catch (const InputError& error) {
    refusal = error.what();
    return std::nullopt;
  }
}

/// `request` is that of the cell.
Answered answered(const Catalog& catalog, const SheetSpec& spec, const Offers& offers,
                  const Cell& cell, const Json& request, std::optional<std::int64_t> gpus = {}) {
  Answered found;
  Row& row = found.row;
  row.model = cell.model->id;
  row.method = cell.method;
  row.gpu = cell.gpu;
  row.scenario = cell.scenario->id;
  Faults faults;
  found.question = question_of(catalog, spec, request, faults);
  const std::string money = faults.empty() ? money_fault(found.question.single()) : "";
  if (!money.empty()) faults.add("", "/grpo", money);
  if (!faults.empty()) {
    row.modelled = false;
    row.refusal = faults.request_text();
    return found;
  }
  const auto fewest = searched(found.question, row.refusal);
  if (!fewest) {
    row.modelled = false;
    return found;
  }
  found.fewest = *fewest;
  found.ways = fastest_by_count(found.question, found.fewest);
  Plan shown = found.fewest;
  if (const Timed* set_up = choose(spec, offers, gpus, found.ways, row)) {
    shown.chosen = set_up->candidate;
  }
  found.sizing = answer(found.question, std::move(shown));
  set_minimum(found.sizing, row);
  row.certain_from = certain_from(found.fewest, found.ways);
  set_layout(found.sizing, row);
  set_speed(found.sizing, row);
  row.team = found.sizing.team;
  if (!found.sizing.speed) {
    row.no_speed = why_no_speed(found.sizing.plan.chosen.job, *found.question.gpu);
  }
  if (row.verdict != Verdict::kNo) row.files = found.sizing.files;
  return found;
}

/// A search that may not vary the micro-batch takes one example, where the request does not say.
void fix_micro_batch(Json& request) {
  if (!request.contains("vary")) return;
  Json& vary = request["vary"];
  const auto varied = std::ranges::find(vary, "micro_batch");
  if (varied == vary.end()) return;
  vary.erase(varied);
  request["workload"]["micro_batch"] = 1;
}

/// What an owned machine is compared with: where a search for money chose the set-up, the one that
/// is cheapest on average.
const RunCandidate& cheapest_rent(const Question& question, const PickRules& rules,
                                  const std::vector<RunCandidate>& all, const RunCandidate& run) {
  if (question.objective != Objective::kMoney) return run;
  std::vector<const RunCandidate*> others;
  for (const RunCandidate& one : all) others.push_back(&one);
  const RunCandidate* least = cheapest_on_average(others, rules, question.deadline_hours);
  return least != nullptr && least->usd.mid < run.usd.mid ? *least : run;
}

}  // namespace

void ask_run(const Method& method, std::int64_t tokens, Json& request) {
  Json& workload = request["workload"];
  if (!packs(method)) workload.erase("packed");
  if (method.grpo.is_null()) {
    // A run of a scenario that generates is as long as that has prompts.
    if (!request.contains("grpo")) workload["tokens"] = tokens;
    return;
  }
  // Lengths and batches are those of what is generated; the last prompts may count in part, so that
  // the tokens are those of other rows.
  for (const char* key : {"seq_len", "global_batch", "grad_accum"}) workload.erase(key);
  fix_micro_batch(request);
  const Json& grpo = method.grpo;
  const double sequence =
      grpo.at("prompt_mean").get<double>() + grpo.at("completion_mean").get<double>();
  const double prompts = as_double(tokens) / (grpo.at("group_size").get<double>() * sequence);
  const auto whole = static_cast<std::int64_t>(std::ceil(prompts));
  workload["examples"] = whole;
  workload["epochs"] = prompts / as_double(whole);
}

Json request_of(const Catalog& catalog, const SheetSpec& spec, const Cell& cell) {
  Json request = cell.scenario->request;
  request["model"] = cell.model->id;
  request["method"] = cell.method;
  request["gpu"] = cell.gpu;
  request["stack"] = cell.scenario->stack;
  request["headroom"] = spec.headroom;
  request["max_gpus"] = spec.max_gpus;
  const Method& method = catalog.method(cell.method);
  ask_run(method, tokens_of(spec, method), request);
  return request;
}

Row bare_row(const Catalog& catalog, const SheetSpec& spec, const Offers& offers,
             const Cell& cell) {
  return answered(catalog, spec, offers, cell, request_of(catalog, spec, cell)).row;
}

FixedRow fixed_row(const Catalog& catalog, const SheetSpec& spec, const Offers& offers,
                   const Cell& cell) {
  const Json open = request_of(catalog, spec, cell);
  Json fixed = open;
  fixed["layout"]["gpus"] = spec.max_gpus;
  Answered found = answered(catalog, spec, offers, cell, fixed);
  FixedRow sized{std::move(found.row), {}, {}};
  if (!sized.row.modelled || sized.row.verdict == Verdict::kNo) return sized;
  sized.limits = layout_limits(found.question, found.sizing.plan.chosen);
  const std::vector<Timed> ways = answered(catalog, spec, offers, cell, open).ways;
  sized.frontier = frontier(candidates_of(cell.gpu, ways, offers));
  return sized;
}

Row size_row(const Catalog& catalog, const SheetSpec& spec, const Offers& offers, const Cell& cell,
             std::optional<std::int64_t> gpus) {
  Answered found = answered(catalog, spec, offers, cell, request_of(catalog, spec, cell), gpus);
  Row& row = found.row;
  if (!row.modelled) return row;
  const Candidate& chosen = found.sizing.plan.chosen;
  row.terms = memory_terms(chosen.job, chosen.worst_stage(), chosen.bill);
  if (const std::int64_t beside = beside_trainer(chosen); beside != 0) {
    MemoryTerm& overhead = row.terms.back();
    overhead.bytes += beside;
    overhead.formula.text += " + beside_trainer";
    // In the order that sheet.json keeps, so that the page is drawn again from it as it was.
    auto& inputs = overhead.formula.inputs;
    inputs.push_back({"beside_trainer", as_double(beside)});
    std::ranges::stable_sort(inputs, {}, &NamedValue::name);
  }
  row.binding = binding_words(found.question, found.fewest);
  for (const Timed& way : found.ways) {
    const bool meets = spec.deadline_hours && way.hours && way.hours->high <= *spec.deadline_hours;
    if (meets && !row.deadline_gpus) row.deadline_gpus = way.candidate.job.layout.gpus();
  }
  row.owned = cheapest_to_own(catalog, spec, spec.deadline_hours, row.gpu, found.ways);
  return row;
}

RentedRun rented_run(const Catalog& catalog, const SheetSpec& policy, const Question& question) {
  const CurrentPrices prices(catalog.prices, policy_of(policy, "on_demand"), catalog.price_age);
  const std::string& gpu = question.gpu->id;
  const Offers offers(catalog, prices, {gpu}, question.max_gpus(), policy.pick_rules);
  const Plan fewest = search_counts(question);
  const std::vector<Timed> ways = fastest_by_count(question, fewest);
  std::vector<RunCandidate> all = candidates_of(gpu, ways, offers);
  const Timed* shown = question.objective == Objective::kMoney
                           ? set_up_of(ways, all, policy.pick_rules, question.deadline_hours)
                           : nullptr;
  RentedRun found{whole_answer(question, fewest, shown != nullptr ? &shown->candidate : nullptr),
                  {}};
  const Sizing& sizing = found.sizing;
  if (sizing.plan.chosen.verdict == Verdict::kFits && sizing.speed && sizing.hours) {
    const Timed way{sizing.plan.chosen, *sizing.speed, sizing.hours};
    for (RunCandidate& run : candidates_of(gpu, {way}, offers)) found.run = std::move(run);
  }
  if (found.run && question.wants(AnswerPart::kBill)) {
    found.cost_terms = explain_candidate(offers, *found.run);
  }
  found.frontier = frontier(std::move(all));
  if (!question.wants(AnswerPart::kOwn)) return found;
  found.own = cheapest_to_own(catalog, policy, question.deadline_hours, gpu, ways);
  if (found.own && found.run) {
    std::vector<RunCandidate> others = found.frontier;
    drop_dear(policy.pick_rules, found.run->gpus, others);
    const double month = catalog.purchase.rate(policy.ownership.hours_per_month).value.typical;
    compare_to_rent(cheapest_rent(question, policy.pick_rules, others, *found.run), month,
                    *found.own);
  }
  return found;
}

SequenceSeries sequence_series(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                               const Row& row) {
  SequenceSeries series;
  series.row_key = row.key();
  series.capacity = row.memory.capacity;
  Json open = request_of(catalog, spec, cell);
  open["layout"]["gpus"] = row.layout.gpus;
  Json as_it_runs = open;
  for (const Dimension& one : kDimensions) {
    as_it_runs["layout"][one.key] = as_json(row.layout).at(one.key);
  }
  // One rank alone shares nothing, unless the answer says so: then the stack decides.
  if (row.layout.dp > 1 || row.layout.shard != "none") {
    as_it_runs["layout"]["shard"] = row.layout.shard;
  }
  as_it_runs.erase("vary");
  as_it_runs["kernels"]["recompute"] = row.layout.recompute;
  as_it_runs["workload"]["micro_batch"] = row.layout.micro_batch;
  Faults faults;
  Question running = read_question(as_it_runs, catalog, catalog.engine.current, faults);
  Question varying = read_question(open, catalog, catalog.engine.current, faults);
  if (!faults.empty()) return series;
  // Where the scenario lets recompute and micro-batch vary, each length has the fastest set-up of
  // the count.
  const bool varies = open.contains("vary");
  const std::int64_t own_length = running.single().seq_len;
  const auto fastest_at = [&](std::int64_t seq_len) {
    const bool as_run = !varies || seq_len == own_length;
    return as_run ? set_up_at(running, seq_len, best_layout)
                  : set_up_at(varying, seq_len, fastest_or_best);
  };
  for (const std::int64_t seq_len : spec.series_seq_lens) {
    const auto candidate = fastest_at(seq_len);
    if (!candidate) continue;
    series.points.push_back({seq_len, candidate->device()});
    SequencePoint& point = series.points.back();
    if (!holds(candidate->verdict)) continue;
    const auto hours = hours_of(running, candidate->job);
    if (!hours) continue;
    point.hours = hours->mid;
    if (const auto& rent = row.rents[kOnDemand]) {
      point.usd = run_cost(rent->usd_per_hour, round_hours(hours->mid));
    }
  }
  series.longest = longest_that_fits([&](std::int64_t seq_len) {
    return set_up_at(varies ? varying : running, seq_len, best_layout);
  });
  return series;
}

Cell cell_of(const SheetSpec& spec, const Row& row) {
  const Cell cell{entry_with(spec.models, &SpecModel::id, row.model), row.method, row.gpu,
                  entry_with(spec.scenarios, &SpecScenario::id, row.scenario)};
  if (cell.model == nullptr || cell.scenario == nullptr) {
    throw std::logic_error("row " + row.key() + " is of another spec");
  }
  return cell;
}

Question question_of(const Catalog& catalog, const SheetSpec& spec, const Json& request,
                     Faults& faults) {
  Question question = read_question(request, catalog, catalog.engine.current, faults);
  question.risk_weight = spec.pick_rules.weight();
  return question;
}

std::optional<Question> question_of(const Catalog& catalog, const SheetSpec& spec,
                                    const Cell& cell) {
  Faults faults;
  Question question = question_of(catalog, spec, request_of(catalog, spec, cell), faults);
  return faults.empty() ? std::optional(std::move(question)) : std::nullopt;
}

std::optional<AskedRow> asked(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                              std::int64_t gpus) {
  auto question = question_of(catalog, spec, cell);
  if (!question) return std::nullopt;
  auto chosen = fastest_or_best(*question, gpus);
  if (!chosen) return std::nullopt;
  return AskedRow{std::move(*question), std::move(*chosen)};
}

std::optional<Hours> hours_of(const Question& question, const Job& job) {
  const auto speed = run_speed(job, *question.gpu, question.speed_intervals);
  return speed ? run_hours(job, *speed) : std::nullopt;
}

std::optional<double> mid_hours(const Question& question, const Job& job) {
  const auto hours = hours_of(question, job);
  return hours ? std::optional(hours->mid) : std::nullopt;
}

const Method* method_of_kind(const Catalog& catalog, const SheetSpec& spec, const char* kind) {
  for (const std::string& id : spec.methods) {
    const auto method = catalog.methods.find(id);
    if (method != catalog.methods.end() && method->second.request.value("kind", "") == kind) {
      return &method->second;
    }
  }
  return nullptr;
}

std::optional<Cell> main_cell(const SheetSpec& spec, const std::string& model,
                              const std::string& method, const std::string& gpu) {
  for (const Cell& cell : cells_of(spec)) {
    if (cell.model->id == model && cell.method == method && cell.gpu == gpu &&
        cell.scenario == &spec.scenarios.front()) {
      return cell;
    }
  }
  return std::nullopt;
}

}  // namespace sizesheet
