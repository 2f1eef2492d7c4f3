// SPDX-License-Identifier: Apache-2.0
// The page of one GPU type, and that of all side by side.

#include <algorithm>
#include <map>

#include "render/html/pages.h"
#include "sheet/measures.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Counts on offer within one node: the columns of the page.
std::vector<std::int64_t> node_counts(const SheetGpu& gpu) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : gpu.counts) {
    if (count <= gpu.gpus_per_node) counts.push_back(count);
  }
  return counts;
}

/// How a row stands on `count` GPUs. What a smaller count holds, a larger one holds too.
Verdict standing(const Row& row, std::int64_t count) {
  if (!row.modelled) return Verdict::kNotModelled;
  if (row.rentable && count >= *row.rentable) return Verdict::kFits;
  return row.tight && count >= *row.tight ? Verdict::kTight : Verdict::kNo;
}

Json fit_row(const Sheet& sheet, const SheetGpu& gpu, const Row& row) {
  Json values = row_json(sheet, row);
  values["picked"] = rent_pick_row(sheet, row.model, row.method) == &row;
  values["only_tight"] = !row.rentable && row.tight;
  if (!row.rentable && !row.tight)
    values["memory"] = nullptr;  // no count that is on offer holds it
  values["fit_cells"] = Json::array();
  for (const std::int64_t count : node_counts(gpu)) {
    const Verdict how = standing(row, count);
    values["fit_cells"].push_back({{"fit_class", how}, {"fit_words", facts_of(how).words}});
  }
  return values;
}

Json fit_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.gpu == gpu.id && sheet.is_main(row)) rows.push_back(fit_row(sheet, gpu, row));
  }
  return rows;
}

/// "the largest that one holds: 14B with full, 70B with LoRA".
std::string one_gpu_words(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<std::string> parts;
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* largest = largest_on_one(sheet, gpu, method);
    if (largest != nullptr) parts.push_back(largest->size + " with " + method.short_title);
  }
  return parts.empty() ? "One holds no size of this sheet with the headroom kept."
                       : "The largest that one holds: " + join(parts, ", ") + ".";
}

Json tier_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  const std::vector<TierPrices> tiers = prices_by_tier(sheet, gpu);
  for (const TierPrices& prices : tiers) {
    Json& row = rows.emplace_back(written(prices));
    const bool below = tiers.front().tier == "on_demand" && prices.low < tiers.front().low;
    const double share = to_usd(prices.low) / to_usd(tiers.front().low);
    row["percent_below"] = below ? Json(100 * (1 - share)) : Json();
  }
  return rows;
}

/// Prices that were seen on several days: each with the one before it, by offer.
Json history_rows(const Sheet& sheet, const SheetGpu& gpu) {
  std::map<std::string, std::vector<const SheetPrice*>> by_offer;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu.id) by_offer[offer_of(price.key)].push_back(&price);
  }
  Json rows = Json::array();
  for (auto& [offer, prices] : by_offer) {
    std::ranges::sort(prices, {}, &SheetPrice::as_of);
    for (std::size_t i = 1; i < prices.size(); ++i) {
      const SheetPrice& before = *prices[i - 1];
      const SheetPrice& after = *prices[i];
      const double share = to_usd(after.usd_per_gpu_hour - before.usd_per_gpu_hour) /
                           to_usd(before.usd_per_gpu_hour);
      Json& row = rows.emplace_back(written(after));
      row["before"] = written(before);
      const bool same = before.usd_per_gpu_hour == after.usd_per_gpu_hour;
      row["history_move"] = same ? "0" : (share > 0 ? "+" : "") + format_number(100 * share, 1);
      row["share"] = share;
    }
  }
  return rows;
}

Json current_rows(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<const SheetPrice*> current;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu.id && price.excluded.empty()) current.push_back(&price);
  }
  std::ranges::stable_sort(current, {}, &SheetPrice::usd_per_gpu_hour);
  Json rows = Json::array();
  for (const SheetPrice* price : current) rows.push_back(written(*price));
  return rows;
}

Json largest_cells(const Sheet& sheet, const SheetGpu& gpu) {
  Json cells = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* model = largest_on_one(sheet, gpu, method);
    cells.push_back({{"largest", model == nullptr ? Json() : written(*model)}});
  }
  return cells;
}

}  // namespace

Json gpu_values(const Sheet& sheet, const SheetGpu& gpu) {
  Json values = Json::object();
  values["type"] = written(gpu);
  values["one_gpu_words"] = one_gpu_words(sheet, gpu);
  values["count_heads"] = Json::array();
  for (const std::int64_t count : node_counts(gpu)) {
    const bool node = count == gpu.gpus_per_node && count > 1;
    values["count_heads"].push_back({{"count_head", format_integer(count)}, {"count_node", node}});
  }
  values["fit_rows"] = fit_rows(sheet, gpu);
  const auto chart = gpu_prices_chart(sheet, gpu);
  values["prices_svg"] = chart ? Json(svg(*chart)) : Json();
  values["tier_rows"] = tier_rows(sheet, gpu);
  values["current_rows"] = current_rows(sheet, gpu);
  values["history_rows"] = history_rows(sheet, gpu);
  values["machine_rows"] = Json::array();
  for (const SoldMachine& machine : sheet.machines) {
    if (machine.gpu == gpu.id) values["machine_rows"].push_back(written(machine));
  }
  return values;
}

Json gpus_values(const Sheet& sheet) {
  Json values = Json::object();
  values["worksheets"] = worksheet_values(sheet, "gpus");
  values["gpu_rows"] = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    values["gpu_rows"].push_back(
        {{"type", written(gpu)},
         {"picks", std::ranges::count(rent_pick_rows(sheet), gpu.id, &Row::gpu)},
         {"largest_cells", largest_cells(sheet, gpu)}});
  }
  return values;
}

}  // namespace sizesheet
