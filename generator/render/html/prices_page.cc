// SPDX-License-Identifier: Apache-2.0
// Every rental price, the purchase prices and the rates.

#include <algorithm>

#include "render/html/frame.h"
#include "render/html/pages.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string gpu_name(const Sheet& sheet, const std::string& id) {
  const auto found = std::find_if(sheet.gpus.begin(), sheet.gpus.end(),
                                  [&](const SheetGpu& gpu) { return gpu.id == id; });
  return found == sheet.gpus.end() ? id : found->short_name;
}

std::string standing(const SheetPrice& price) {
  if (price.used) return "used";
  return price.excluded.empty() ? "admitted, not the lowest" : price.excluded;
}

/// "seat eu, machines in eu, virtual-machine"; what is not known is left out.
std::string where_words(const SheetPrice& price) {
  std::vector<std::string> parts;
  const auto known = [&](const char* words, const std::string& value) {
    if (!value.empty() && value != "unstated") parts.push_back(words + value);
  };
  known("seat ", price.jurisdiction);
  known("machines in ", price.location);
  known("", price.tenancy);
  return join(parts, ", ");
}

Json price_row(const Sheet& sheet, const SheetPrice& price) {
  Json row = {{"price_gpu", gpu_name(sheet, price.gpu)},
              {"price_gpu_href", "gpus/" + price.gpu + ".html"},
              {"price_provider", price.provider},
              {"price_where", where_words(price)},
              {"price_has_where", !where_words(price).empty()},
              {"price_gpus", format_integer(price.gpus)},
              {"price_tier", tier_words(price.tier)},
              {"price_offer", price.offer},
              {"price_seen", price.as_of},
              {"price_key", price.key},
              {"price_id", price_id(price.key)},
              {"price_used", price.used},
              {"price_standing", standing(price)},
              {"price_has_note", !price.note.empty()},
              {"price_note", price.note}};
  put_usd(row, "price_gpu_hour", price.usd_per_gpu_hour, hourly_usd);
  put_usd(row, "price_instance_hour", price.usd_per_instance_hour, hourly_usd);
  put_source(row, "source", price.source);
  return row;
}

/// Plain figures read better rounded by size than at one precision for 0.08 and 265,000 alike.
std::string estimate_number(double value) {
  if (value >= 1000) return format_number(value, 0);
  return shortest(value);
}

Json estimate_row(const SheetEstimate& estimate) {
  Json row = {{"estimate_id", estimate.id},
              {"estimate_title", estimate.title},
              {"estimate_unit", estimate.unit},
              {"estimate_low", estimate_number(estimate.low)},
              {"estimate_typical", estimate_number(estimate.typical)},
              {"estimate_high", estimate_number(estimate.high)},
              {"estimate_v", shortest(estimate.typical)},
              {"estimate_basis", estimate.basis},
              {"estimate_date", estimate.date},
              {"estimate_has_note", !estimate.note.empty()},
              {"estimate_note", estimate.note}};
  put_source(row, "source", estimate.source);
  return row;
}

Json estimates(const std::vector<SheetEstimate>& all) {
  Json rows = Json::array();
  for (const SheetEstimate& estimate : all) rows.push_back(estimate_row(estimate));
  return rows;
}

/// By GPU in sheet order, used rows first, then by price.
std::vector<const SheetPrice*> in_reading_order(const Sheet& sheet) {
  std::vector<const SheetPrice*> rows;
  for (const SheetPrice& price : sheet.prices) rows.push_back(&price);
  const auto gpu_index = [&](const SheetPrice& price) {
    std::size_t index = 0;
    while (index < sheet.gpus.size() && sheet.gpus[index].id != price.gpu) ++index;
    return index;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const SheetPrice* a, const SheetPrice* b) {
    if (gpu_index(*a) != gpu_index(*b)) return gpu_index(*a) < gpu_index(*b);
    if (a->used != b->used) return a->used;
    if (a->excluded.empty() != b->excluded.empty()) return a->excluded.empty();
    return a->usd_per_gpu_hour < b->usd_per_gpu_hour;
  });
  return rows;
}

}  // namespace

Json prices_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kPrices, "Prices · " + sheet.meta.title, "");
  values["price_policy"] = price_policy(sheet);
  values["ownership_rule"] = ownership_rule(sheet);
  values["spot_rule"] = spot_rule(sheet);
  values["stale_prices"] = Json::array();
  const PriceRules& rules = sheet.options.price_rules;
  for (const auto* list : {&rules.warnings, &rules.stale}) {
    for (const std::string& words : *list)
      values["stale_prices"].push_back({{"stale_words", words}});
  }
  std::int64_t used = 0;
  Json rows = Json::array();
  for (const SheetPrice* price : in_reading_order(sheet)) {
    used += price->used ? 1 : 0;
    rows.push_back(price_row(sheet, *price));
  }
  values["price_rows"] = rows;
  values["price_total"] = format_integer(static_cast<std::int64_t>(sheet.prices.size()));
  values["price_used_count"] = format_integer(used);
  values["node_rows"] = estimates(sheet.purchase_nodes);
  values["rate_rows"] = estimates(sheet.rates);
  values["has_nodes"] = !sheet.purchase_nodes.empty();
  return values;
}

}  // namespace sizesheet
