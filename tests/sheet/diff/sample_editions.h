// SPDX-License-Identifier: Apache-2.0
// Editions for tests of the comparison: made by hand, and sized by the engine from edited inputs.
#pragma once

#include <functional>

#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "support/json.h"

namespace sizesheet {

/// A row that fits on `gpus` GPUs at `price` µ$ an instance-hour of one GPU, for ten hours.
EditionRow sample_row(const std::string& model, const std::string& gpu, std::int64_t gpus,
                      std::int64_t price);

/// Of method "lora" in scenario "s".
Pick sample_pick(const std::string& model, const std::optional<std::string>& rent_key = {},
                 const std::optional<std::string>& buy_key = {});

/// By hand, no figure from the engine: model "m" and "n", method "lora", GPUs "a" and "b", scenario
/// "s": four rows, two picks.
Edition sample_edition();

/// The row at `key`; throws std::out_of_range.
EditionRow& row_of(Edition& edition, const std::string& key);

/// Sets a measure that a comparison looks at.
void set_figure(EditionRow& row, const std::string& id, const FigureValue& value);

/// Sets the run's dollars after a change of price, instances or hours.
void reprice(EditionRow& row);

/// The project's catalog for two models (8B and 70B), two methods, H100 and A100, one scenario.
Json small_inputs();

using InputsEdit = std::function<void(Json& inputs)>;

/// The small inputs, edited.
Json edited_inputs(const InputsEdit& edit);

/// The edition that these inputs make, as this program stores it; sized once a process.
const Edition& edition_from(const Json& inputs, const std::string& file = "sheet.json");

/// The entry of `list` with this id; throws std::out_of_range.
Json& entry_of(Json& list, const std::string& id);

/// Multiplies every price of a GPU in a tier.
void scale_prices(Json& inputs, const std::string& gpu, const std::string& tier, double factor);

/// The change of a row or a pick; throws std::out_of_range.
const Change& change_at(const SheetChanges& changes, const std::string& key);

/// Fails unless the groups' dollars add up to what the picks moved by.
void expect_causes_add_up(const SheetChanges& changes);

}  // namespace sizesheet
