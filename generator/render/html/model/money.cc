// SPDX-License-Identifier: Apache-2.0
// Rent or buy, and where the picks can be rented.

#include "sheet/money.h"

#include <algorithm>
#include <map>
#include <vector>

#include "render/charts.h"
#include "render/html/pages.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "sheet/fields.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The row whose chart says most: the first pick that breaks even, else the best.
const Row* charted(const std::vector<const Row*>& rows, const Row* best) {
  for (const Row* row : rows) {
    if (row->own && row->own->break_even_hours_per_month) return row;
  }
  return best && (best->own || best->rents[kOnDemand]) ? best : nullptr;
}

Json line(const std::string& label, const std::vector<std::string>& texts) {
  Json cells = Json::array();
  for (const std::string& text : texts) {
    const std::string word = text.substr(0, text.find(' '));
    const std::string shade = word == "buy" || word == "close" || word == "never" ? word : "known";
    cells.push_back({{"money_text", text}, {"money_class", shade}});
  }
  return {{"money_label", label}, {"money_cells", cells}};
}

/// What is said of a set-up, and the figure of its row.
struct MoneyLine {
  std::string label;
  std::string figure;
};

std::vector<MoneyLine> money_of_row(const Sheet& sheet) {
  std::vector<MoneyLine> all = {
      {"Set-up", "set_up|text"},
      {"On demand, $/h", "rent.list.usd_per_hour|hourly"},
      {"On demand, a weekend (48 h), $", "rent.list.usd_per_weekend|whole"},
      {"On demand, 3 days, $", "rent.list.usd_per_3_days|whole"},
      {"On demand, a whole month, $", "rent.list.usd_per_full_month|whole"},
  };
  for (const RentTier& tier : kRentTiers) {
    const std::string note = *tier.note == '\0' ? "" : std::string(", ") + tier.note;
    const std::string rent = std::string("rent.") + tier.name;
    all.push_back({std::string(tier.title) + (tier.by_month() ? ", $/month" : ", $/run") + note,
                   rent + (tier.by_month() ? ".usd_per_month|whole" : "|run_or_range")});
  }
  const std::vector<MoneyLine> owned = {
      {"Machines bought", "own|bought"},
      {"Buy outright, $", "own.capex_usd|whole"},
      {"Own, $/month", "own.own_usd_per_month|whole"},
      {"Own, $ a GPU-hour", "own.own_usd_per_gpu_hour|hourly"},
      {"Own, $/run", "own.own_usd_per_run|run"},
      {"Break-even, h/month", "own|even"},
      {"Break-even, runs/month", "own.break_even_runs_per_month|n1"},
      {"Payback, capital charge counted", "own.payback_month|month"},
      {"Payback without it", "own.payback_month_cash|month"},
      {"Present value of buying, $", "own.npv_usd|whole"},
      {"Advice at " + month_hours(sheet.options.planned_hours_per_month) + " h a month",
       "own|advice"},
  };
  all.insert(all.end(), owned.begin(), owned.end());
  return all;
}

/// "rent (5,394 or 12,034)": the advice at this use, and the month rented or owned.
std::string use_words(const MonthOfUse& month) {
  if (!month.advice || !month.rent_usd_per_month) return std::string(kAbsent);
  return (month.close ? "close" : *month.advice) + " (" + whole_usd(*month.rent_usd_per_month) +
         "\u00a0or\u00a0" + whole_usd(month.own_usd_per_month) + ")";
}

Json money_lines(const Sheet& sheet, const std::vector<const Row*>& rows) {
  std::vector<Json> values;
  std::map<double, std::vector<std::string>> uses;  // by hours: what each row comes to
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values.push_back(row_json(sheet, *rows[i]));
    const UseOfRow* use = sheet.ownership ? use_of(*sheet.ownership, *rows[i]) : nullptr;
    if (use == nullptr) continue;
    for (const MonthOfUse& month : use->months) {
      auto& words = uses[month.hours];
      words.resize(rows.size(), std::string(kAbsent));
      words[i] = use_words(month);
    }
  }
  Json lines = Json::array();
  for (const MoneyLine& one : money_of_row(sheet)) {
    std::vector<std::string> texts;
    for (const Json& row : values) texts.push_back(words_at(row, one.figure));
    lines.push_back(line(one.label, texts));
  }
  for (const auto& [hours, words] : uses) {
    lines.push_back(line("At " + month_hours(hours) + " h: rent or own, $/month", words));
  }
  return lines;
}

}  // namespace

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best) {
  std::vector<const Row*> rows;
  Json heads = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    if (!row) continue;
    rows.push_back(row);
    heads.push_back({{"money_method", method.short_title}});
  }
  const Row* row = charted(rows, best);
  values["has_rent_or_buy"] = row != nullptr;
  values["money_heads"] = heads;
  values["money_rows"] = money_lines(sheet, rows);
  if (!row) return;
  const Chart chart = rent_or_own_chart(sheet, *row);
  values["rent_or_buy_svg"] = svg(chart);
  values["rent_or_buy_conclusion"] = chart.conclusion;
}

void put_offers(Json& values, const Sheet& sheet, const std::string& model) {
  Json tables = Json::array();
  Json files = Json::array();
  Json hours = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    if (row == nullptr) continue;
    const RowOffers* all = entry_with(sheet.offers, &RowOffers::row_key, row->key());
    if (all != nullptr && !all->offers.empty()) {
      tables.push_back({{"offers_method", method.short_title},
                        {"offers_setup", set_up(sheet, *row)},
                        {"offers", written(*all).at("offers")}});
    }
    if (row->files) files.push_back(row_json(sheet, *row));
    const Pick* pick = sheet.pick(model, method.id);
    if (pick != nullptr && !pick->hourly_why.empty()) {
      hours.push_back({{"dearer_method", method.short_title}, {"dearer_words", pick->hourly_why}});
    }
  }
  values["first_offers"] = Json::array();
  values["rest_offers"] = Json::array();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    values[i == 0 ? "first_offers" : "rest_offers"].push_back(tables[i]);
  }
  values["has_offers"] = !tables.empty();
  values["file_rows"] = files;
  values["dearer_hours"] = hours;
}

}  // namespace sizesheet
