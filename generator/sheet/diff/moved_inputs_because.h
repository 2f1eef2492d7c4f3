// SPDX-License-Identifier: Apache-2.0
// Why an input moved: what stands behind it, and behind a price.
#pragma once

#include <vector>

namespace sizesheet {

struct EditionInputs;
struct Renames;
struct SheetChanges;
struct TracedInput;

/// Fills `moved` and the `because` of every change, from its `cause`.
void name_moved_inputs(const EditionInputs& old_inputs, const EditionInputs& new_inputs,
                       const Renames& renames, SheetChanges& changes);

/// An offer is a price's key without its day; its newest row that the edition's policy admits is
/// the current one, and only current rows are told. Of an offer whose current row
///  - asks another price, the field is "/usd_per_instance_hour";
///  - asks the same on another day, "/as_of";
///  - came to count or ceased to, as by its age or by the policy, "/counts": on one side the price,
///    on the other the reason in words;
///  - stands in one edition's catalog only, "", added or removed.
/// GPUs that only one edition sizes are passed over: the GPU is what moved.
std::vector<TracedInput> moved_prices(const EditionInputs& old_inputs,
                                      const EditionInputs& new_inputs);

}  // namespace sizesheet
