// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/fastest_stack.h"

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/verdict.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// The row's run on its GPUs at its price, as the stack does it; nullopt where it does not fit
/// there or its speed is not known.
std::optional<StackRun> run_under(const Catalog& catalog, const SheetSpec& spec, const Stack& stack,
                                  const Row& row) {
  Cell cell = cell_of(spec, row);
  SpecScenario scenario = *cell.scenario;
  scenario.stack = stack.id;
  cell.scenario = &scenario;
  const auto found = asked(catalog, spec, cell, row.layout.gpus);
  if (!found || found->chosen.verdict != Verdict::kFits) return std::nullopt;
  const Job& job = found->chosen.job;
  const auto hours = hours_of(found->question, job);
  if (!hours || !job.keeps_batch()) return std::nullopt;
  const RentLine& rent = *row.rents[kOnDemand];
  return StackRun{stack.id,
                  stack.title,
                  stack.needs,
                  shape_of(job),
                  found->chosen.device(),
                  *hours,
                  run_range(rent.usd_per_hour, rent.ln_width, *hours),
                  hours->mid / *row.hours_mid,
                  found->chosen.certain()};
}

/// nullopt where the sheet's own stack is the fastest.
std::optional<StackRun> fastest(const Catalog& catalog, const SheetSpec& spec, const Row& row) {
  std::optional<StackRun> best;
  for (const auto& [id, stack] : catalog.stacks) {
    auto run = run_under(catalog, spec, stack, row);
    if (!run || run->hours_share >= (best ? best->hours_share : 1)) continue;
    best = std::move(run);
  }
  return best;
}

}  // namespace

void add_fastest_stacks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  std::vector<Row*> rows;
  for (Row& row : sheet.rows) {
    const bool picked = rent_pick_row(sheet, row.model, row.method) == &row;
    if (picked && row.hours_mid && sheet.method(row.method).adapters) rows.push_back(&row);
  }
  for_each_index(rows.size(), jobs,
                 [&](std::size_t i) { rows[i]->fastest_stack = fastest(catalog, spec, *rows[i]); });
}

}  // namespace sizesheet
