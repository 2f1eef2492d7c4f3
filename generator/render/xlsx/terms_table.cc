// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/terms_table.h"

#include "render/phrases.h"
#include "render/table/focus_csv.h"
#include "sheet/scope.h"

namespace sizesheet::xlsx {
namespace {

struct Term {
  const char* where;
  const char* term;
  const char* unit;
  const char* meaning;
};

constexpr Term kTerms[] = {
    {"How to use", "Blue on yellow", "",
     "May be changed: prices, rates, hours, machines, quotes. Every other figure of Rent vs buy, "
     "Prices and Ownership is a formula and follows."},
    {"How to use", "Your own quotes", "",
     "The empty lines under Prices: provider, GPU, tier, GPUs an instance, price and date are "
     "enough. A quote takes part at once; on equal prices the upper line wins."},
    {"How to use", "Empty cell", "", "Unknown or not on offer. It never counts as 0."},
    {"Sizing", "Fits?", "",
     "fits: with the headroom of the sheet; tight: without it; no: not at all."},
    {"Sizing", "Fit with headroom", "GPUs",
     "Smallest count that can be rented and fits with the headroom."},
    {"Sizing", "GiB", "2^30 bytes", "Memory is in GiB; GB stands in names of products only."},
    {"Sizing", "Low, High", "GiB", "Range in which 90 % of published measurements lie."},
    {"Sizing", "Pick", "",
     "rent: the lowest $ a run on demand among rows that fit; buy: the lowest own $ a run. As "
     "worked out by the program; the column Cheapest run of Rent vs buy follows your changes."},
    {"Rent vs buy", "Hours", "h a run",
     "Tokens of a run / (speed x GPUs x 3,600), plus what the scenario adds; to 0.0001 h."},
    {"Rent vs buy", "All GPUs", "$ an hour",
     "Instances x price of an instance. Instances round up; beyond one node only whole nodes "
     "count."},
    {"Rent vs buy", "A run", "$", "All GPUs x hours."},
    {"Rent vs buy", "With lost work", "$ a run",
     "Spot: hours grow by the share for interruptions that stands in Assumptions."},
    {"Rent vs buy", "One year, three years reserved", "$ a month",
     "Every hour of a month is paid, whatever the use."},
    {"Rent vs buy", "Capacity block", "$ a run",
     "Paid in whole days up to 14, then in whole weeks up to 26."},
    {"Rent vs buy", "Own, a run", "$",
     "Own cost of a month x hours of the run / planned hours of a month."},
    {"Rent vs buy", "Break-even", "h a month",
     "Hours of use from which owning costs less than renting on demand; empty: never within a "
     "month."},
    {"Rent vs buy", "Advice", "", "buy: own $ a used GPU-hour is below the rent; else rent."},
    {"Ownership", "Purchase", "$",
     "Whole machines, and a network for each GPU needed where there are several machines."},
    {"Ownership", "Depreciation", "$ a month", "(Purchase - value left) / years of life / 12."},
    {"Ownership", "Capital", "$ a month",
     "Level yearly payment (capital recovery factor) for the purchase less the value left / 12, "
     "less depreciation."},
    {"Ownership", "Colocation", "$ a month", "kW x price of a kW; power is metered apart."},
    {"Ownership", "Support", "$ a month", "Share of the purchase a year / 12."},
    {"Ownership", "Energy", "$ a month",
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
    {"FOCUS", focus::kEffectiveCost, "$ a month",
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

Table terms_table(const Sheet& sheet) {
  Table table{"Terms",
              {{"where", "", "Where", "", 14, Style::kWrapped, "", false, ""},
               {"term", "", "Term", "", 34, Style::kWrapped, "", false, ""},
               {"unit", "", "Unit", "", 16, Style::kWrapped, "", false, ""},
               {"meaning", "", "Meaning", "", 92, Style::kWrapped, "", false, ""}},
              {}};
  for (const Term& term : kTerms) {
    table.rows.push_back(term_row(term.where, term.term, term.unit, term.meaning));
  }
  const std::string running = running_costs_words(sheet);
  if (!running.empty()) {
    table.rows.push_back(term_row("Ownership", "Running costs", "$ a month", running));
  }
  for (const LeftOut& out : left_out(sheet)) {
    table.rows.push_back(term_row("Not priced", sentence_case(out.words), "", out.meaning));
  }
  return table;
}

}  // namespace sizesheet::xlsx
