// SPDX-License-Identifier: Apache-2.0
#include "sheet/decided_jobs.h"

#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/sheet.h"

namespace sizesheet {

std::vector<DecidedJob> decided_jobs(const Sheet& sheet) {
  std::vector<DecidedJob> jobs;
  for (const Pick& pick : sheet.picks) {
    if (!sheet.on_handout(pick.model)) continue;
    const Row* row = rent_pick_row(sheet, pick.model, pick.method);
    jobs.push_back({&pick, &sheet.model(pick.model), &sheet.method(pick.method),
                    row != nullptr ? row->set_up() : nullptr});
  }
  return jobs;
}

}  // namespace sizesheet
