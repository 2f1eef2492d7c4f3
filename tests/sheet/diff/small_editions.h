// SPDX-License-Identifier: Apache-2.0
// Small editions sized by the engine from edited inputs, for tests of causes.
#pragma once

#include <functional>

#include "sheet/diff/edition.h"

namespace sizesheet {

/// The project's catalog for two models (8B and 70B), two methods, H100 and A100, one scenario.
Json small_inputs();

using InputsEdit = std::function<void(Json& inputs)>;

/// The small inputs, edited.
Json edited_inputs(const InputsEdit& edit);

/// The edition that these inputs make, as this program stores it.
Edition edition_from(const Json& inputs, const std::string& file = "sheet.json");

/// The entry of `list` with this id; throws std::out_of_range.
Json& entry_of(Json& list, const std::string& id);

/// Multiplies every price of a GPU in a tier.
void scale_prices(Json& inputs, const std::string& gpu, const std::string& tier, double factor);

/// The change of a row or a pick; throws std::out_of_range.
const Change& change_at(const SheetChanges& changes, const std::string& key);

/// Fails unless the groups' dollars add up to what the picks moved by.
void expect_causes_add_up(const SheetChanges& changes);

}  // namespace sizesheet
