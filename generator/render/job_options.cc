// SPDX-License-Identifier: Apache-2.0
#include "render/job_options.h"

#include <algorithm>

#include "render/phrases.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The cheapest of the much faster runs of a job that the rules allow and that are easy to start.
const RunCandidate* faster_than(const Sheet& sheet, const Pick& pick, const RunCandidate& best) {
  const RunCandidate* found = nullptr;
  const double most_usd = kFasterUpTo * to_usd(best.usd.mid);
  const double most_hours = kFasterBelow * best.hours.mid;
  for (const Row* row : job_rows(sheet, pick.model, pick.method)) {
    for (const RunCandidate& run : row->candidates) {
      const bool able =
          rules_allow(run, sheet.options.pick_rules, std::nullopt) && !is_hard_to_start(run);
      if (!able || run.hours.mid > most_hours || to_usd(run.usd.mid) > most_usd) continue;
      if (found == nullptr || run.usd.mid < found->usd.mid) found = &run;
    }
  }
  return found;
}

const RunCandidate* cheaper_than(const Sheet& sheet, const Pick& pick, const RunCandidate& best) {
  if (!pick.cheapest_mid) return nullptr;
  const Row* row = sheet.find(pick.cheapest_mid->row);
  if (row == nullptr) return nullptr;
  const auto& run = row->candidates.at(static_cast<std::size_t>(pick.cheapest_mid->candidate));
  return run.usd.mid < best.usd.mid ? &run : nullptr;
}

}  // namespace

std::vector<const Row*> job_rows(const Sheet& sheet, const std::string& model,
                                 const std::string& method) {
  std::vector<const Row*> rows;
  for (const SheetGpu& gpu : sheet.gpus) {
    if (const Row* row = sheet.main_row(model, method, gpu.id)) rows.push_back(row);
  }
  return rows;
}

JobOptions job_options(const Sheet& sheet, const Pick& pick) {
  const Row* row = rent_pick_row(sheet, pick.model, pick.method);
  if (row == nullptr || row->set_up() == nullptr) return {};
  JobOptions options{row->set_up(), nullptr, nullptr, nullptr};
  if (pick.second_source) options.second = &*pick.second_source;
  options.faster = faster_than(sheet, pick, *options.pick);
  options.cheaper = cheaper_than(sheet, pick, *options.pick);
  return options;
}

bool is_measured(const Sheet& sheet, const Pick& pick, const SecondSource& second) {
  const Row* row = sheet.main_row(pick.model, pick.method, second.gpu);
  return row != nullptr && row->speed_measured.value_or(false);
}

std::string machine_set_up(const Sheet& sheet, const OwnPick& own) {
  const std::string doubt = own.certain.value_or(true) ? "" : std::string(kDoubtMark);
  return set_up(sheet, own.gpu, own.gpus + own.unused_gpus) + doubt +
         (own.used ? ", used" : ", new");
}

}  // namespace sizesheet
