// SPDX-License-Identifier: Apache-2.0
// Every rental price, the purchase prices and the rates.

#include <algorithm>

#include "render/html/pages.h"
#include "sheet/fields.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string standing(const SheetPrice& price) {
  if (price.used) return price.old ? "used, old: no newer one will do" : "used";
  if (price.old) return "admitted where no newer one will do";
  return price.excluded.empty() ? "admitted, not the lowest" : price.excluded;
}

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
  row["standing"] = standing(price);
  return row;
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
  Json values = Json::object();
  values["spot_rule"] = spot_rule(sheet);
  values["stale_prices"] = Json::array();
  const PriceRules& rules = sheet.options.price_rules;
  for (const auto* list : {&rules.warnings, &rules.stale}) {
    for (const std::string& words : *list) values["stale_prices"].push_back(words);
  }
  std::int64_t used = 0;
  Json rows = Json::array();
  for (const SheetPrice* price : in_reading_order(sheet)) {
    used += price->used ? 1 : 0;
    rows.push_back(price_row(*price));
  }
  values["price_rows"] = rows;
  values["price_total"] = sheet.prices.size();
  values["price_used_count"] = used;
  return values;
}

}  // namespace sizesheet
