// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/answer_sheet.h"

#include <cmath>
#include <regex>

#include "render/phrases.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/ownership_table.h"
#include "render/xlsx/rent_table.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet::xlsx {
namespace {

constexpr const char* kSheet = "Answer";

constexpr std::size_t kLabels = 2;  ///< rows, counted from 0
constexpr std::size_t kValues = 3;
constexpr std::size_t kHeading = 5;
constexpr std::size_t kRowsOfPage = 36;
constexpr std::size_t kGap = 3;  ///< from the last row to the chart
constexpr const char* kFirstWorking = "pick";

/// `formula` over the pick's line of Rent vs buy, where it has dollars per run.
std::string priced(const std::string& formula) { return unless_empty("{mid}", formula); }

/// The upper end of dollars, from the expected ones and the ranges of hours and price.
std::string upper_end(const std::string& mid, const std::string& range, const std::string& line) {
  return "ROUND(" + mid + "*EXP(SQRT(" + range + "*" + range + "+INDEX(price_width,{" + line +
         "})*INDEX(price_width,{" + line + "}))),6)";
}

std::string end_of_range(const std::string& speed) {
  return unless_empty("{" + speed + "}", priced("ROUND(INDEX(rent_list_hour,{rent_line})*" +
                                                hours_at("{" + speed + "}", "{nodes}") + ",6)"));
}

std::vector<Column> rent_columns(const PickRules& rules) {
  const char* rent = "Rent on demand";
  const char* next = "Other GPU type";
  const std::string next_run = "ROUND(" + usd_per_hour("next_line") + "*" +
                               hours_at("{next_speed}", "ROUNDUP({gpus}/{node},0)") + ",6)";
  const std::string next_high = upper_end(next_run, "{range}", "next_line");
  const std::string weight = shortest(rules.weight());
  const auto score = [&](const std::string& expected, const std::string& high) {
    return "(" + expected + "+" + weight + "*(" + high + "-" + expected + "))";
  };
  return {
      {"model", "", "Model", "", 20},
      {"method", "", "Method", "", 7.5},
      {"set_up", rent, "GPUs", "", 10.5},
      {"hours", rent, "Hours", "", 5.5, Style::kTenths, at_line("rent_hours", "rent_line")},
      {"low", rent, "$ low", "", 6.5, Style::kUsdRun, end_of_range("fast")},
      {"mid", rent, "$ per run", "", 6.5, Style::kUsdRun, at_line("rent_run", "rent_line")},
      {"high", rent, "$ high", "", 6.5, Style::kUsdRun,
       priced(with_line("{price_line}", upper_end("{mid}", "{hours_range}", "price_line")))},
      {"seller", rent, "Seller", "", 12, Style::kText, at_line("price_provider", "price_line")},
      {"price_day", rent, "Price date", "", 9.5, Style::kDate, at_line("price_day", "price_line")},
      {"next", next, "GPUs", "", 11},
      {"away", next, "Score, % more", "", 6.5, Style::kAway,
       with_line("{next_line}",
                 unless_empty("{high}",
                              unless_empty("{next_speed}", score(next_run, next_high) + "/" +
                                                               score("{mid}", "{high}") + "-1")))},
  };
}

/// The reader types the runs of a quarter; nothing is assumed.
std::vector<Column> quarter_columns() {
  const char* quarter = "Your quarter, if you rent";
  const auto runs_times = [](const std::string& usd) {
    return "IF(N({quarter_runs})=0,\"\",IF({mid}=\"\",\"no price\",ROUND({quarter_runs}*{" + usd +
           "},6)))";
  };
  return {
      {"quarter_runs", quarter, "Runs per quarter", "", 7, Style::kInputCount},
      {"quarter_low", quarter, "$ low", "", 7.5, Style::kUsd, runs_times("low")},
      {"quarter_mid", quarter, "$ expected", "", 8, Style::kUsd, runs_times("mid")},
      {"quarter_high", quarter, "$ high", "", 7.5, Style::kUsd, runs_times("high")},
  };
}

/// What is the same at any use, and what an hour of use adds; as on Ownership.
std::vector<Column> own_workings(const std::vector<Input>& inputs) {
  const char* group = "Working: own";
  const auto known = [](const std::string& formula) {
    return unless_empty("{capex}", "ROUND(" + formula + ",6)");
  };
  return {
      {"own_gpus", group, "GPUs in use", "", 8, Style::kCount},
      {"machines", group, "Machines", "", 9, Style::kCount},
      {"own_nodes", group, "Nodes", "", 7, Style::kCount},
      {"machine_line", group, "Line of machines", "", 9, Style::kLine},
      {"own_speed", group, "Tokens per second", "", 10, Style::kTenths},
      {"own_hours", group, "Hours per run", "", 9, Style::kTenths,
       unless_empty("{own_speed}", hours_at("{own_speed}", "{own_nodes}"))},
      {"no_use", group, "$ per month, no use", "", 11, Style::kUsd,
       known(month_at_rest(inputs, "{own_gpus}", StaffOf::kSite))},
      {"use", group, "$ per hour of use", "", 10, Style::kUsdTenths,
       unless_empty("{capex}", energy_of_use())},
      {"own_run", group, "$ per run", "", 10, Style::kUsdRun,
       unless_empty("{month}", "ROUND({month}*{own_hours}/planned_hours_per_month,6)")},
  };
}

/// What the machine is compared with: the set-up that is cheapest on average.
std::vector<Column> against_workings(const PickRules& rules) {
  const char* group = "Working: cheapest rent";
  // The formulas of a search for a price, over the columns of this group.
  const auto of_group = [](const std::string& formula) {
    static const std::regex kKey("\\{(gpus|gpu|node|range)\\}");
    return std::regex_replace(formula, kKey, "{against_$1}");
  };
  return {
      {"against", group, "GPUs", "", 11},
      {"against_seller", group, "Seller", "", 10.5},
      {"against_gpus", group, "GPUs in use", "", 8, Style::kCount},
      {"against_gpu", group, "Type", "", 10},
      {"against_node", group, "GPUs a rented node", "", 9, Style::kCount},
      {"against_nodes", group, "Nodes", "", 7, Style::kCount},
      {"against_speed", group, "Tokens per second", "", 10, Style::kTenths},
      {"against_range", group, "Range of the hours, upwards, ln", "", 10, Style::kNumber},
      {"against_line", group, "Line of Prices", "", 9, Style::kLine,
       "IF({against_gpus}=\"\",0," + of_group(least_score_line(rules)) + ")", true},
      {"against_low", group, "$ low, as built", "", 10, Style::kUsdRun},
      {"against_run", group, "$ per run", "", 10, Style::kUsdRun,
       with_line("{against_line}",
                 unless_empty("{against_speed}",
                              "ROUND(" + of_group(usd_per_hour("against_line")) + "*" +
                                  hours_at("{against_speed}", "{against_nodes}") + ",6)"))},
      {"against_high", group, "$ high, as built", "", 10, Style::kUsdRun},
  };
}

/// `advice` and `close` of sheet.json, for programs that read them.
std::vector<Column> advice_workings() {
  const char* group = "Working: advice";
  return {
      {"advice", group, "At so many hours", "", 6.5, Style::kText,
       unless_empty(
           "{own_run}", "{against_run}",
           "IF(ROUND(ABS({own_run}-{against_run})*10,6)<=MAX({own_run},{against_run}),\"close\","
           "IF({own_run}<{against_run},\"buy\",\"rent\"))")},
      {"advice_at_hours", group, "Hours per month", "", 9, Style::kTenths,
       unless_empty("{own_run}", "planned_hours_per_month")},
  };
}

std::vector<Column> own_columns(const Sheet& sheet, const std::vector<Input>& inputs) {
  const char* own = "Own at the planned hours";
  const char* pays = "Cheaper to own from";
  const std::string saved = "({against_run}-{use}*{own_hours})";
  const std::string runs = "{no_use}/" + saved;
  const auto even = [&](const std::string& figure) {
    return unless_empty("{own_run}", "{against_run}",
                        "IF(" + saved + "<=0,\"never\",IF(" + runs +
                            "*{own_hours}>hours_per_month,\"never\"," + figure + "))");
  };
  std::vector<Column> all = {
      {"machine", own, "GPUs", "", 12.5},
      {"capex", own, "Purchase, $", "", 9, Style::kUsd,
       with_line("{machine_line}",
                 "ROUND(" + purchase(inputs, "{own_gpus}", "INDEX(machine_gpus,{machine_line})") +
                     ",6)")},
      {"month", own, "$/month", "", 8, Style::kUsd,
       unless_empty("{capex}", "ROUND({no_use}+{use}*planned_hours_per_month,6)")},
      {"even", pays, "runs per month", "", 7.5, Style::kTenths, even(runs)},
      {"even_hours", pays, "h per month", "", 7, Style::kCount, even(runs + "*{own_hours}")},
  };
  // No formula: the plan is the program's.
  if (has_decision(sheet)) all.push_back({"decision", "", "By the plan", "", 6.5});
  return all;
}

std::vector<Column> rent_workings() {
  const char* group = "Working: rent and other GPU type";
  return {
      {"pick", group, "Pick", "", 24},
      {"below", group, "$ low to a run", "", 10, Style::kUsdRun, priced("{mid}-{low}")},
      {"above", group, "$ per run to high", "", 10, Style::kUsdRun, priced("{high}-{mid}")},
      {"rent_line", group, "Line of Rent vs buy", "", 9, Style::kLine},
      {"price_line", group, "Line of Prices", "", 9, Style::kLine,
       "IF({rent_line}=0,0,INDEX(rent_line,{rent_line}))"},
      {"adapters", group, "Trains adapters (1)", "", 9, Style::kCount},
      {"scenario_line", group, "Line of scenarios", "", 9, Style::kLine},
      {"nodes", group, "Nodes", "", 7, Style::kCount},
      {"fast", group, "Tokens per second, high", "", 10, Style::kTenths},
      {"hours_range", group, "Range of the hours, upwards, ln", "", 10, Style::kNumber},
  };
}

/// The runner-up's columns carry the keys that the search for a price asks for.
std::vector<Column> next_workings(const PickRules& rules) {
  const char* group = "Working: rent and other GPU type";
  return {
      {"gpus", group, "GPUs", "other type", 8, Style::kCount},
      {"gpu", group, "Type", "other type", 10},
      {"node", group, "GPUs a rented node", "", 9, Style::kCount},
      {"next_speed", group, "Tokens per second", "other type", 10, Style::kTenths},
      {"range", group, "Range of the hours, upwards, ln", "other type", 10, Style::kNumber},
      {"next_line", group, "Line of Prices", "other type", 9, Style::kLine, least_score_line(rules),
       true},
  };
}

/// Only where a pick is far below the next offer. No formula: it tells of the sheet as built.
std::vector<Column> check_columns(const Sheet& sheet) {
  const auto far_below = [](const Pick& pick) { return pick.far_below_next.has_value(); };
  if (std::ranges::none_of(sheet.picks, far_below)) return {};
  return {{"check", "As built", "Price", "", 30}};
}

std::vector<Column> columns(const Sheet& sheet, const std::vector<Input>& inputs) {
  const std::vector<Column> check = check_columns(sheet);
  const PickRules& rules = sheet.options.pick_rules;
  if (sheet.machines.empty()) {
    return joined({rent_columns(rules), check, quarter_columns(),
                   folded(joined({rent_workings(), next_workings(rules)}))});
  }
  return joined({rent_columns(rules), check, own_columns(sheet, inputs), quarter_columns(),
                 folded(rent_workings()), folded(next_workings(rules)),
                 folded(own_workings(inputs)), folded(against_workings(rules)),
                 folded(advice_workings())});
}

/// Where rows and prices stand on the other sheets.
struct Places {
  std::vector<const Row*> rows;
  std::map<std::string, std::int64_t> prices;
};

/// Machines that hold so many GPUs.
std::int64_t nodes(const Sheet& sheet, const std::string& gpu, std::int64_t gpus) {
  const std::int64_t of_node = sheet.gpu(gpu).gpus_per_node;
  return (gpus + of_node - 1) / of_node;
}

/// Tokens per second of all GPUs, from the hours of a run in the main scenario.
CellValue speed(const Sheet& sheet, const SheetMethod& method, double hours, std::int64_t nodes) {
  const std::string& scenario = sheet.scenarios.front().id;
  const double training =
      hours - workload(sheet, scenario, "startup_hours") -
      workload(sheet, scenario, "startup_hours_per_node") * static_cast<double>(nodes - 1);
  if (!(training > 0)) return {};
  return static_cast<double>(method.tokens) * (1 + workload(sheet, scenario, "checkpoint_share")) /
         (training * 3600);
}

void add_rent(const Sheet& sheet, const Places& places, const SheetMethod& method, const Row& rent,
              TableRow& row) {
  const RunCandidate& run = *rent.set_up();
  row.cells.insert({{"set_up", cell(set_up(sheet, rent))},
                    {"hours", run.hours.mid},
                    {"low", cell(run.usd.low)},
                    {"mid", cell(run.usd.mid)},
                    {"high", cell(run.usd.high)},
                    {"below", cell(run.usd.mid - run.usd.low)},
                    {"above", cell(run.usd.high - run.usd.mid)},
                    {"seller", cell(run.provider)},
                    {"price_day", cell(excel_day(run.price_as_of))},
                    {"price_line", cell(line_of(places.prices, rent.rents[kOnDemand]))},
                    {"nodes", cell(run.nodes)},
                    {"fast", speed(sheet, method, run.hours.low, run.nodes)},
                    {"hours_range", hours_range(run.hours)}});
  row.cells["rent_line"] =
      cell(line_where(places.rows, [&](const Row* one) { return one == &rent; }));
}

void add_next(const Sheet& sheet, const Places& places, const SheetMethod& method, const Pick& pick,
              TableRow& row) {
  const RunCandidate& run = *runner_up_of(sheet, pick);
  row.cells.insert({{"next", cell(set_up(sheet, run.gpu, run.gpus))},
                    {"away", pick.runner_up->score_share},
                    {"gpus", cell(run.gpus)},
                    {"gpu", cell(gpu_label(sheet, run.gpu))},
                    {"node", cell(sheet.gpu(run.gpu).gpus_per_node)},
                    {"next_speed", speed(sheet, method, run.hours.mid, run.nodes)},
                    {"range", hours_range(run.hours)}});
  row.cells["next_line"] = cell(line_of(places.prices, run.price_key));
}

/// What the machine is compared with, among the candidates of the job; nullptr where a table of
/// rows no longer has it.
const RunCandidate* candidate_of(const Sheet& sheet, const Pick& pick, const RentSetUp& rented) {
  const auto in = [&](const std::optional<std::string>& key,
                      std::optional<std::int64_t> place) -> const RunCandidate* {
    const Row* row = key && place ? sheet.find(*key) : nullptr;
    return row == nullptr ? nullptr : &row->candidates.at(static_cast<std::size_t>(*place));
  };
  const RunCandidate* picked = in(pick.rent_key, pick.candidate);
  const RunCandidate* least =
      pick.cheapest_mid ? in(pick.cheapest_mid->row, pick.cheapest_mid->candidate) : nullptr;
  for (const RunCandidate* one : {least, picked}) {
    if (one != nullptr && one->price_key == rented.price_key && one->gpus == rented.gpus) {
      return one;
    }
  }
  return nullptr;
}

void add_against(const Sheet& sheet, const Places& places, const SheetMethod& method,
                 const Pick& pick, TableRow& row) {
  const OwnPick& own = *pick.own;
  row.cells["against_line"] = 0.0;
  if (!own.rent_set_up) return;
  const RentSetUp& rented = *own.rent_set_up;
  row.cells.insert({{"against", cell(set_up(sheet, rented.gpu, rented.gpus))},
                    {"against_seller", cell(rented.provider)},
                    {"against_low", cell(rented.usd.low)},
                    {"against_run", cell(rented.usd.mid)},
                    {"against_high", cell(rented.usd.high)}});
  const RunCandidate* run = candidate_of(sheet, pick, rented);
  const auto* price = entry_with(sheet.prices, &SheetPrice::key, rented.price_key);
  if (run == nullptr || price == nullptr) return;
  row.cells["against_line"] = cell(line_of(places.prices, rented.price_key));
  row.cells.insert({{"against_gpus", cell(run->gpus)},
                    {"against_gpu", cell(gpu_label(sheet, run->gpu))},
                    {"against_node", cell(sheet.gpu(run->gpu).gpus_per_node)},
                    {"against_range", hours_range(run->hours)}});
  row.cells["against_nodes"] = cell(run->nodes);
  row.cells["against_speed"] = speed(sheet, method, run->hours.mid, run->nodes);
}

void add_own(const Sheet& sheet, const SheetMethod& method, const OwnPick& own, TableRow& row) {
  const double use = to_usd(own.full_use_usd_per_month - own.fixed_usd_per_month);
  const std::int64_t own_nodes = nodes(sheet, own.gpu, own.gpus);
  row.cells.insert({{"machine", cell(set_up(sheet, own.gpu, own.gpus + own.unused_gpus) +
                                     (own.used ? ", used" : ""))},
                    {"capex", cell(own.capex_usd)},
                    {"month", cell(own.usd_per_month)},
                    {"own_gpus", cell(own.gpus)},
                    {"machines", cell(own.machines)},
                    {"own_nodes", cell(own_nodes)},
                    {"own_speed", speed(sheet, method, own.hours.mid, own_nodes)},
                    {"own_hours", own.hours.mid},
                    {"no_use", cell(own.fixed_usd_per_month)},
                    {"use", use / sheet.options.hours_per_month},
                    {"own_run", cell(own.usd_per_run)}});
  row.cells["machine_line"] = cell(machine_line(sheet, own.machine));
  if (!own.rent_usd_per_run) return;
  row.cells["even"] = own.break_even_runs_per_month ? cell(own.break_even_runs_per_month) : "never";
  row.cells["even_hours"] =
      own.break_even_hours_per_month ? cell(own.break_even_hours_per_month) : "never";
  if (own.decision) row.cells["decision"] = cell(own.word());
  row.cells["advice"] = cell(own.close ? "close" : own.advice.value_or(""));
  row.cells["advice_at_hours"] = own.advice_at_hours;
}

TableRow pick_row(const Sheet& sheet, const Places& places, const Pick& pick) {
  const SheetMethod& method = sheet.method(pick.method);
  TableRow row;
  row.cells = {{"model", cell(short_title(sheet.model(pick.model)))},
               {"method", cell(method.short_title)},
               {"pick", cell(sheet.model(pick.model).size + " " + method.short_title)},
               {"adapters", cell(std::int64_t{method.adapters})},
               {"scenario_line", 1.0}};
  for (const char* key : {"rent_line", "price_line", "next_line", "machine_line"})
    row.cells[key] = 0.0;
  const Row* rent = rent_pick_row(sheet, pick.model, pick.method);
  if (rent != nullptr && rent->set_up() != nullptr) add_rent(sheet, places, method, *rent, row);
  if (pick.far_below_next) row.cells["check"] = cell(far_below_words(pick));
  if (pick.runner_up) add_next(sheet, places, method, pick, row);
  if (!pick.own) return row;
  add_own(sheet, method, *pick.own, row);
  add_against(sheet, places, method, pick, row);
  return row;
}

/// Side by side, two columns each.
void draw_on_top(const std::vector<Input>& inputs, Page& page) {
  std::size_t column = 0;
  for (const Input& input : inputs) {
    if (input.label.empty()) continue;
    page.across(kLabels, column, 2, input.label, Style::kHeadRight);
    page.across(kValues, column, 2, input.figure.typical, input.style);
    input_cell(kSheet, kValues, column, input, page);
    column += 2;
  }
}

/// The runs may be typed; under the last line stands what all of them cost.
void draw_quarter(const Table& table, const TablePlace& place, Page& page) {
  constexpr double kMostRuns = 1e6;
  limit_numbers(page, place.first_row, place.last_row(), column_of(table.columns, "quarter_runs"),
                0, kMostRuns, "Runs of this job in the quarter. Empty: none.");
  const std::size_t total = place.last_row() + 1;
  const std::size_t first = column_of(table.columns, "quarter_runs");
  page.text(total, 0, "The quarter, rented", Style::kSection);
  for (const char* key : {"quarter_runs", "quarter_low", "quarter_mid", "quarter_high"}) {
    const std::size_t column = column_of(table.columns, key);
    const std::string cells = column_cells(kSheet, column, place.first_row, place.rows);
    page.formula(total, column, "IF(SUM(" + cells + ")=0,\"\",SUM(" + cells + "))", "",
                 column == first ? Style::kCount : Style::kUsd);
  }
}

void shape_chart(lxw_chart* chart, const WorkbookFile& book) {
  constexpr std::uint8_t kLogarithmic = 10;
  constexpr std::int32_t kSteep = -90;
  lxw_chart_font font = {};
  font.size = 10;
  font.rotation = kSteep;
  chart_axis_set_num_font(chart->x_axis, &font);
  chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
  chart_axis_set_log_base(chart->y_axis, kLogarithmic);
  chart_axis_set_num_format(chart->y_axis, "#,##0");
  chart_axis_set_name(chart->y_axis, book.worded("US dollars per run").c_str());
  lxw_chart_font heading = {};
  heading.size = 12;
  heading.bold = LXW_TRUE;
  chart_title_set_name_font(chart, &heading);
  const char* title = "Dollars per run of each pick, from the low to the high end";
  chart_title_set_name(chart, book.worded(title).c_str());
  std::int16_t unseen[] = {0, -1};  // the series under the bars
  require(chart_legend_delete_series(chart, unseen), "legend");
  chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
  chart_set_series_gap(chart, 60);
}

/// On a printed page of its own. Spreadsheets pass over page breaks where they fit a sheet to a
/// page, hence a scale: at it the columns before `quarter` fit the narrower of A4 and Letter, and
/// the text has 7 points. The quarter follows on a page of its own, up to the column `printed`.
void insert(lxw_chart* chart, std::size_t row, std::size_t quarter, std::size_t printed,
            Page& page) {
  constexpr lxw_row_t kRows = 36;
  constexpr std::uint16_t kPercent = 70;
  constexpr double kMargin = 0.2;
  constexpr double kFoot = 0.6;
  const auto first = static_cast<lxw_row_t>(row);
  lxw_chart_options options = {};
  options.x_scale = 2.2;  // of 480 × 288 pixels
  options.y_scale = 2.2;
  require(worksheet_insert_chart_opt(page.handle(), first, 0, chart, &options), "chart");
  lxw_row_t breaks[] = {first - 1, 0};
  require(worksheet_set_h_pagebreaks(page.handle(), breaks), "page breaks");
  lxw_col_t before_quarter[] = {static_cast<lxw_col_t>(quarter), 0};
  require(worksheet_set_v_pagebreaks(page.handle(), before_quarter), "page breaks");
  worksheet_set_print_scale(page.handle(), kPercent);
  worksheet_set_margins(page.handle(), kMargin, kMargin, kMargin, kFoot);
  require(
      worksheet_print_area(page.handle(), 0, 0, first + kRows, static_cast<lxw_col_t>(printed - 1)),
      "print area");
}

/// Bars from the low to the high end, in two shades that meet at the middle.
void draw_chart(const Table& table, const TablePlace& place, Page& page) {
  lxw_chart* chart = page.book().chart(LXW_CHART_COLUMN_STACKED);
  const auto cells = [&](const char* key) {
    return "=" + column_cells(kSheet, column_of(table.columns, key), place.first_row, place.rows);
  };
  const std::string names = cells(kFirstWorking);
  struct Part {
    const char* key;
    const char* name;
    lxw_color_t color;
  };
  constexpr Part kParts[] = {{"low", "up to the low end", 0},
                             {"below", "low to middle", 0x2F6DB5},
                             {"above", "middle to high", 0x9DBFE3}};
  for (const Part& part : kParts) {
    lxw_chart_series* series = chart_add_series(chart, names.c_str(), cells(part.key).c_str());
    chart_series_set_name(series, part.name);
    lxw_chart_fill fill = {};
    fill.color = part.color;
    fill.none = part.color == 0 ? LXW_TRUE : LXW_FALSE;
    chart_series_set_fill(series, &fill);
  }
  shape_chart(chart, page.book());
  insert(chart, place.last_row() + kGap, column_of(table.columns, "quarter_runs"),
         column_of(table.columns, kFirstWorking), page);
}

}  // namespace

Table answer_table(const Sheet& sheet, const std::vector<Input>& inputs) {
  Table table{kSheet, columns(sheet, inputs), {}};
  const Places places{priced_rows(sheet), line_numbers(price_lines(sheet))};
  for (const Pick& pick : sheet.picks) table.rows.push_back(pick_row(sheet, places, pick));
  return table;
}

void draw_answer(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                 bool letter) {
  const Table table = answer_table(sheet, inputs);
  const SheetMeta& meta = sheet.meta;
  Page page(book, kSheet, "The answer: what to rent, what it costs, and from when owning pays",
            edition_words(meta) +
                "Change what is blue on yellow, and the costs follow. The recommended GPUs, "
                "machine and other GPU type do not change. Type your runs per "
                "quarter, and the line under the table has the total.");
  draw_on_top(inputs, page);
  const bool decided = !sheet.machines.empty() && has_decision(sheet);
  const TablePlace place =
      page.only(table,
                {"", "", 2, kFirstWorking, "", decided ? "{decision}=\"buy\"" : "", Style::kBest,
                 "decision decision", kHeading, sheet.picks.size() > kRowsOfPage},
                meta, letter);
  page.row_height(kLabels, 28);
  if (place.rows == 0) return;
  draw_quarter(table, place, page);
  draw_chart(table, place, page);
}

}  // namespace sizesheet::xlsx
