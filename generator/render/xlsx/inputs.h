// SPDX-License-Identifier: Apache-2.0
// The workbook's sheet of inputs, which its formulas name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"

namespace sizesheet {

struct Hours;
struct PickRules;
struct RentLine;
struct Row;
struct Sheet;
struct SheetEstimate;
struct SheetMeta;
struct SheetModel;
struct SheetPrice;

}  // namespace sizesheet

namespace sizesheet::xlsx {

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

/// Line of a machine in the table of machines, counted from 1; 0 where it is not on sale.
std::int64_t machine_line(const Sheet& sheet, const std::string& id);

/// A figure of a machine: its price under its id, its power under `id`/kw. Throws InputError.
const SheetEstimate& machine_figure(const Sheet& sheet, const std::string& id);

/// Title, edition and day, to begin the words under a title.
std::string edition_words(const SheetMeta& meta);

/// The price of the row's rent on demand; "" without one.
std::string rent_key(const Row& row);

/// Of each GPU type, count and rent that some row of the sheet has and that can be bought, a row:
/// its ownership figures are those of all. By GPU as the sheet lists them, then by count.
std::vector<const Row*> set_ups(const Sheet& sheet);

/// What a row is of: size, model, method, gpu and scenario.
TableRow described_row(const Sheet& sheet, const Row& row);

/// Rows that hold: those that can be priced at all, in the order of the sheet.
std::vector<const Row*> priced_rows(const Sheet& sheet);

/// Choices of the sheet, rates, and the figures that follow from them, in the order of printing.
/// Throws InputError when machines can be bought and a rate that their cost needs is missing.
std::vector<Input> inputs_of(const Sheet& sheet);

/// Of the input of that name; absent where the sheet does not count it.
std::optional<double> value_of(const std::vector<Input>& inputs, const std::string& name);

/// "" where `cell`, or one of two, is empty, else `formula`: unknown stays unknown.
std::string unless_empty(const std::string& cell, const std::string& formula);
std::string unless_empty(const std::string& cell, const std::string& other,
                         const std::string& formula);

/// "" where the line number in `line` is 0, else `formula`.
std::string with_line(const std::string& line, const std::string& formula);

/// What stands in a named column at line {`line`}, "" where that is 0.
std::string at_line(const std::string& range, const std::string& line);

/// Training tokens of a run: of {adapters} or of all weights.
inline constexpr const char* kTokensOfRun =
    "IF({adapters}=1,adapter_tokens_per_run,tokens_per_run)";

/// Hours of a run at so many tokens per second of all GPUs, with what the scenario in line
/// {scenario_line} adds.
std::string hours_at(const std::string& speed, const std::string& nodes);

/// The needs within a node for which the Prices sheet says, in price_of_N, which machine of an
/// offer has so many GPUs; of other needs an offer sells any number there.
inline constexpr std::int64_t kMachineSizes[] = {1, 2, 4, 8};

/// Line of the cheapest admitted price of a tier for {gpus} x {gpu}, 0 when there is none. Beyond
/// {node} GPUs only whole nodes count. Works on arrays.
std::string cheapest_price_line(const std::string& tier);

/// The same on demand by the score of a run whose hours have a {range}, the natural logarithm of
/// their upper end over the expected ones.
std::string least_score_line(const PickRules& rules);

/// The {range} of a run; 0 where its hours are not known.
double hours_range(const Row& row);
double hours_range(const Hours& hours);

/// Dollars per hour for {gpus} GPUs at the price in line {`line`}.
/// What the instance of a line of Prices is expected to cost on the day of the sheet.
std::string expected_price(const std::string& line);
std::string usd_per_hour(const std::string& line);

/// GPUs that are paid at the price in line {`line`}: whole instances, whole machines.
std::string gpus_paid(const std::string& line);

/// Line of the machine that houses {gpus} x {gpu} for the least money, 0 when there is none. Works
/// on arrays.
std::string cheapest_machine_line();

}  // namespace sizesheet::xlsx
