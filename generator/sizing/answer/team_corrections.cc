// SPDX-License-Identifier: Apache-2.0
#include "sizing/answer/team_corrections.h"

#include <cmath>
#include <functional>
#include <utility>

#include "catalog/published/measured.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/time/clocks.h"
#include "support/error.h"
#include "support/json.h"

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
  return compared(row, catalog, [&](const Question&, const Sizing& sizing) {
    const auto estimated = to_json(sizing).at("memory").at(row.measured.kind).get<std::int64_t>();
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
        TeamRun run = run_of(speed.run.id, speed_facts(sizing.plan.chosen.job, *question.gpu));
        run.ln_ratio =
            std::log(speed.tokens_per_s_per_gpu / sizing.speed->tokens_per_second_per_gpu);
        return run;
      });
}

}  // namespace

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
