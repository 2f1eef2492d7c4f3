// SPDX-License-Identifier: Apache-2.0
// Chooses the command for what a line says, and writes it.
#pragma once

#include <optional>

#include "cli/meant_line.h"
#include "cli/meant_parts.h"

namespace sizesheet {

class WordMeanings;

/// nullopt where nothing is recognised.
std::optional<MeantLine> line_for(MeantParts parts, const WordMeanings& means);

}  // namespace sizesheet
