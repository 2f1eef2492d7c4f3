// SPDX-License-Identifier: Apache-2.0
// Rent or buy, and where the picks can be rented.

#include "sheet/money.h"

#include <algorithm>
#include <set>
#include <vector>

#include "render/charts.h"
#include "render/html/frame.h"
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

/// "rent (5,394 or 12,034)": the advice at this use, and the month rented or owned.
std::string use_words(const MonthOfUse& month) {
  if (!month.advice || !month.rent_usd_per_month) return std::string(kAbsent);
  return (month.close ? "close" : *month.advice) + " (" + whole_usd(*month.rent_usd_per_month) +
         "\u00a0or\u00a0" + whole_usd(month.own_usd_per_month) + ")";
}

const MonthOfUse* month_at(const Sheet& sheet, const Row& row, double hours) {
  const UseOfRow* use = sheet.ownership ? use_of(*sheet.ownership, row) : nullptr;
  return use == nullptr ? nullptr : entry_with(use->months, &MonthOfUse::hours, hours);
}

/// The hours of use that some of these rows are compared at.
std::set<double> uses_of(const Sheet& sheet, const std::vector<const Row*>& rows) {
  std::set<double> hours;
  for (const Row* row : rows) {
    const UseOfRow* use = sheet.ownership ? use_of(*sheet.ownership, *row) : nullptr;
    if (use == nullptr) continue;
    for (const MonthOfUse& month : use->months) hours.insert(month.hours);
  }
  return hours;
}

Json line(const std::string& label, const std::vector<const Row*>& rows, auto cell) {
  Json cells = Json::array();
  for (const Row* row : rows) {
    const std::string text = cell(*row);
    const std::string word = text.substr(0, text.find(' '));
    const std::string shade = word == "buy" || word == "close" || word == "never" ? word : "known";
    cells.push_back({{"money_text", text}, {"money_class", shade}});
  }
  return {{"money_label", label}, {"money_cells", cells}};
}

using Rows = std::vector<const Row*>;

std::string absent() { return std::string(kAbsent); }

/// The words of a format for the machine owned.
std::string of_own(const Row& row, const char* format) {
  return row.own ? words_at(written(*row.own), format) : absent();
}

std::string usd_or_absent(const std::optional<MicroUsd>& usd, std::string (*format)(MicroUsd)) {
  return usd ? format(*usd) : absent();
}

std::string month_or_absent(const std::optional<std::int64_t>& month) {
  return month ? "month " + format_integer(*month) : absent();
}

/// "3,056" a month, "1,234" a run; on spot "1,234 to 1,419", interruptions counted.
std::string tier_cell(const RentTier& tier, const Row& row) {
  const auto& rent = row.rents[tier];
  if (!rent || !amount_paid(tier, *rent)) return absent();
  if (tier.by_month()) return whole_usd(*amount_paid(tier, *rent));
  const std::string plain = run_usd(*amount_paid(tier, *rent));
  const auto& interrupted = rent->usd_per_run_interrupted;
  return interrupted ? plain + " to " + run_usd(*interrupted) : plain;
}

/// "Capacity block, $/run, whole days".
std::string tier_label(const RentTier& tier) {
  const std::string note = tier.note;
  return std::string(tier.title) + (tier.by_month() ? ", $/month" : ", $/run") +
         (note.empty() ? "" : ", " + note);
}

void add_rent_lines(Json& lines, const Rows& rows) {
  const auto listed = [&](const char* label, MicroUsd RentLine::*amount,
                          std::string (*words)(MicroUsd) = whole_usd) {
    lines.push_back(line(label, rows, [amount, words](const Row& row) {
      return row.rents[kOnDemand] ? words((*row.rents[kOnDemand]).*amount) : absent();
    }));
  };
  listed("On demand, $/h", &RentLine::usd_per_hour, hourly_usd);
  listed("On demand, a weekend (48 h), $", &RentLine::usd_per_weekend);
  listed("On demand, 3 days, $", &RentLine::usd_per_3_days);
  listed("On demand, a whole month, $", &RentLine::usd_per_full_month);
  for (const RentTier& tier : kRentTiers) {
    lines.push_back(
        line(tier_label(tier), rows, [&tier](const Row& row) { return tier_cell(tier, row); }));
  }
}

std::string bought_words(const Row& row) {
  if (!row.own) return absent();
  std::string words = format_integer(row.own->nodes) + " (" + row.own->node_title + ")";
  if (row.own->unused_gpus > 0) {
    words += ", " + gpu_count(row.own->unused_gpus) + " unused: $" +
             whole_usd(row.own->unused_usd_per_month) + " a month";
  }
  return words;
}

void add_own_lines(Json& lines, const Rows& rows) {
  const auto owned = [&](const char* label, auto cell) {
    lines.push_back(
        line(label, rows, [cell](const Row& row) { return row.own ? cell(*row.own) : absent(); }));
  };
  lines.push_back(line("Machines bought", rows, bought_words));
  owned("Buy outright, $", [](const OwnLine& own) { return whole_usd(own.capex_usd); });
  owned("Own, $/month", [](const OwnLine& own) { return whole_usd(own.own_usd_per_month); });
  owned("Own, $ a GPU-hour",
        [](const OwnLine& own) { return hourly_usd(own.own_usd_per_gpu_hour); });
  owned("Own, $/run",
        [](const OwnLine& own) { return usd_or_absent(own.own_usd_per_run, run_usd); });
  lines.push_back(
      line("Break-even, h/month", rows, [](const Row& row) { return of_own(row, ".|even"); }));
  owned("Break-even, runs/month", [](const OwnLine& own) {
    const auto& runs = own.break_even_runs_per_month;
    return runs ? format_number(*runs, 1) : absent();
  });
  owned("Payback, capital charge counted",
        [](const OwnLine& own) { return month_or_absent(own.payback_month); });
  owned("Payback without it",
        [](const OwnLine& own) { return month_or_absent(own.payback_month_cash); });
  owned("Present value of buying, $",
        [](const OwnLine& own) { return usd_or_absent(own.npv_usd, whole_usd); });
}

Json money_lines(const Sheet& sheet, const Rows& rows) {
  Json lines = Json::array();
  lines.push_back(line("Set-up", rows, [&](const Row& row) { return set_up(sheet, row); }));
  add_rent_lines(lines, rows);
  add_own_lines(lines, rows);
  const std::string planned = month_hours(sheet.options.planned_hours_per_month);
  lines.push_back(line("Advice at " + planned + " h a month", rows,
                       [](const Row& row) { return of_own(row, ".|advice"); }));
  for (const double hours : uses_of(sheet, rows)) {
    lines.push_back(
        line("At " + month_hours(hours) + " h: rent or own, $/month", rows, [&](const Row& row) {
          const MonthOfUse* month = month_at(sheet, row, hours);
          return month == nullptr ? absent() : use_words(*month);
        }));
  }
  return lines;
}

Json offer_table(const Sheet& sheet, const Row& row, const RowOffers& all) {
  return {{"offers_method", sheet.method(row.method).short_title},
          {"offers_setup", set_up(sheet, row)},
          {"offers", written(all).at("offers")}};
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
      tables.push_back(offer_table(sheet, *row, *all));
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
