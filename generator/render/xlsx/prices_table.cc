// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/prices_table.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "render/pdf/page/page_layout.h"
#include "render/phrases.h"
#include "render/writers.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/plan_table.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/spot_columns.h"
#include "render/xlsx/table.h"
#include "sheet/assemble/ownership.h"
#include "sheet/assemble/shown.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

/// 1 where a price stands on its own: a number, in time, and nothing else against it.
constexpr const char* kAlone =
    "IF(AND(ISNUMBER({usd}),ISNUMBER({gpus}),ISNUMBER({day}),{barred}=\"\"),"
    "IF(AND({gpus}>=1,{day}<=as_of,OR(NOT(ISNUMBER({from})),{from}<=as_of),"
    "as_of-{day}<=MIN(IF(ISNUMBER({limit}),{limit},1E9),"
    "IF(LEFT({tier},8)=\"reserved\",reserved_max_age_days,IF({tier}=\"capacity_block\","
    "block_max_age_days,IF(AND({tier}=\"on_demand\",{offer}=\"list\"),MAX(price_max_age_days,"
    "price_fallback_age_days),price_max_age_days))))),1,0),0)";

/// What the price is expected to be on the sheet's day, over what it was; 1 without a drift. All
/// rents rise by what is typed on Answer.
constexpr const char* kFactor =
    "ROUND(IF(AND(ISNUMBER({drift}),ISNUMBER({day})),EXP({drift}*MAX(0,as_of-{day})),1)"
    ",6)*(1+rent_change)";

/// 1 where it is a list price that counts only where no newer one will do.
constexpr const char* kOld =
    "IF({ok}=0,0,IF(AND({tier}=\"on_demand\",as_of-{day}>price_max_age_days),1,0))";

/// True where the sheet admits the stock and the sale of the line; no stock is unknown.
std::string admitted(const PriceRules& rules) {
  std::string any;
  for (const std::string& one : rules.stock) {
    if (one == "unknown") any += ",{stock}=\"\"";
    any += ",{stock}=\"" + one + "\"";
  }
  std::string sold = "{sale}=\"\"";
  if (contains(rules.stock, "by reservation")) {
    sold = "OR({sale}=\"\",{sale}=\"by reservation\")";
  }
  return "AND(OR(" + any.substr(1) + ")," + sold + ")";
}

/// 1 where, besides, it is on sale and no newer price of the same SKU stands.
std::string counts_formula(const PriceRules& rules) {
  return "IF(OR({alone}=0,NOT(" + admitted(rules) +
         "),AND(ISNUMBER({until}),{until}<as_of)),0,"
         "IF(SUMPRODUCT((price_sku={sku})*(price_alone=1)*(price_day>{day}))>0,0,1))";
}

std::string standing_formula(const PriceRules& rules) {
  return "IF({provider}=\"\",\"\",IF({ok}=1,\"counts\",IF({barred}<>\"\",{barred},"
         "IF(NOT(AND(ISNUMBER({usd}),ISNUMBER({gpus}))),\"no price\","
         "IF(NOT(ISNUMBER({day})),\"no date\",IF({day}>as_of,\"dated after the sheet\","
         "IF(AND(ISNUMBER({from}),{from}>as_of),\"not yet valid\","
         "IF({alone}=0,\"too old\",IF(NOT(" +
         admitted(rules) +
         "),IF({sale}<>\"\",{sale},IF({stock}=\"none\",\"out of stock\",\"stock: \"&{stock})),"
         "IF(AND(ISNUMBER({until}),{until}<as_of),\"no longer valid\","
         "\"replaced by a newer price\"))))))))))";
}

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

/// 1 where several nodes may be rented so: under the sheet's rule, of any offer or of those that
/// say what joins them.
std::string joins_formula(const PriceRules& rules) {
  if (!rules.connected()) return "1";
  std::string joined;
  for (const Interconnect& one : kInterconnects) {
    if (one.joins_nodes) joined += std::string(",{interconnect}=\"") + one.key + "\"";
  }
  return "IF(OR(" + joined.substr(1) + "),1,0)";
}

/// A number as formulas write it: "1E-05".
std::string number_literal(double value) {
  std::string text = shortest(value);
  std::ranges::replace(text, 'e', 'E');
  return text;
}

/// The width after so many days: the sum of what each measured day adds to the slope before it,
/// and the root of the days beyond the last.
std::string width_of_kind(const SheetPriceAge& kind, const std::string& days) {
  std::string line = "0";
  double slope = 0;
  for (std::size_t i = 1; i < kind.widths.size(); ++i) {
    const AgeWidth& from = kind.widths[i - 1];
    const AgeWidth& to = kind.widths[i];
    const double next = (to.ln - from.ln) / static_cast<double>(to.days - from.days);
    line += "+" + number_literal(next - slope) + "*MAX(0," + days + "-" +
            std::to_string(from.days) + ")";
    slope = next;
  }
  const AgeWidth& last = kind.widths.back();
  if (last.days == 0) return "0";
  return "IF(" + days + ">" + std::to_string(last.days) + ",MIN(" + number_literal(kMostLnOfAge) +
         "," + number_literal(last.ln) + "*SQRT(" + days + "/" + std::to_string(last.days) + "))," +
         line + ")";
}

/// By the kind that a price ages as; a quote of one's own has none and is certain.
std::string width_formula(const std::vector<SheetPriceAge>& kinds) {
  const std::string days = "MAX(0,as_of-{day})";
  std::string formula = "0";
  for (const SheetPriceAge& kind : kinds) {
    formula =
        "IF({age_kind}=\"" + kind.id + "\"," + width_of_kind(kind, days) + "," + formula + ")";
  }
  return "IF(ISNUMBER({day})," + formula + ",0)";
}

std::vector<Column> price_columns(const Sheet& sheet) {
  const PriceRules& rules = sheet.options.price_rules;
  const char* how = "How it is decided";
  std::vector<Column> all = {
      {"line", "", "Line", "", 5.5, Style::kLine},
      {"provider", "", "Provider", focus::kProvider, 15, Style::kInputText},
      {"region", "", "Region", focus::kRegion, 13, Style::kInputText},
      {"instance", "", "Instance", focus::kSku, 24, Style::kInputText},
      {"gpu", "", "GPU", "", 10, Style::kInputText},
      {"tier", "", "Tier", "", 17, Style::kInputText},
      {"category", "", "Category", focus::kPricingCategory, 13, Style::kText, category_formula()},
      {"offer", "", "Offer", "", 12, Style::kInputText},
      {"stock", "", "Stock", "", 9, Style::kInputText},
      {"sale", "", "Not by the hour", "", 12, Style::kInputText},
      {"interconnect", "", "Joined by", "", 12, Style::kInputText},
      {"gpus", "", "GPUs an instance", "", 9, Style::kInputCount},
      {"counts", "", "GPUs a machine can have", "", 12, Style::kText},
      {"least", "", "Least order, GPUs", "", 9, Style::kInputCount},
      {"usd", "", "$ per hour, instance", focus::kListUnitPrice, 12, Style::kInputUsdCents},
      {"gpu_usd", "", "$ per GPU-hour", std::string("per ") + focus::kPricingUnit, 12,
       Style::kUsdTenths, "IF(AND(ISNUMBER({usd}),ISNUMBER({gpus})),ROUND({usd}/{gpus},6),\"\")"},
      {"day", "", "As of", "", 11, Style::kInputDate},
      {"from", "", "Valid from", "", 11, Style::kInputDate},
      {"until", "", "Valid until", "", 11, Style::kInputDate},
      {"expected", "", "$ per hour, instance, expected now", "", 12, Style::kUsdCents,
       "IF(ISNUMBER({usd}),ROUND({usd}*{factor},6),\"\")"},
      {"age", "", "Age", "days", 7, Style::kCount, "IF(ISNUMBER({day}),as_of-{day},\"\")"},
      {"standing", "", "Does it count?", "", 36, Style::kText, standing_formula(rules)},
      {"used", "", "Used in Rent vs buy", "", 9, Style::kText,
       "IF(COUNTIF(lines_used,{line})>0,\"yes\",\"\")"},
      {"source", "", "Source", "", 48, Style::kText},
      {"note", "", "Note", "", 30, Style::kText},
      {"sku", how, "Offer, of any date", focus::kSkuPrice, 34, Style::kText, kSku},
      {"barred", how, "Left out at any age", "", 24, Style::kText},
      {"limit", how, "Oldest of its kind", "days", 9, Style::kCount},
      {"drift", how, "Drift per day", "ln", 9, Style::kNumber},
      {"factor", how, "Expected over seen", "x", 10, Style::kNumber, kFactor},
      {"age_kind", how, "Ages as", "", 16, Style::kText},
      {"width", how, "Range of the price, upwards", "ln", 10, Style::kNumber,
       width_formula(sheet.price_ages)},
      {"alone", how, "In time", "1 = yes", 8, Style::kLine, kAlone},
      {"ok", how, "Counts", "1 = yes", 8, Style::kLine, counts_formula(rules)},
      {"old", how, "Only where no newer will do", "1 = yes", 8, Style::kLine, kOld},
      {"joins", how, "Several nodes", "1 = yes", 8, Style::kLine, joins_formula(rules)},
  };
  std::set<std::string> named{"provider", "gpu",    "tier",  "gpus",  "least", "usd", "day",
                              "sku",      "factor", "width", "alone", "ok",    "old", "joins"};
  for (const std::int64_t gpus : kMachineSizes) {
    const std::string key = "of_" + std::to_string(gpus);
    named.insert(key);
    all.push_back({key, how, "Machine for " + gpu_count(gpus), "-1 = none", 8, Style::kLine});
  }
  if (rules.spot_rule) named.insert(add_spot_rate(how, all));
  name_ranges(all, "price_", named);
  return all;
}

/// Why the stock of a price keeps it out.
std::string stock_words(const SheetPrice& price) {
  if (price.sale) return *price.sale;
  return price.stock == "none" ? "out of stock" : "stock: " + price.stock.value_or("unknown");
}

/// What the formulas say before anything is changed.
void add_standing(const SheetMeta& meta, const SheetOptions& options, const SheetPrice& price,
                  TableRow& row) {
  const std::optional<double> day = excel_day(price.as_of);
  const std::optional<double> today = excel_day(meta.as_of);
  const auto limit =
      static_cast<double>(options.age_limit_days(price.tier, price.offer, price.age_kind));
  const bool after = day && today && *day > *today;
  const bool early = price.valid_from && *price.valid_from > meta.as_of;
  const bool over = price.valid_until && *price.valid_until < meta.as_of;
  const bool too_old = day && today && *today - *day > limit;
  const std::string standing = price.excluded.empty()  ? "counts"
                               : !price.barred.empty() ? price.barred
                               : !day                  ? "no date"
                               : after                 ? "dated after the sheet"
                               : early                 ? "not yet valid"
                               : too_old               ? "too old"
                               : !contains(options.price_rules.stock, stock_of(price))
                                   ? stock_words(price)
                               : over ? "no longer valid"
                                      : "replaced by a newer price";
  const bool alone = price.barred.empty() && day && !after && !too_old && !early;
  row.cells["age"] = day && today ? cell(*today - *day) : CellValue{};
  row.cells["standing"] = cell(standing);
  row.cells["alone"] = cell(std::int64_t{alone});
  row.cells["ok"] = cell(std::int64_t{price.excluded.empty()});
  row.cells["old"] = cell(std::int64_t{price.old});
  const auto own = options.price_rules.max_age_days_of.find(price.age_kind);
  if (own != options.price_rules.max_age_days_of.end()) row.cells["limit"] = cell(own->second);
  const bool joins = !options.price_rules.connected() || joins_nodes(price.interconnect);
  row.cells["joins"] = cell(std::int64_t{joins});
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
               {"stock", cell(price.stock)},
               {"sale", cell(price.sale)},
               {"interconnect", cell(price.interconnect)},
               {"counts", cell(counts_text(price.counts, " "))},
               {"least", cell(price.minimum_gpus)},
               {"gpus", cell(price.gpus)},
               {"usd", cell(price.usd_per_instance_hour)},
               {"gpu_usd", cell(price.usd_per_gpu_hour)},
               {"day", day ? cell(*day) : cell(price.as_of)},
               {"expected", cell(price.expected_usd_per_instance_hour)},
               {"factor", cell(price.age_factor)},
               {"age_kind", cell(price.age_kind)},
               {"width", cell(price.ln_width)},
               {"used", cell(price.used ? "yes" : "")},
               {"source", cell(price.source)},
               {"note", cell(price.note)},
               {"barred", cell(price.barred)},
               {"sku", cell(join({price.provider, price.region, price.instance, gpu, price.tier,
                                  std::to_string(price.gpus)},
                                 "/"))}};
  if (price.drift_per_day != 0) row.cells["drift"] = cell(price.drift_per_day);
  for (const char* key : {"provider", "region", "instance", "gpu", "tier", "offer", "stock", "sale",
                          "interconnect"}) {
    row.styles[key] = Style::kText;
  }
  for (const auto& [key, asked] :
       {std::pair("from", price.valid_from), std::pair("until", price.valid_until)}) {
    const auto date = excel_day(asked.value_or(""));
    if (date) row.cells[key] = cell(*date);
  }
  for (const std::int64_t gpus : kMachineSizes) {
    row.cells["of_" + std::to_string(gpus)] = cell(machine_gpus(price, gpus).value_or(-1));
  }
  if (price.spot) row.cells["spot_rate"] = cell(price.spot->per_hour);
  row.styles["gpus"] = row.styles["least"] = Style::kCount;
  row.styles["day"] = price.as_of.size() == 7 ? Style::kInputMonth : Style::kInputDate;
  add_standing(sheet.meta, sheet.options, price, row);
  return row;
}

struct Wording {
  const char* where;
  const char* term;
  const char* unit;
  const char* meaning;
};

constexpr Wording kWordings[] = {
    {"How to use", "Blue on yellow", "",
     "May be changed: prices, rates, hours, machines, quotes. Every other figure of Answer, Rent "
     "vs buy, Prices and Ownership is a formula and follows."},
    {"How to use", "Your own quotes", "",
     "The empty lines under Prices: provider, GPU, tier, GPUs an instance, price and date are "
     "enough. Your quote is used at once. If two prices are equal, the upper line is used."},
    {"How to use", "Empty cell", "", "Unknown or not on offer. It never counts as 0."},
    {"Answer", "GPUs, other GPU type", "",
     "The choice was made with the original figures and does not change with your inputs: "
     "others might then be better."},
    {"Answer", "$ low, $ high", "$ per run", "Nine of ten runs lie between them."},
    {"Answer", "Score, % more", "% of the score",
     "How far the score of the best set-up of another GPU type and seller is above the pick's. "
     "Score: "
     "expected dollars + a share of the distance to the upper end (Method)."},
    {"Answer", "Cheaper to own from", "runs, h per month",
     "If you use the machines more per month than this, owning costs less than the cheapest rent, "
     "on average; never: not within the hours of a month."},
    {"Plan", "Units, hours, runs", "",
     "May be changed; the totals follow. The choice of machines and the place of each run do not "
     "change."},
    {"Plan", "Fixed cost", "$",
     "Units x a unit per month x months paid. Bought machines cost what Ownership counts, without "
     "use; "
     "reserved ones every hour of a month, at the price in Prices."},
    {"Plan", "All GPUs", "$ per hour",
     "By the hour: instances x price of an instance. On machines: the energy of use. On reserved "
     "ones: nothing more."},
    {"Plan", "Used", "% of usable hours",
     "Of all months paid. Above 100 %: the units hold less than the runs that were typed."},
    {"Sizing", "Fits?", "",
     "fits: with the headroom of the sheet; tight: without it; no: not at all."},
    {"Sizing", "Certain?", "",
     "yes: the whole range is within the card. no: its upper end, High, is above it; run two "
     "training steps first."},
    {"Sizing", "Certain to fit", "GPUs",
     "Smallest count that can be rented and fits up to the upper end of its range."},
    {"Sizing", "Fit with headroom", "GPUs",
     "Smallest count that can be rented and fits with the headroom."},
    {"Sizing", "GiB", "2^30 bytes", "Memory is in GiB; GB is used in product names only."},
    {"Sizing", "Low, High", "GiB", "Range in which 90 % of published measurements lie."},
    {"Sizing", "Pick", "",
     "rent: the set-up that is rented; own: the machine with the cheapest run at the planned "
     "hours, "
     "whether or not owning pays. As worked out by the program; the column Cheapest run "
     "of "
     "Rent vs buy follows your changes."},
    {"Rent vs buy", "Hours", "h per run",
     "Tokens of a run / (speed x GPUs x 3,600), plus what the scenario adds; to 0.0001 h."},
    {"Prices", "Expected now", "$ per hour",
     "The price as it was seen x EXP(drift per day x days since), to a millionth. The drift is "
     "that "
     "of "
     "prices of its kind, for cards whose price rises; your own quotes have none."},
    {"Rent vs buy", "All GPUs", "$ per hour",
     "Instances x expected price of an instance. Instances round up, and a count that is not on "
     "sale "
     "to the next machine; beyond one node only whole nodes count."},
    {"Rent vs buy", "A run", "$", "All GPUs x hours."},
    {"Rent vs buy", "With lost work", "$ per run",
     "Spot: hours grow by a share for interruptions, or by their rate in Prices and the time "
     "between checkpoints, in Assumptions."},
    {"Rent vs buy", "One year, three years reserved", "$ per month",
     "Every hour of a month is paid, used or not."},
    {"Rent vs buy", "Beats on demand from", "h per month",
     "Hours of use per month from which a month of the term costs less than these hours on "
     "demand."},
    {"Rent vs buy", "Capacity block", "$ per run",
     "Paid in whole days up to 14, then in whole weeks up to 26."},
    {"Rent vs buy", "Own, per run", "$",
     "Own cost of a month x hours of the run / planned hours of a month."},
    {"Rent vs buy", "Break-even", "h per month",
     "If you use the GPUs for more hours per month than this, owning costs less than renting on "
     "demand; empty: never within a month."},
    {"Rent vs buy", "These GPUs, bought", "",
     "Machines that hold the GPUs of the line. The machine to own, which may have others, is on "
     "Answer."},
    {"Project", "All runs started", "$",
     "Runs that are finished / (1 - share that is lost of all runs started) x a run."},
    {"Project", "Evaluation", "$",
     "Runs that are finished x tokens read x dollars a trained token x what a token that is read "
     "costs of it."},
    {"Services", "A run at a service", "$",
     "Rate x tokens of a run / 1,000,000, at least what a run costs there. Validation tokens, "
     "where "
     "they are billed, are not in it."},
    {"Services", "Weights to download?", "",
     "no: what was trained stays there; unknown: nobody says so. Empty minimum: none is stated."},
    {"Ownership", "Purchase", "$",
     "Whole machines, and a network for each GPU needed where there are several machines."},
    {"Ownership", "Depreciation", "$ per month", "(Purchase - value left) / years of life / 12."},
    {"Ownership", "Capital", "$ per month",
     "Level yearly payment (capital recovery factor) for the purchase less the value left / 12, "
     "less depreciation."},
    {"Ownership", "Colocation", "$ per month", "kW x price of a kW; power is metered apart."},
    {"Ownership", "Support", "$ per month", "Share of the purchase a year / 12."},
    {"Ownership", "Energy", "$ per month",
     "kW x PUE x hours x $/kWh x (idle share + (1 - idle share) x use)."},
    {"Ownership", "Payback", "month",
     "First whole month in which rent saved less running costs and capital has paid the purchase; "
     "empty: not within the life."},
    {"Ownership", "Net present value", "$",
     "Rent saved less running costs at the end of each year, plus the value left, less the "
     "purchase, at the cost of capital."},
    {"FOCUS", focus::kListUnitPrice, "$ a PricingUnit", "Price before any discount."},
    {"FOCUS", focus::kListCost, "$", "ListUnitPrice x PricingQuantity: All GPUs, A run."},
    {"FOCUS", focus::kPricingUnit, "", "Here an hour of an instance, or of a GPU."},
    {"FOCUS", focus::kPricingCategory, "",
     "Standard: on demand; Dynamic: spot; Committed: reserved terms and capacity blocks."},
    {"FOCUS", focus::kSkuPrice, "",
     "Key of a price without amount and date: provider, region, instance, GPU, tier, GPUs. A newer "
     "price of the same key replaces the older."},
    {"FOCUS", focus::kProvider, "", "Who sells it."},
    {"FOCUS", focus::kRegion, "", "Where, by the provider's code or name for the place."},
    {"FOCUS", focus::kSku, "", "The instance, as the provider calls it."},
    {"FOCUS", focus::kEffectiveCost, "$ per month",
     "Cost spread over the term it covers: the months of reserved terms, and of owning."},
};

TableRow term_row(const std::string& where, const std::string& term, const std::string& unit,
                  const std::string& meaning) {
  TableRow row;
  row.cells = {{"where", cell(where)},
               {"term", cell(term)},
               {"unit", cell(unit)},
               {"meaning", cell(meaning)}};
  return row;
}

}  // namespace

Table prices_table(const Sheet& sheet) {
  Table table{"Prices", price_columns(sheet), {}};
  for (const SheetPrice* price : price_lines(sheet)) {
    table.rows.push_back(price_row(sheet, *price));
  }
  TableRow empty;
  for (const char* key : {"alone", "ok", "old"}) empty.cells[key] = cell(0.0);
  empty.cells["factor"] = cell(1.0);
  empty.cells["width"] = cell(0.0);
  empty.cells["joins"] = cell(std::int64_t{!sheet.options.price_rules.connected()});
  const std::size_t prices = table.rows.size();
  table.rows.resize(prices + kQuoteLines, empty);
  table.rows[prices].cells["source"] =
      cell("Your own quotes: provider, GPU, tier, GPUs, price and date are enough.");
  std::int64_t line = 0;
  for (TableRow& row : table.rows) row.cells["line"] = cell(++line);
  return table;
}

Table terms_table(const Sheet& sheet) {
  Table table{"Terms",
              {{"where", "", "Where", "", 14, Style::kWrapped},
               {"term", "", "Term", "", 34, Style::kWrapped},
               {"unit", "", "Unit", "", 16, Style::kWrapped},
               {"meaning", "", "Meaning", "", 92, Style::kWrapped}},
              {}};
  for (const Wording& term : kWordings) {
    const std::string_view where = term.where;
    if (where == "Plan" && !has_plan(sheet)) continue;
    if (where == "Services" && sheet.services.empty()) continue;
    if (where == "Project" && !sheet.project) continue;
    table.rows.push_back(term_row(term.where, term.term, term.unit, term.meaning));
  }
  const std::string running = running_costs_words(sheet);
  if (!running.empty()) {
    table.rows.push_back(term_row("Ownership", "Running costs", "$ per month", running));
  }
  const std::string rate = exchange_words(sheet.meta);
  if (!rate.empty()) table.rows.push_back(term_row("Prices", "USD", "", rate));
  for (const LeftOut& out : left_out(sheet)) {
    table.rows.push_back(term_row("Not priced", sentence_case(out.words), "", out.meaning));
  }
  return table;
}

}  // namespace sizesheet::xlsx
