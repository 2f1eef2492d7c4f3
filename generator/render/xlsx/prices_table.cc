// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/prices_table.h"

#include "render/phrases.h"
#include "render/table/focus_csv.h"
#include "render/xlsx/formulas.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/labels.h"
#include "sheet/tiers.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

/// 1 where a price stands on its own: a number, in time, and nothing else against it.
constexpr const char* kAlone =
    "IF(AND(ISNUMBER({usd}),ISNUMBER({gpus}),ISNUMBER({day}),{barred}=\"\"),"
    "IF(AND({gpus}>=1,{day}<=as_of,as_of-{day}<=IF(LEFT({tier},8)=\"reserved\","
    "reserved_max_age_days,IF({tier}=\"capacity_block\",block_max_age_days,price_max_age_days))),1,"
    "0),0)";

/// 1 where, besides, no newer price of the same SKU stands.
constexpr const char* kCounts =
    "IF({alone}=0,0,IF(SUMPRODUCT((price_sku={sku})*(price_alone=1)*(price_day>{day}))>0,0,1))";

constexpr const char* kStanding =
    "IF({provider}=\"\",\"\",IF({ok}=1,\"counts\",IF({barred}<>\"\",{barred},"
    "IF(NOT(AND(ISNUMBER({usd}),ISNUMBER({gpus}))),\"no price\","
    "IF(NOT(ISNUMBER({day})),\"no date\",IF({day}>as_of,\"dated after the sheet\","
    "IF({alone}=0,\"too old\",\"replaced by a newer price\")))))))";

constexpr const char* kSku =
    "IF({provider}=\"\",\"\",{provider}&\"/\"&{region}&\"/\"&{instance}&\"/\"&{gpu}&\"/\"&{tier}&"
    "\"/\"&{gpus})";

/// The tier's category by the list of tiers; what is not in it is a commitment.
std::string category_formula() {
  std::string formula = "\"" + pricing_category("") + "\"";
  for (auto tier = kRentTiers.rbegin(); tier != kRentTiers.rend(); ++tier) {
    if (pricing_category("") == tier->category) continue;
    formula =
        std::string("IF({tier}=\"") + tier->key + "\",\"" + tier->category + "\"," + formula + ")";
  }
  return "IF({tier}=\"\",\"\"," + formula + ")";
}

std::vector<Column> what_is_sold() {
  return {
      {"line", "", "Line", "", 5.5, Style::kLine, "", false, ""},
      {"provider", "", "Provider", focus::kProvider, 15, Style::kInputText, "", false,
       "price_provider"},
      {"region", "", "Region", focus::kRegion, 13, Style::kInputText, "", false, ""},
      {"instance", "", "Instance", focus::kSku, 24, Style::kInputText, "", false, ""},
      {"gpu", "", "GPU", "", 10, Style::kInputText, "", false, "price_gpu"},
      {"tier", "", "Tier", "", 17, Style::kInputText, "", false, "price_tier"},
      {"category", "", "Category", focus::kPricingCategory, 13, Style::kText, category_formula(),
       false, ""},
      {"offer", "", "Offer", "", 12, Style::kInputText, "", false, ""},
      {"gpus", "", "GPUs an instance", "", 9, Style::kInputCount, "", false, "price_gpus"},
  };
}

std::vector<Column> what_it_costs() {
  return {
      {"usd", "", "$ an hour, instance", focus::kListUnitPrice, 12, Style::kInputUsdCents, "",
       false, "price_usd"},
      {"gpu_usd", "", "$ a GPU-hour", std::string("per ") + focus::kPricingUnit, 12,
       Style::kUsdTenths, "IF(AND(ISNUMBER({usd}),ISNUMBER({gpus})),ROUND({usd}/{gpus},6),\"\")",
       false, ""},
      {"day", "", "As of", "", 11, Style::kInputDate, "", false, "price_day"},
      {"age", "", "Age", "days", 7, Style::kCount, "IF(ISNUMBER({day}),as_of-{day},\"\")", false,
       ""},
      {"standing", "", "Does it count?", "", 36, Style::kText, kStanding, false, ""},
      {"used", "", "Used in Rent vs buy", "", 9, Style::kText,
       "IF(COUNTIF(lines_used,{line})>0,\"yes\",\"\")", false, ""},
      {"source", "", "Source", "", 48, Style::kText, "", false, ""},
      {"note", "", "Note", "", 30, Style::kText, "", false, ""},
      {"sku", "How it is decided", "Offer, whatever its date", focus::kSkuPrice, 34, Style::kText,
       "", false, "price_sku"},
      {"barred", "How it is decided", "Left out whatever its age", "", 24, Style::kText, "", false,
       ""},
      {"alone", "How it is decided", "In time", "1 = yes", 8, Style::kLine, kAlone, false,
       "price_alone"},
      {"ok", "How it is decided", "Counts", "1 = yes", 8, Style::kLine, kCounts, false, "price_ok"},
  };
}

std::vector<Column> price_columns() {
  std::vector<Column> all = what_is_sold();
  for (Column& column : what_it_costs()) all.push_back(std::move(column));
  for (Column& column : all) {
    if (column.key == "sku") column.formula = kSku;
  }
  return all;
}

/// What the formulas say before anything is changed.
void add_standing(const SheetMeta& meta, const SheetOptions& options, const SheetPrice& price,
                  TableRow& row) {
  const std::optional<double> day = excel_day(price.as_of);
  const std::optional<double> today = excel_day(meta.as_of);
  const auto limit = static_cast<double>(options.age_limit_days(price.tier));
  const bool after = day && today && *day > *today;
  const bool old = day && today && *today - *day > limit;
  std::string standing = "replaced by a newer price";
  if (price.excluded.empty()) {
    standing = "counts";
  } else if (!price.barred.empty()) {
    standing = price.barred;
  } else if (!day) {
    standing = "no date";
  } else if (after) {
    standing = "dated after the sheet";
  } else if (old) {
    standing = "too old";
  }
  const bool alone = price.barred.empty() && day && !after && !old;
  row.cells["age"] = day && today ? cell(*today - *day) : CellValue{};
  row.cells["standing"] = cell(standing);
  row.cells["alone"] = cell(std::int64_t{alone});
  row.cells["ok"] = cell(std::int64_t{price.excluded.empty()});
}

TableRow price_row(const Sheet& sheet, const SheetPrice& price) {
  TableRow row;
  const std::string gpu = gpu_label(sheet, price.gpu);
  const auto day = excel_day(price.as_of);
  row.cells = {{"provider", cell(price.provider)},
               {"region", cell(price.region)},
               {"instance", cell(price.instance)},
               {"gpu", cell(gpu)},
               {"tier", cell(price.tier)},
               {"category", cell(pricing_category(price.tier))},
               {"offer", cell(price.offer)},
               {"gpus", cell(price.gpus)},
               {"usd", cell(price.usd_per_instance_hour)},
               {"gpu_usd", cell(price.usd_per_gpu_hour)},
               {"day", day ? cell(*day) : cell(price.as_of)},
               {"used", cell(std::string(price.used ? "yes" : ""))},
               {"source", cell(price.source)},
               {"note", cell(price.note)},
               {"barred", cell(price.barred)},
               {"sku", cell(join({price.provider, price.region, price.instance, gpu, price.tier,
                                  std::to_string(price.gpus)},
                                 "/"))}};
  for (const char* key : {"provider", "region", "instance", "gpu", "tier", "offer"}) {
    row.styles[key] = Style::kText;
  }
  row.styles["gpus"] = Style::kCount;
  row.styles["day"] = price.as_of.size() == 7 ? Style::kInputMonth : Style::kInputDate;
  add_standing(sheet.meta, sheet.options, price, row);
  return row;
}

}  // namespace

Table prices_table(const Sheet& sheet) {
  Table table{"Prices", price_columns(), {}};
  for (const SheetPrice* price : price_lines(sheet)) {
    table.rows.push_back(price_row(sheet, *price));
  }
  TableRow empty;
  empty.cells = {{"alone", cell(0.0)}, {"ok", cell(0.0)}};
  const std::size_t prices = table.rows.size();
  table.rows.resize(prices + kQuoteLines, empty);
  table.rows[prices].cells["source"] =
      cell(std::string("Your own quotes: provider, GPU, tier, GPUs, price and date are enough."));
  std::int64_t line = 0;
  for (TableRow& row : table.rows) row.cells["line"] = cell(++line);
  return table;
}

}  // namespace sizesheet::xlsx
