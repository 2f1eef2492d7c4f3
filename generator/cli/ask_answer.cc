// SPDX-License-Identifier: Apache-2.0
#include "cli/ask_answer.h"

#include "catalog/catalog.h"
#include "cli/ask_advice.h"
#include "cli/run.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/money.h"

namespace sizesheet {

bool may_be_late(const AskOptions& options, const Row& row) {
  return options.deadline && (!row.hours_high || *row.hours_high > *options.deadline);
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
