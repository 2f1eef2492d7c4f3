// SPDX-License-Identifier: Apache-2.0
#include "sheet/picks.h"

namespace sizesheet {
namespace {

using Price = std::optional<MicroUsd>;

Price rent_per_run(const Row& row) { return row.list ? row.list->usd_per_run : std::nullopt; }

Price own_per_run(const Row& row) { return row.own ? row.own->own_usd_per_run : std::nullopt; }

struct Winner {
  const Row* row = nullptr;
  std::int64_t candidates = 0;
};

Winner cheapest(const Sheet& sheet, const std::string& model, const std::string& method,
                const std::string& scenario, Price (*price)(const Row&)) {
  Winner winner;
  for (const Row& row : sheet.rows) {
    if (row.model != model || row.method != method || row.scenario != scenario) continue;
    const Price candidate = price(row);
    if (row.verdict != "fits" || !candidate) continue;
    ++winner.candidates;
    const bool better =
        winner.row == nullptr || *candidate < *price(*winner.row) ||
        (*candidate == *price(*winner.row) && row.layout.gpus < winner.row->layout.gpus);
    if (better) winner.row = &row;
  }
  return winner;
}

std::string why(const Sheet& sheet, const Winner& winner, Price (*price)(const Row&),
                const std::string& what) {
  if (winner.row == nullptr) return "no GPU type of the sheet fits and has a price";
  const SheetGpu& gpu = sheet.gpu(winner.row->gpu);
  return std::to_string(winner.row->layout.gpus) + " × " + gpu.short_name + ": lowest " + what +
         ", $" + format_usd(*price(*winner.row), 2) + ", of " + std::to_string(winner.candidates) +
         " GPU types that fit and have a price";
}

}  // namespace

std::vector<Pick> pick_rows(const Sheet& sheet) {
  std::vector<Pick> picks;
  const std::string& scenario = sheet.scenarios.front().id;
  for (const SheetModel& model : sheet.models) {
    for (const SheetMethod& method : sheet.methods) {
      const Winner rent = cheapest(sheet, model.id, method.id, scenario, rent_per_run);
      const Winner buy = cheapest(sheet, model.id, method.id, scenario, own_per_run);
      Pick pick;
      pick.model = model.id;
      pick.method = method.id;
      pick.scenario = scenario;
      if (rent.row != nullptr) pick.rent_key = rent.row->key();
      if (buy.row != nullptr) pick.buy_key = buy.row->key();
      pick.rent_why = why(sheet, rent, rent_per_run, "rent per run");
      pick.buy_why = why(sheet, buy, own_per_run, "own cost per run");
      picks.push_back(std::move(pick));
    }
  }
  return picks;
}

}  // namespace sizesheet
