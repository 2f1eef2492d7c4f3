// SPDX-License-Identifier: Apache-2.0
// Catalog entries and keys of the specification that differ between two editions, and which rows
// rest on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheet/diff/compare.h"
#include "sheet/diff/inputs.h"
#include "support/json.h"

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

// ---- Where two JSON values differ, leaf by leaf.

/// A side without a value lacks the key or the element.
struct ChangedLeaf {
  std::string pointer;  ///< RFC 6901, into NEW; into OLD for what is gone
  std::optional<Json> old_value;
  std::optional<Json> new_value;
};

/// Objects are matched by key, lists of objects by their "id" or "key", other lists of one length
/// by place; lists of two lengths are one leaf.
std::vector<ChangedLeaf> changed_leaves(const Json& old_value, const Json& new_value);

/// The text under `key` in the innermost object around the leaf that has one; "" where none has.
std::string text_near(const Json& entry, const std::string& pointer, const std::string& key);

// ---- Offers of providers whose current price row differs between two editions.

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
