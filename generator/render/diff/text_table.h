// SPDX-License-Identifier: Apache-2.0
// Changes as lines of a hundred characters, columns aligned by characters.
#pragma once

#include <cstddef>
#include <string>

#include "render/diff/listing.h"

namespace sizesheet {

inline constexpr std::size_t kLineWidth = 100;  ///< characters

/// A head line, then one or two lines a change: what has no column follows where it fits, else
/// under the line.
std::string text_table(const std::string& title, const Listing& listing, bool with_scenario,
                       bool colour);

}  // namespace sizesheet
