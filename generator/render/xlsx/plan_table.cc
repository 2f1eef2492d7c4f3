// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/plan_table.h"

#include <utility>

#include "render/change_words.h"
#include "render/diff/remarks.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/ownership_table.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/decision.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

constexpr const char* kPlan = "Plan";
constexpr std::size_t kTotalLabels = 2;  ///< rows, counted from 0
constexpr std::size_t kTotals = 3;
constexpr std::size_t kPoolsTitle = 5;
constexpr const char* kFirstUnprinted = "price_line";

/// The price of {price_line}, or "" where it was taken out.
std::string with_price(const std::string& formula) {
  return unless_empty("INDEX(price_usd,{price_line})", formula);
}

std::string bought(const std::vector<Input>& inputs) {
  // A network is bought for units that are joined, as one is for GPUs beyond one machine.
  return "IF(OR({kind}<>\"bought\",{machine_line}=0),\"\",ROUND(" +
         purchase(inputs, "{gpus}", "IF({joined}=1,0,{gpus})") + ",6))";
}

std::string month_of_unit(const std::vector<Input>& inputs, bool sold) {
  const std::string known = unless_empty("{known_usd}", "{known_usd}");
  const std::string owned = sold ? "IF({capex}<>\"\",ROUND(" +
                                       month_at_rest(inputs, "{gpus}", StaffOf::kUnit) + ",6)," +
                                       known + ")"
                                 : known;
  return "IF({price_line}>0," +
         with_price("ROUND(" + expected_price("{price_line}") + "*hours_per_month,6)") + "," +
         owned + ")";
}

std::vector<Column> pool_columns(const std::vector<Input>& inputs, bool sold) {
  const std::string runs_known = "IF(SUMPRODUCT((plan_pool={no})*(plan_usd=\"\"))>0,\"\",";
  return {
      {"no", "", "No.", "", 6, Style::kCount},
      {"title", "", "What", "", 37, Style::kWrapped},
      {"kind", "", "How", "", 20},
      {"gpus", "", "GPUs each", "", 10, Style::kCount},
      {"units", "", "Units", "", 8, Style::kInputCount},
      {"unit_usd", "", "A unit", "$ per month", 10, Style::kUsd, month_of_unit(inputs, sold)},
      {"months", "", "Months", "paid", 10, Style::kCount},
      {"fixed", "", "Fixed cost", "$", 14, Style::kUsd,
       "IF({units}=0,0," + unless_empty("{unit_usd}", "ROUND({units}*{unit_usd}*{months},6)") +
           ")"},
      {"runs", "", "For the runs", "$", 13, Style::kUsd,
       runs_known + "SUMIFS(plan_usd,plan_pool,{no}))"},
      {"all", "", "Together", "$", 11, Style::kUsd,
       unless_empty("{fixed}", "{runs}", "{fixed}+{runs}")},
      {"used", "", "GPU-hours", "of the runs", 10, Style::kCount,
       "SUMIFS(plan_gpu_hours,plan_pool,{no})"},
      {"share", "", "Used", "of usable hours", 12, Style::kPercent,
       "IF({units}=0,\"\",{used}/({units}*{gpus}*{months}*hours_per_month*{highest_use}))"},
  };
}

std::vector<Column> pool_workings(const std::vector<Input>& inputs, bool sold) {
  const char* group = "Working: a unit";
  return {
      {"price_line", group, "Line of Prices", "", 15, Style::kLine},
      {"machine_line", group, "Line of machines", "", 17, Style::kLine},
      {"machines", group, "Machines", "", 10, Style::kCount},
      {"joined", group, "Joined (1)", "", 11, Style::kLine},
      {"capex", group, "Purchase", "$", 10, Style::kUsd, sold ? bought(inputs) : "\"\""},
      {"use", group, "A GPU-hour of use", "$", 18, Style::kUsdTenths,
       sold ? "IF({machine_line}=0,0," + energy_of_use() + "/{gpus})" : "0"},
      {"known_usd", group, "Own or by contract", "$ per month", 19, Style::kInputUsd},
      {"highest_use", group, "Usable", "share of hours", 13, Style::kPercent},
  };
}

std::vector<Column> run_columns() {
  // A machine that is not bought runs nothing.
  const std::string energy = "IF(INDEX(plan_units,{pool})=0,\"\",{gpus}*INDEX(plan_use,{pool}))";
  std::vector<Column> all = {
      {"month", "", "Month", "", 6, Style::kCount},
      {"where", "", "Where", "", 37, Style::kWrapped},
      {"model", "", "Model", "", 20},
      {"method", "", "Method", "", 10},
      {"gpus", "", "GPUs", "", 8, Style::kCount},
      {"hours", "", "Hours", "h per run", 10, Style::kInputTenths},
      {"runs", "", "Runs", "", 10, Style::kInputTenths},
      {"hour", "", "All GPUs", "$ per hour", 14, Style::kUsdTenths,
       "IF({price_line}=0," + energy + "," + with_price(usd_per_hour("price_line")) + ")"},
      {"run", "", "A run", "$", 13, Style::kUsdRun,
       unless_empty("{hour}", "ROUND({hour}*ROUND({hours},4),6)")},
      {"usd", "", "Together", "$", 11, Style::kUsdRun,
       unless_empty("{run}", "ROUND({run}*{runs},6)")},
      {"gpu_hours", "", "GPU-hours", "", 10, Style::kCount, "{gpus}*{hours}*{runs}"},
      {"pool", "", "No.", "of the table above", 12, Style::kCount},
      {"price_line", "Working", "Line of Prices", "", 15, Style::kLine},
  };
  all.back().detail = true;
  name_ranges(all, "plan_", {"pool", "usd", "gpu_hours"});
  return all;
}

std::int64_t place_of(const SheetPlan& plan, const std::string& pool) {
  return line_where(plan.pools, [&](const PlanPoolLine& line) { return line.id == pool; });
}

/// Of a machine, what an hour of one GPU in use adds.
double usd_of_use(const Sheet& sheet, const std::vector<Input>& inputs, const PlanPoolLine& pool) {
  if (machine_line(sheet, pool.machine) == 0 || pool.gpus_per_unit == 0) return 0;
  const auto rate = [&](const char* name) { return value_of(inputs, name).value_or(0); };
  return machine_figure(sheet, pool.machine + "/kw").typical * rate("pue") * rate("usd_per_kwh") *
         (1 - rate("idle_power_share")) / static_cast<double>(pool.gpus_per_unit);
}

/// `follows`: a month of a unit follows from a price.
void add_units(const Sheet& sheet, const PlanPoolLine& pool, bool follows, TableRow& row) {
  const PlanDemand& demand = sheet.plan->demand;
  const bool is_bought = pool.kind == "bought" && machine_line(sheet, pool.machine) > 0;
  const bool is_reserved = pool.kind == "reserved";
  row.cells.insert({{"gpus", cell(pool.gpus_per_unit)},
                    {"units", cell(pool.units)},
                    {"unit_usd", cell(pool.usd_per_unit_month)},
                    {"months", cell(pool.until_month - pool.from_month)},
                    {"share", cell(pool.used_share)},
                    {"machines", 1.0},
                    {"joined", cell(std::int64_t{pool.joined})},
                    {"highest_use", is_reserved ? demand.reserved_use : demand.owned_use}});
  if (is_bought) row.cells["capex"] = cell(scaled(pool.capex_usd, 1, pool.units));
  if (is_bought || follows) {
    row.styles["known_usd"] = Style::kUsd;
  } else {
    row.cells["known_usd"] = cell(pool.usd_per_unit_month);
  }
}

TableRow run_row(const Sheet& sheet, const std::map<std::string, std::int64_t>& lines,
                 const PlanAssignmentLine& one) {
  const SheetPlan& plan = *sheet.plan;
  const std::int64_t pool = place_of(plan, one.pool);
  const MicroUsd run = rounded_usd(one.runs > 0 ? to_usd(one.usd) / one.runs : 0);
  TableRow row;
  row.cells = {{"month", cell(one.month + 1)},
               {"model", cell(short_title(sheet.model(one.model)))},
               {"method", cell(sheet.method(one.method).short_title)},
               {"gpus", cell(one.gpus)},
               {"hours", one.hours},
               {"runs", one.runs},
               {"hour", one.hours > 0 ? to_usd(run) / one.hours : 0},
               {"run", cell(run)},
               {"usd", cell(one.usd)},
               {"gpu_hours", static_cast<double>(one.gpus) * one.hours * one.runs},
               {"pool", cell(pool)},
               {"price_line", cell(line_of(lines, one.price_key))}};
  if (pool > 0) row.cells["where"] = cell(plan.pools[static_cast<std::size_t>(pool - 1)].title);
  return row;
}

/// Numbers from 0 may be typed where a line has one in the column.
void limit_inputs(Page& page, const Table& table, const TablePlace& place, const std::string& key,
                  const std::string& words) {
  constexpr double kMostTyped = 1e9;
  const std::size_t column = column_of(table.columns, key);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!table.rows[i].cells.contains(key)) continue;
    const std::size_t row = place.first_row + i;
    limit_numbers(page, row, row, column, 0, kMostTyped, words);
  }
}

/// Side by side, two columns each.
void draw_totals(const SheetPlan& plan, Page& page) {
  const auto sum = [](const std::string& range) {
    return "IF(COUNT(" + range + ")<ROWS(" + range + "),\"\",SUM(" + range + "))";
  };
  const bool upper = plan.totals.ranked_by == kRankedByUpperEnd;
  const CellValue rented = cell(plan.all_rented.usd);
  const CellValue saved =
      plan.all_rented.usd ? cell(*plan.all_rented.usd - plan.totals.usd) : rented;
  // The program rented the runs that it was built for; what is typed is another demand.
  const std::string as_built = "ABS(plan_total-" + shortest(to_usd(plan.totals.usd)) + ")<0.005";
  struct Total {
    const char* label;
    std::string formula;
    CellValue value;
    const char* name = "";  ///< of the cell, as formulas call it
  };
  const Total totals[] = {
      {upper ? "All months together, at most, $" : "All months together, $", sum("plan_all"),
       cell(plan.totals.usd), "plan_total"},
      {"Fixed cost, $", sum("plan_fixed"), cell(plan.totals.fixed_usd)},
      {"For the runs, $", sum("plan_runs"), cell(plan.totals.runs_usd)},
      {"Purchases, $", "SUMPRODUCT(plan_units,plan_capex)", cell(plan.totals.capex_usd)},
      {upper ? "All rented, at most, as the program found, $"
             : "All rented, as the program found, $",
       plan.all_rented.usd
           ? "IF(" + as_built + "," + shortest(to_usd(*plan.all_rented.usd)) + ",\"\")"
           : "",
       rented, "plan_rented"},
      {"Saved against all rented, as built, $",
       unless_empty("plan_rented", "plan_rented-plan_total"), saved}};
  std::size_t column = 0;
  for (const auto& [label, formula, value, name] : totals) {
    page.across(kTotalLabels, column, 2, label, Style::kHeadRight);
    page.across(kTotals, column, 2, value, Style::kUsd);
    if (!formula.empty()) page.formula(kTotals, column, formula, value, Style::kUsd);
    if (*name != '\0') page.book().define_name(name, column_cells(kPlan, column, kTotals, 1));
    column += 2;
  }
  constexpr double kTwoLines = 28;
  page.row_height(kTotalLabels, kTwoLines);
}

void set_up_page(const SheetMeta& meta, bool letter, const Table& runs, const TablePlace& place,
                 Page& page) {
  const auto last = static_cast<lxw_row_t>(place.last_row());
  const auto head = static_cast<lxw_row_t>(place.heading);
  const std::size_t printed = column_of(runs.columns, kFirstUnprinted);
  const auto last_column = static_cast<lxw_col_t>(printed - 1);
  page.print_setup(meta, letter);
  worksheet_freeze_panes(page.handle(), kTotals + 1, 0);
  require(worksheet_print_area(page.handle(), 0, 0, last, last_column), "print area");
  require(worksheet_repeat_rows(page.handle(), head, head + 2), "repeated rows");
  require(worksheet_autofilter(page.handle(), head + 2, 0, last, last_column), "filter");
}

}  // namespace

bool has_plan(const Sheet& sheet) { return sheet.plan && !sheet.plan->pools.empty(); }

Table plan_pools_table(const Sheet& sheet, const std::vector<Input>& inputs) {
  const bool sold = !sheet.machines.empty();
  Table table{kPlan, joined({pool_columns(inputs, sold), folded(pool_workings(inputs, sold))}), {}};
  name_ranges(table.columns, "plan_", {"units", "fixed", "runs", "all", "capex", "use"});
  const auto lines = line_numbers(price_lines(sheet));
  std::int64_t number = 0;
  for (const PlanPoolLine& pool : sheet.plan->pools) {
    const std::int64_t price = line_of(lines, pool.price_key);
    TableRow row;
    row.cells = {{"no", cell(++number)},
                 {"title", cell(pool.title)},
                 {"kind", cell(pool.kind)},
                 {"fixed", cell(pool.fixed_usd)},
                 {"runs", cell(pool.runs_usd)},
                 {"all", cell(pool.usd)},
                 {"used", pool.used_gpu_hours},
                 {"price_line", cell(price)},
                 {"machine_line", cell(machine_line(sheet, pool.machine))},
                 {"use", usd_of_use(sheet, inputs, pool)}};
    if (pool.units > 0) {
      add_units(sheet, pool, price > 0, row);
    } else {
      row.styles = {{"units", Style::kText}, {"known_usd", Style::kText}};
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table plan_runs_table(const Sheet& sheet) {
  Table table{kPlan, run_columns(), {}};
  const auto lines = line_numbers(price_lines(sheet));
  for (const PlanAssignmentLine& one : sheet.plan->assignments) {
    table.rows.push_back(run_row(sheet, lines, one));
  }
  return table;
}

void draw_plan(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
               bool letter) {
  const SheetPlan& plan = *sheet.plan;
  const SheetMeta& meta = sheet.meta;
  const std::string months = counted(plan.demand.months, "month", "months");
  Page page(book, kPlan,
            "Plan for " + months +
                (plan.demand.example ? ", for an example demand that is nobody's own" : ""),
            edition_words(meta) +
                "Prices, rates, units, hours and runs move the totals. The choice of machines "
                "and the place of each run do not change. Hours of a run do not follow the "
                "tokens on Answer: type them here. A run without its machine has no price. All "
                "rented and the saving are shown for the plan as built." +
                (plan.totals.ranked_by == kRankedByUpperEnd
                     ? " Hours of runs are the upper ends of their ranges, by which the picks are "
                       "ranked."
                     : ""));
  draw_totals(plan, page);
  page.text(kPoolsTitle, 0, "What to own, to reserve, to rent", Style::kSection);
  const Table pools = plan_pools_table(sheet, inputs);
  const TablePlace above = page.table(kPoolsTitle + 1, pools);
  const std::size_t title = above.last_row() + 2;
  page.text(title, 0, "Where each job runs", Style::kSection);
  const Table runs = plan_runs_table(sheet);
  const TablePlace place = page.table(title + 1, runs);
  limit_inputs(page, pools, above, "units", "Machines or reserved instances.");
  limit_inputs(page, pools, above, "known_usd", "US dollars per month for one unit.");
  limit_inputs(page, runs, place, "hours", "Hours of one run.");
  limit_inputs(page, runs, place, "runs", "Runs in this month.");
  page.widths(pools.columns);
  set_up_page(meta, letter, runs, place, page);
}

}  // namespace sizesheet::xlsx
