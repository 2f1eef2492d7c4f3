// SPDX-License-Identifier: Apache-2.0
// `was`: the ids that an entry had before, so that a comparison of editions follows it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// The optional list under "was": ids as `read_id` reads them, each once; empty without the key.
std::vector<std::string> read_was(ObjectReader& reader);

/// An entry's id, those it had before, and how a fault in them is told.
struct EarlierIds {
  std::string id;
  std::vector<std::string> was;
  std::function<void(const std::string& message)> fault;
};

/// Faults an earlier id that is the id of an entry today, and one that two entries claim. `what`
/// names the kind: "model".
void check_was(const std::vector<EarlierIds>& entries, const std::string& what);

}  // namespace sizesheet
