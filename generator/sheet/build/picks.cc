// SPDX-License-Identifier: Apache-2.0
// Which configuration is recommended for a model and method, and why.

#include <array>
#include <set>

#include "sheet/build/parts.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using PickPrice = std::optional<MicroUsd>;

PickPrice rent_per_run(const Row& row) { return row.usd_per_run(); }

PickPrice rent_per_hour(const Row& row) {
  return row.rents[kOnDemand] ? PickPrice(row.rents[kOnDemand]->usd_per_hour) : std::nullopt;
}

PickPrice own_per_run(const Row& row) { return row.own ? row.own->own_usd_per_run : std::nullopt; }

struct Winner {
  const Row* row = nullptr;
  std::int64_t candidates = 0;
};

Winner cheapest(const Sheet& sheet, const std::string& model, const std::string& method,
                const std::string& scenario, PickPrice (*price)(const Row&)) {
  Winner winner;
  for (const Row& row : sheet.rows) {
    if (row.model != model || row.method != method || row.scenario != scenario) continue;
    const PickPrice candidate = price(row);
    if (row.verdict != Verdict::kFits || !candidate) continue;
    ++winner.candidates;
    const bool better =
        winner.row == nullptr || *candidate < *price(*winner.row) ||
        (*candidate == *price(*winner.row) && row.layout.gpus < winner.row->layout.gpus);
    if (better) winner.row = &row;
  }
  return winner;
}

std::string why(const Sheet& sheet, const Winner& winner, PickPrice (*price)(const Row&),
                const std::string& what) {
  if (winner.row == nullptr) return "no GPU type of the sheet fits and has a price";
  const SheetGpu& gpu = sheet.gpu(winner.row->gpu);
  return std::to_string(winner.row->layout.gpus) + " × " + gpu.short_name + ": lowest " + what +
         ", $" + format_usd(*price(*winner.row), 2) + ", of " + std::to_string(winner.candidates) +
         " GPU types that fit and have a price";
}

/// Decimals with which two amounts can be told apart: whole dollars from $100 on.
int decimals_for(MicroUsd a, MicroUsd b) {
  constexpr MicroUsd kHundred{100'000'000};
  const bool large = a >= kHundred && b >= kHundred;
  return large && format_usd(a, 0) != format_usd(b, 0) ? 0 : 2;
}

std::string hours_and_cost(const Row& row, int decimals) {
  return format_number(*row.hours_mid, 1) + " h and $" + format_usd(*rent_per_run(row), decimals);
}

/// Why the cheapest hour is not the pick; "" where it is.
std::string hourly_why(const Sheet& sheet, const Row* hourly, const Row* chosen) {
  if (hourly == nullptr || chosen == nullptr || hourly == chosen) return "";
  const std::string hour = std::to_string(hourly->layout.gpus) + " × " +
                           sheet.gpu(hourly->gpu).short_name + " is the cheapest hour ($" +
                           format_usd(*rent_per_hour(*hourly), 2) + "/h against $" +
                           format_usd(*rent_per_hour(*chosen), 2) + "/h)";
  if (!rent_per_run(*hourly)) return hour + "; the hours of a run are not known";
  const MicroUsd run = *rent_per_run(*hourly);
  const MicroUsd least = *rent_per_run(*chosen);
  const int decimals = decimals_for(run, least);
  return hour + (run > least ? " but the dearer run: " : " and no cheaper run: ") +
         hours_and_cost(*hourly, decimals) + " against " + hours_and_cost(*chosen, decimals);
}

}  // namespace

std::vector<Pick> pick_rows(const Sheet& sheet) {
  std::vector<Pick> picks;
  const std::string& scenario = sheet.scenarios.front().id;
  for (const SheetModel& model : sheet.models) {
    for (const SheetMethod& method : sheet.methods) {
      const Winner rent = cheapest(sheet, model.id, method.id, scenario, rent_per_run);
      const Winner hourly = cheapest(sheet, model.id, method.id, scenario, rent_per_hour);
      const Winner buy = cheapest(sheet, model.id, method.id, scenario, own_per_run);
      Pick pick;
      pick.model = model.id;
      pick.method = method.id;
      pick.scenario = scenario;
      if (rent.row != nullptr) pick.rent_key = rent.row->key();
      if (hourly.row != nullptr) pick.hourly_key = hourly.row->key();
      pick.hourly_why = hourly_why(sheet, hourly.row, rent.row);
      if (buy.row != nullptr) pick.buy_key = buy.row->key();
      pick.rent_why = why(sheet, rent, rent_per_run, "rent per run");
      pick.buy_why = why(sheet, buy, own_per_run, "own cost per run");
      picks.push_back(std::move(pick));
    }
  }
  return picks;
}

void refuse_repeated_picks(const std::vector<Pick>& picks, const std::string& file) {
  std::set<std::array<std::string, 3>> cells;
  for (std::size_t i = 0; i < picks.size(); ++i) {
    const Pick& pick = picks[i];
    if (cells.insert({pick.model, pick.method, pick.scenario}).second) continue;
    throw InputError(file + ":/picks/" + std::to_string(i) + ": there is a pick of model " +
                     in_quotes(pick.model) + ", method " + in_quotes(pick.method) +
                     " and scenario " + in_quotes(pick.scenario) + " already");
  }
}

}  // namespace sizesheet
