// SPDX-License-Identifier: Apache-2.0
// Rates of fine-tuning services in which two editions differ.
#pragma once

#include <vector>

namespace sizesheet {

struct EditionInputs;
struct TracedInput;

/// An offer is a rate's key without its day; its newest row in force on the edition's day is the
/// current one. Of an offer whose current row
///  - asks another rate, the field is "/usd_per_million_tokens";
///  - asks another minimum, "/minimum_usd";
///  - asks the same on another day, "/as_of";
///  - came into force or ceased to, "/counts": the rate on one side, the reason in words on the
///    other;
///  - is in one edition's catalog only, "", added or removed.
/// What differs by the day of the sheet alone is of the group of ages.
std::vector<TracedInput> moved_services(const EditionInputs& old_inputs,
                                        const EditionInputs& new_inputs);

}  // namespace sizesheet
