// SPDX-License-Identifier: Apache-2.0
// Entries and values of the inputs in which two editions differ, leaf by leaf.
#pragma once

#include <vector>

namespace sizesheet {

struct EditionInputs;
struct EditionLabel;
struct Renames;
struct TracedInput;

/// Everything that differs, by group in the order of `input_groups()`, then by what, then by id.
/// OLD's inputs under NEW's names. An entry of both editions gives one for each leaf that differs;
/// `field` is its JSON pointer. Of an entry that came or went `field` is "" and the value its title
/// (a price's its amount). Where a leaf moved, the source and date beside it are not told again.
std::vector<TracedInput> moved_inputs(const EditionInputs& old_inputs,
                                      const EditionInputs& new_inputs, const Renames& renames,
                                      const EditionLabel& old_label, const EditionLabel& new_label);

}  // namespace sizesheet
