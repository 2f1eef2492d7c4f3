// SPDX-License-Identifier: Apache-2.0
// Catalog entries and keys of the specification that differ between two editions, and which rows
// rest on them.
#pragma once

#include "sheet/diff/inputs.h"
#include "sheet/diff/renames.h"

namespace sizesheet {

/// Which rows an input bears on.
enum class Bears {
  kNone,
  kAll,
  kOwned,
  kModel,
  kMethod,
  kGpu,
  kScenario,
  kStack,
  kMachine,
  kProvider,
  kOffer
};

struct TracedInput {
  MovedInput moved;
  Bears bears = Bears::kAll;
  std::string id;   ///< of the model, method … that it bears on; of a price its key without a day
  std::string gpu;  ///< of a price
  std::string tier;  ///< of a price
};

/// Everything that differs, by group in the order of `input_groups()`, then by what, then by id.
/// OLD's inputs under NEW's names. An entry of both editions gives one for each leaf that differs;
/// `field` is its JSON pointer. Of an entry that came or went `field` is "" and the value its title
/// (a price's its amount). Where a leaf moved, the source and date beside it are not told again.
std::vector<TracedInput> moved_inputs(const EditionInputs& old_inputs,
                                      const EditionInputs& new_inputs, const Renames& renames,
                                      const EditionLabel& old_label, const EditionLabel& new_label);

/// Fills `moved` and the `because` of every change, from its `cause`.
void name_moved_inputs(const EditionInputs& old_inputs, const EditionInputs& new_inputs,
                       const Renames& renames, SheetChanges& changes);

}  // namespace sizesheet
