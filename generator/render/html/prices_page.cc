// SPDX-License-Identifier: Apache-2.0
// The page of prices: what is asked for each GPU type, how that went, and every row.

#include <algorithm>
#include <tuple>

#include "render/html/pages.h"
#include "sheet/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "seat eu, machines in eu, virtual-machine, infiniband, stock low"; what is not known is left
/// out.
std::string where_words(const SheetPrice& price) {
  std::vector<std::string> parts;
  const auto known = [&](const char* words, const std::string& value) {
    if (!value.empty() && value != "unstated") parts.push_back(words + value);
  };
  known("seat ", price.jurisdiction);
  known("machines in ", price.location);
  known("", price.tenancy);
  known("", price.interconnect.value_or(""));
  known("stock ", price.stock.value_or(""));
  return join(parts, ", ");
}

Json price_row(const SheetPrice& price) {
  Json row = written(price);
  row["where"] = where_words(price);
  return row;
}

Json history_row(const PriceHistory& history) {
  Json row = written(history);
  const PricePoint& then = history.points.front();
  const PricePoint& now = history.points.back();
  row["then"] = written(then);
  row["now"] = written(now);
  row["move"] = to_usd(now.usd_per_gpu_hour) / to_usd(then.usd_per_gpu_hour) - 1;
  return row;
}

/// What the series are and where they stand, each said once, then what is odd about some.
std::string history_sources(const Sheet& sheet) {
  std::vector<std::string> said;
  const auto say = [&](const std::string& words) {
    if (!contains(said, words)) said.push_back(words);
  };
  for (const PriceHistory& history : sheet.price_histories) {
    say(sentence_case(history.basis) + ": " + history.source + ".");
  }
  for (const PriceHistory& history : sheet.price_histories) {
    if (!history.note.empty()) say(sheet.gpu(history.gpu).short_name + ": " + history.note);
  }
  return join(said, " ");
}

/// What is asked for a GPU type on demand and in the other tiers.
Json type_row(const Sheet& sheet, const SheetGpu& gpu) {
  Json row = written(gpu);
  for (const RentTier& tier : kRentTiers) row[tier.key] = nullptr;
  for (const TierPrices& prices : prices_by_tier(sheet, gpu)) row[prices.tier] = written(prices);
  return row;
}

/// By GPU in sheet order, used rows first, then by price.
std::vector<const SheetPrice*> in_reading_order(const Sheet& sheet) {
  std::vector<const SheetPrice*> rows;
  for (const SheetPrice& price : sheet.prices) rows.push_back(&price);
  std::ranges::stable_sort(rows, {}, [&](const SheetPrice* price) {
    const auto gpu = std::ranges::find(sheet.gpus, price->gpu, &SheetGpu::id);
    return std::tuple(gpu, !price->used, !price->excluded.empty(), price->usd_per_gpu_hour);
  });
  return rows;
}

}  // namespace

Json prices_values(const Sheet& sheet) {
  Json values = Json::object();
  values["type_rows"] = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) values["type_rows"].push_back(type_row(sheet, gpu));
  values["offers_svg"] = svg(offers_chart(sheet));
  const auto history = price_history_chart(sheet);
  values["history"] = history ? chart_json(*history) : Json();
  values["history_sources"] = history_sources(sheet);
  values["history_rows"] = Json::array();
  for (const PriceHistory& one : sheet.price_histories) {
    values["history_rows"].push_back(history_row(one));
  }
  values["tier_choices"] = each_of(kRentTiers, &RentTier::words);
  values["counting"] = values["others"] = Json::array();
  for (const SheetPrice* price : in_reading_order(sheet)) {
    values[price->excluded.empty() ? "counting" : "others"].push_back(price_row(*price));
  }
  values["price_total"] = sheet.prices.size();
  values["price_used_count"] = std::ranges::count(sheet.prices, true, &SheetPrice::used);
  return values;
}

}  // namespace sizesheet
