// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/spot_columns.h"

#include <string>

#include "render/xlsx/inputs.h"
#include "render/xlsx/sheets.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spot.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet::xlsx {
namespace {

/// Of the paid hours, what interruptions take: instances × rate × hours lost each time. The rate of
/// a quote of one's own is empty until it is typed.
std::string share_lost_formula() {
  const std::string line = "{spot_line}";
  const std::string rate = "INDEX(price_spot_rate," + line + ")";
  const std::string restart =
      "INDEX(scenario_startup_hours,{scenario_line})+"
      "INDEX(scenario_startup_hours_per_node,{scenario_line})*(ROUNDUP({gpus}/{node},0)-1)";
  return unless_empty(
      "{spot_hour}", "{hours}",
      unless_empty(rate, rate + "*{spot_paid}/INDEX(price_gpus," + line +
                             ")*(MIN(spot_checkpoint_hours,{hours})/2+" + restart + ")"));
}

}  // namespace

std::vector<Column> spot_run_columns(const RentTier& tier) {
  const std::string most = shortest(kMostLostOnSpot);
  return {
      {"spot_share", tier.title, "Lost", "share of hours", 9, Style::kPercent,
       share_lost_formula()},
      measured("spot_hours_expected",
               {"spot_hours", tier.title, "Expected hours", "h per run", 10, Style::kTenths,
                unless_empty("{spot_share}", "IF({spot_share}>" + most +
                                                 ",\"\",ROUND({hours}/(1-{spot_share}),4))")}),
      {"spot_lost", tier.title, "With lost work", "$ per run", 11, Style::kUsdRun,
       unless_empty("{spot_hours}", "ROUND({spot_hour}*{spot_hours},6)")},
  };
}

std::string add_spot_rate(const std::string& group, std::vector<Column>& prices) {
  prices.push_back(
      {"spot_rate", group, "Interruptions on spot", "an instance-hour", 12, Style::kInputNumber});
  return prices.back().key;
}

void add_spot_run_cells(const Row& priced, TableRow& row) {
  const auto& rent = priced.rents[kSpot];
  if (!rent || !rent->spot) return;
  const SpotLine& spot = *rent->spot;
  row.cells["spot_share"] =
      cell(spot.interruptions_per_hour * as_double(rent->instances) * spot.hours_lost_each);
  row.cells["spot_lost"] = cell(rent->usd_per_run_interrupted);
}

Column committed_from(const RentTier& tier) {
  const std::string name = tier.name;
  const std::string hour = "{" + name + "_hour}";
  // Two equal prices that were converted may differ by a millionth.
  const std::string below = "ROUND(" + hour + ",4)<ROUND({list_hour},4)";
  return measured(
      name + "_break_even_hours_per_month",
      {name + "_even", tier.title, "Beats on demand from", "h per month", 11, Style::kTenths,
       unless_empty(hour, "{list_hour}",
                    "IF(" + below + "," + hour + "/{list_hour}*hours_per_month,\"\")")});
}

}  // namespace sizesheet::xlsx
