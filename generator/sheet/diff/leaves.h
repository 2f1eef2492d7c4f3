// SPDX-License-Identifier: Apache-2.0
// The places in which two JSON values differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// A place in which two JSON values differ; a side without a value lacks the key or the element.
struct ChangedLeaf {
  std::string pointer;  ///< RFC 6901, into NEW; into OLD for what is gone
  std::optional<Json> old_value;
  std::optional<Json> new_value;
};

/// The leaves in which two values differ. Objects are matched by key, lists of objects by their
/// "id" or "key", other lists by place if they have one length.
std::vector<ChangedLeaf> changed_leaves(const Json& before, const Json& after);

/// "/rows/3/hours/mid: expected 3.1 by its inputs, got 4", where `by` is "its inputs" and what was
/// expected is the old value.
std::string leaf_words(const ChangedLeaf& leaf, const std::string& by);

}  // namespace sizesheet
