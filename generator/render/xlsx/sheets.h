// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook and their tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

// ---- What the workbook calls the things of a Sheet; formulas compare these names.

/// The card's short name; its id where two cards of the sheet share one.
std::string gpu_label(const Sheet& sheet, const std::string& id);

/// Of a model, so that a line is as wide as a page.
std::string short_title(const SheetModel& model);

/// The sheet's prices in the order of the Prices sheet: by GPU, tier, newest, provider, key. Among
/// equal costs the first line wins, as in the program.
std::vector<const SheetPrice*> price_lines(const Sheet& sheet);

/// Line of each price key on the Prices sheet, counted from 1.
std::map<std::string, std::int64_t> line_numbers(const std::vector<const SheetPrice*>& lines);

/// Line of a price or of that of a rent, counted from 1; 0 where there is none.
std::int64_t line_of(const std::map<std::string, std::int64_t>& lines, const std::string& key);
std::int64_t line_of(const std::map<std::string, std::int64_t>& lines,
                     const std::optional<RentLine>& rent);

/// Line of the entry for which `is_it` holds, counted from 1; 0 when there is none.
template <typename Entries, typename Condition>
std::int64_t line_where(const Entries& all, Condition is_it) {
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  return found == all.end() ? 0 : found - all.begin() + 1;
}

/// Line of a machine in the table of machines, counted from 1; 0 where it is not on sale.
std::int64_t machine_line(const Sheet& sheet, const std::string& id);

/// A figure of a machine: its price under its id, its power under `id`/kw. Throws InputError.
const SheetEstimate& machine_figure(const Sheet& sheet, const std::string& id);

/// Title, edition and day, to begin the words under a title.
std::string edition_words(const SheetMeta& meta);

/// Of each GPU type and count that some row of the sheet needs and that can be bought, a row: its
/// ownership figures hold for all. By GPU as the sheet lists them, then by count.
std::vector<const Row*> set_ups(const Sheet& sheet);

/// What a row is of: size, model, method, gpu and scenario.
TableRow described_row(const Sheet& sheet, const Row& row);

/// Rows that hold: those that can be priced at all, in the order of the sheet.
std::vector<const Row*> priced_rows(const Sheet& sheet);

// ---- The figures of the Assumptions sheet that every formula rests on: name, value, range, where
// it is from. What may be changed has its limits here.

struct Input {
  std::string name;      ///< of the cell, as formulas call it
  SheetEstimate figure;  ///< title, unit, value and where it is from
  Style style = Style::kInputNumber;
  double least = 0;  ///< what may be typed
  double most = 0;
  bool has_range = true;     ///< the figure's low and high are known
  std::string formula = {};  ///< of a figure that follows from others; then it is no input here
  std::string label = {};    ///< on the Answer sheet, where it is typed then; "" it is not
};

/// The cell of an input: its name, and only what it admits may be typed.
void input_cell(const std::string& sheet, std::size_t row, std::size_t column, const Input& input,
                Page& page);

/// Only numbers from `least` to `most` may be typed into the cells; says so when one is chosen.
void limit_numbers(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                   double least, double most, const std::string& words);

/// A figure of a scenario's workload; 0 where the request does not say.
double workload(const Sheet& sheet, const std::string& scenario, const char* key);

/// Choices of the sheet, rates, and the figures that follow from them, in the order of printing.
/// Throws InputError when machines can be bought and a rate that their cost needs is missing.
std::vector<Input> inputs_of(const Sheet& sheet);

/// Of the input of that name; absent where the sheet does not count it.
std::optional<double> value_of(const std::vector<Input>& inputs, const std::string& name);

// ---- The Answer sheet: a line a pick, the inputs that move it most, and a chart.

/// Hours, dollars, seller and advice are formulas; which set-up, next best and machine is not.
Table answer_table(const Sheet& sheet, const std::vector<Input>& inputs);

void draw_answer(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                 bool letter);

// ---- The Plan sheet: what all months together cost, by pool and by month, kind of run and pool.

/// A plan was found and has something to do.
bool has_plan(const Sheet& sheet);

/// A line a pool: units are inputs, what they cost and how far they are used are formulas.
Table plan_pools_table(const Sheet& sheet, const std::vector<Input>& inputs);

/// A line a month, kind of run and pool: hours and runs are inputs, dollars are formulas.
Table plan_runs_table(const Sheet& sheet);

/// Of a sheet that has a plan.
void draw_plan(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
               bool letter);

// ---- The sheets of the workbook and their tables.

/// A line a machine: GPUs, price and power, which are inputs. Stands on the Assumptions sheet.
Table machines_table(const Sheet& sheet);

/// A line a set-up, in the order of set_ups(sheet).
Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs);

/// Empty lines under the prices, for offers of one's own.
inline constexpr std::size_t kQuoteLines = 12;

Table prices_table(const Sheet& sheet);

/// The column that holds a tier's line of the Prices sheet; they stand side by side.
inline std::string line_column(const RentTier& tier) { return std::string(tier.name) + "_line"; }

/// The first of its columns that hold lines of the Prices sheet; a tier each, side by side.
inline constexpr const char* kFirstLine = "list_line";

/// A line a scenario: what it adds to the hours of training. Stands on the Assumptions sheet.
Table scenarios_table(const Sheet& sheet);

Table rent_table(const Sheet& sheet);

// ---- The Sizing sheet: counts, layout and memory of every row. Results of the program, not
// formulas: a price does not move them.

Table sizing_table(const Sheet& sheet);

// ---- The Terms sheet: what the columns mean, FOCUS terms, and what is not priced.

Table terms_table(const Sheet& sheet);

// ---- Formula texts that stand in more than one table. {key} is a cell of the same row; plain
// names are those of cells and columns of the workbook.

/// "" where `cell`, or one of two, is empty, else `formula`: unknown stays unknown.
std::string unless_empty(const std::string& cell, const std::string& formula);
std::string unless_empty(const std::string& cell, const std::string& other,
                         const std::string& formula);

/// "" where the line number in `line` is 0, else `formula`.
std::string with_line(const std::string& line, const std::string& formula);

/// What stands in a named column at line {`line`}, "" where that is 0.
std::string at_line(const std::string& range, const std::string& line);

/// Hours of a run at so many tokens a second of all GPUs: of {adapters} or of all weights, with
/// what the scenario in line {scenario_line} adds.
std::string hours_at(const std::string& speed);

/// What {machines} of {machine_line} cost, for `gpus` in use, `per_machine` in each.
std::string purchase(const std::vector<Input>& inputs, const std::string& gpus,
                     const std::string& per_machine);

/// A month's staff of {machines} and licences of `gpus`; 0 where the sheet does not count them.
std::string staff(const std::vector<Input>& inputs);
std::string licences(const std::vector<Input>& inputs, const std::string& gpus);

/// A month of {machines} of {machine_line} that cost {capex}, for `gpus` in use, when nothing runs;
/// and what an hour of use of all of them adds.
std::string month_at_rest(const std::vector<Input>& inputs, const std::string& gpus);
std::string energy_of_use();

/// Line of the cheapest admitted price of a tier for {gpus} x {gpu}, 0 when there is none. Beyond
/// {node} GPUs only whole nodes count. Works on arrays.
std::string cheapest_price_line(const std::string& tier);

/// Dollars an hour for {gpus} GPUs at the price in line {`line`}.
std::string usd_per_hour(const std::string& line);

/// GPUs that are paid at the price in line {`line`}: whole instances.
std::string gpus_paid(const std::string& line);

/// Line of the machine that houses {gpus} x {gpu} for the least money, 0 when there is none. Works
/// on arrays.
std::string cheapest_machine_line();

}  // namespace sizesheet::xlsx
