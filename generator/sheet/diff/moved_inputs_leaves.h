// SPDX-License-Identifier: Apache-2.0
// Where two JSON values differ, leaf by leaf.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

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

}  // namespace sizesheet
