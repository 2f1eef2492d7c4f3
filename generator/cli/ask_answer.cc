// SPDX-License-Identifier: Apache-2.0
#include "cli/ask_answer.h"

#include "catalog/catalog.h"
#include "cli/ask_advice.h"
#include "cli/run.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/memory/verdict.h"
#include "support/money.h"

namespace sizesheet {

bool may_be_late(const AskOptions& options, const Row& row) {
  return options.deadline && (!row.hours_high || *row.hours_high > *options.deadline);
}

const Row* lowest_in_tier(const Sheet& sheet, const std::string& method, const std::string& tier) {
  const SheetTier* shown = tier.empty() ? nullptr : rent_tier(tier);
  if (shown == nullptr) return nullptr;
  const auto usd = [&](const Row& row) -> std::optional<MicroUsd> {
    const auto& rent = row.rents[*shown];
    if (!rent) return std::nullopt;
    return rent->usd_per_run_interrupted ? rent->usd_per_run_interrupted : rent->usd_per_run;
  };
  const std::optional<double>& deadline = sheet.options.deadline_hours;
  const Row* lowest = nullptr;
  for (const Row& row : sheet.rows) {
    const bool fits = row.method == method && row.modelled && row.verdict == Verdict::kFits;
    const bool late = deadline && (!row.hours_high || *row.hours_high > *deadline);
    if (!fits || late || !usd(row)) continue;
    if (lowest == nullptr || *usd(row) < *usd(*lowest)) lowest = &row;
  }
  return lowest;
}

std::vector<MethodAnswer> answers_of(const Sheet& sheet, const AskOptions& options) {
  const std::optional<double>& budget = options.budget;
  std::vector<MethodAnswer> answers;
  for (const SheetMethod& method : sheet.methods) {
    MethodAnswer answer{&method, sheet.pick(sheet.models.front().id, method.id),
                        rent_pick_row(sheet, sheet.models.front().id, method.id)};
    answer.over_budget = answer.row && budget && to_usd(answer.row->set_up()->usd.high) > *budget;
    if (answer.row == nullptr) answer.unpriced = unpriced_row(sheet, method.id);
    if (answer.unpriced != nullptr) {
      answer.unknown_limit = budget || may_be_late(options, *answer.unpriced);
    }
    answers.push_back(answer);
  }
  return answers;
}

ChangesAsked changes_for(const AskOptions& options, const Catalog& catalog, const SheetSpec& spec,
                         const Sheet& sheet, const MethodAnswer& answer) {
  const std::string& method = answer.method->id;
  const AskedRun run{spec, load_sheet_spec(options.sheet, options.catalog, catalog), method,
                     options.jobs};
  ChangesAsked changes;
  const bool lacks = lacks_memory(sheet, method);
  if (lacks) changes.fit = changes_that_fit(run, catalog);
  const bool late = answer.unpriced != nullptr
                        ? may_be_late(options, *answer.unpriced)
                        : answer.row == nullptr && (!lacks || options.deadline);
  if (late) {
    changes.in_time = changes_in_time(run, catalog);
    changes.too_short = changes.in_time.empty();
  }
  if (options.budget && !lacks && !late) {
    changes.budget = changes_in_budget(run, *options.budget, catalog);
  }
  return changes;
}

}  // namespace sizesheet
