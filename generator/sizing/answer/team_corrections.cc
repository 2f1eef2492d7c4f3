// SPDX-License-Identifier: Apache-2.0
#include "sizing/answer/team_corrections.h"

#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "catalog/facts/gpu.h"
#include "catalog/published/measured.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/time/clocks.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TeamRun run_of(const std::string& id, const IntervalFacts& facts) {
  return {.id = id,
          .stack = facts.stack,
          .gpu = facts.gpu,
          .kind = facts.kind,
          .spread = facts.spread,
          .optimizer = facts.optimizer,
          .routed = facts.routed,
          .fp8 = facts.fp8};
}

/// nullopt where the engine refuses the request.
std::optional<TeamRun> compared(
    const MeasuredRow& row, const Catalog& catalog,
    const std::function<std::optional<TeamRun>(const Question&, const Sizing&)>& take) {
  try {
    const Question question = read_whole_question(row.request, catalog, catalog.engine.current);
    if (question.gpu == nullptr || question.single().grpo) return std::nullopt;
    return take(question, answer(question));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<TeamRun> memory_run(const MeasuredRow& row, const Catalog& catalog) {
  if (!row.measured.bytes || row.measured.relation != "equal") return std::nullopt;
  const double gib = static_cast<double>(*row.measured.bytes) / kGiB;
  return compared(
      row, catalog, [&](const Question& question, const Sizing& sizing) -> std::optional<TeamRun> {
        if (!memory_fault(gib, row.measured.kind, sizing, *question.gpu).empty())
          return std::nullopt;
        const auto estimated =
            to_json(sizing).at("memory").at(row.measured.kind).get<std::int64_t>();
        TeamRun run = run_of(row.id, memory_facts(sizing.plan.chosen.job));
        run.bytes = *row.measured.bytes - estimated;
        run.ln_ratio =
            std::log(static_cast<double>(*row.measured.bytes) / static_cast<double>(estimated));
        return std::optional(run);
      });
}

std::optional<TeamRun> speed_run(const MeasuredSpeed& speed, const Catalog& catalog) {
  return compared(
      speed.run, catalog,
      [&](const Question& question, const Sizing& sizing) -> std::optional<TeamRun> {
        if (!sizing.speed) return std::nullopt;
        if (!speed_fault(speed.tokens_per_s_per_gpu, sizing, *question.gpu).empty()) {
          return std::nullopt;
        }
        TeamRun run = run_of(speed.run.id, speed_facts(sizing.plan.chosen.job, *question.gpu));
        run.ln_ratio =
            std::log(speed.tokens_per_s_per_gpu / sizing.speed->tokens_per_second_per_gpu);
        return run;
      });
}

std::string gib_words(double gib) { return format_number(gib, 1) + " GiB"; }

}  // namespace

std::string memory_fault(double gib, const std::string& counter, const Sizing& sizing,
                         const Gpu& gpu) {
  constexpr double kWholeCard = 1.03;  // nvidia-smi counts what a driver keeps for itself
  constexpr double kWeights = 0.9;     // a figure is rounded
  const MemoryBill& bill = sizing.plan.chosen.bill;
  const double capacity = static_cast<double>(gpu.capacity_bytes().value_or(0)) / kGiB;
  const double weights = static_cast<double>(bill.terms[Term::kWeights]) / kGiB;
  const std::string said = gib_words(gib) + " " + counter;
  if (capacity > 0 && gib > capacity * kWholeCard) {
    return said + " is more than the " + gib_words(capacity) + " of one " + gpu.short_name;
  }
  if (gib < weights * kWeights && bill.host == 0) {
    return said + " is less than the weights of this run on one GPU, " + gib_words(weights);
  }
  return "";
}

std::string speed_fault(double tokens_per_second_per_gpu, const Sizing& sizing, const Gpu& gpu) {
  constexpr double kTooFast = 3;   // times the upper end of the estimate
  constexpr double kTooSlow = 10;  // below the lower end: some optimizers are that slow by far
  if (!sizing.speed) return "";
  const double measured = tokens_per_second_per_gpu;
  const Throughput& speed = *sizing.speed;
  const double peak = speed.mfu * measured / speed.tokens_per_second_per_gpu;
  const std::string said = format_number(measured, 0) + " tokens per second and GPU";
  const char* const kAsked = "; is it the speed of all GPUs, or are padded tokens in it?";
  if (peak > 1) {
    return said + " need " + format_number(peak, 1) + " times the peak of " + gpu.short_name +
           kAsked;
  }
  if (measured > kTooFast * speed.high) {
    return said + " are more than " + format_number(kTooFast, 0) +
           " times the fastest that is estimated, " + format_number(speed.high, 0) + kAsked;
  }
  if (measured * kTooSlow < speed.low) {
    return said + " are less than 1/" + format_number(kTooSlow, 0) +
           " of the slowest that is estimated, " + format_number(speed.low, 0) +
           "; is it the speed of one GPU?";
  }
  return "";
}

TeamRuns team_runs_of(const Catalog& catalog) {
  TeamRuns runs;
  if (!catalog.team_runs) return runs;
  for (const MeasuredRow& row : catalog.team_runs->rows) {
    if (auto run = memory_run(row, catalog)) runs.memory.push_back(*std::move(run));
  }
  for (const MeasuredSpeed& speed : catalog.team_runs->speeds) {
    if (auto run = speed_run(speed, catalog)) runs.speed.push_back(*std::move(run));
  }
  return runs;
}

void correct_by(const TeamRuns& runs, Catalog& catalog) {
  catalog.intervals.team = runs.memory;
  catalog.speed_intervals.team = runs.speed;
}

Catalog load_catalog_to_ask(const CatalogLayers& layers, CatalogParts parts) {
  Catalog catalog = load_sound_catalog(layers, parts);
  correct_by(team_runs_of(catalog), catalog);
  return catalog;
}

}  // namespace sizesheet
