// SPDX-License-Identifier: Apache-2.0
// The made-up facts of the sample sheets, as the files of tests/render/samples have them, and what
// a row has beside its memory and time: rent and owning at made-up rates, levers, stages of ZeRO
// and adapters by made-up rules.
#pragma once

#include <string>

#include "sheet/decision.h"
#include "sheet/field_reader.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sizing/memory/bill.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet::sample {

/// A file of tests/render/samples. A list of like objects may stand there as what they share and
/// what each has of its own: {"each": {…}, "of": [{…}, …]}.
Json facts(const std::string& name);

/// Throws std::out_of_range naming a member that `asked` has and `whole` lacks.
void check_members(const Json& asked, const Json& whole);

/// Gives members the values that `json` has for them; null where one is not known.
template <typename T>
void set_members(T& value, const Json& json) {
  FieldReader reader(JsonSource(json), "samples", "", Missing::kSkip);
  fields(reader, value);
  check_members(json, written(value));
}

/// A value with these members; the others stay as they are by default.
template <typename T>
T value_from(const Json& json) {
  T value;
  set_members(value, json);
  return value;
}

/// All that the sample sheet has beside its rows and what follows from those: nine sizes, three
/// methods, nine GPU types, two scenarios, prices, and what pages show beside the table.
Sheet parts();

/// Kilowatts of a machine of these GPUs; 0 where none is sold.
double node_kw(const std::string& gpu);

/// What a row of the sample is about.
struct SampleCell {
  const SheetModel& model;
  const SheetMethod& method;
  const SheetGpu& gpu;
  const Scenario& scenario;
};

/// Adds list, spot, reserved, spread and their cost lines to a row that fits.
void add_rent(Row& row, const Sheet& sheet);

/// Adds the owned machine and its cost lines to a row that fits on a card sold as a node.
void add_own(Row& row, const SampleCell& cell, const Sheet& sheet);

/// A made-up size for what a run leaves behind.
RunFiles files_of(const Row& row);

/// Every current price of a row's card, cheapest first.
RowOffers offers_of(const Sheet& sheet, const Row& row);

/// What the row's machine is to the owner who runs the job on it, against a rented row.
OwnPick owned_of(const Row& row, const Row* rented);

/// The cheapest run and the cheapest machine among the rows of a model and method.
Pick pick_of(const Sheet& sheet, const SheetModel& model, const SheetMethod& method);

/// Assumptions from the sheet's rates; a tornado and a comparison from its picks.
std::optional<SheetOwnership> ownership_of(const Sheet& sheet);

/// Levers of a row that fits: two that could be pulled, both together, and one in use.
SheetWhatIf what_if_of(const Row& row);

/// The row's bill under each stage: what a stage shares is divided by the row's GPUs.
SheetZeroStages zero_stages_of(const Row& row);

/// Ranks 8, 16 and 32 on the row's layout.
SheetAdapterRanks adapter_ranks_of(const Row& row, const SheetModel& model);

}  // namespace sizesheet::sample
