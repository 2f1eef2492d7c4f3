// SPDX-License-Identifier: Apache-2.0
// Hand-made editions for tests of the comparison; no figure comes from the engine.
#pragma once

#include "sheet/diff/edition.h"

namespace sizesheet {

/// A row that fits on `gpus` GPUs at `price` µ$ an instance-hour of one GPU, for ten hours.
EditionRow sample_row(const std::string& model, const std::string& gpu, std::int64_t gpus,
                      std::int64_t price);

/// Of method "lora" in scenario "s".
Pick sample_pick(const std::string& model, const std::optional<std::string>& rent_key = {},
                 const std::optional<std::string>& buy_key = {});

/// Model "m" and "n", method "lora", GPUs "a" and "b", scenario "s": four rows, two picks.
Edition sample_edition();

/// The row at `key`; throws std::out_of_range.
EditionRow& row_of(Edition& edition, const std::string& key);

/// Sets a measure that a comparison looks at.
void set_figure(EditionRow& row, const std::string& id, const FigureValue& value);

/// Sets the run's dollars after a change of price, instances or hours.
void reprice(EditionRow& row);

}  // namespace sizesheet
