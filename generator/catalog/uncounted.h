// SPDX-License-Identifier: Apache-2.0
// What a published checkpoint holds beside the text model that is counted.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct UncountedPart {
  std::string pointer;  ///< of the key that tells of it
  std::string what;     ///< "a vision tower"
};

std::vector<UncountedPart> uncounted_parts(const Json& config);

/// The same in sentences, for the note of an entry; "" where nothing is left out.
std::string uncounted_note(const Json& config);

}  // namespace sizesheet
