// SPDX-License-Identifier: Apache-2.0
// Shares as people say them: "60% utilization", "utilization 60%", "at 40%", "24/7".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/said_figures.h"

namespace sizesheet {

/// The share at a place of a line: of a month's hours, of a machine's memory, of runs that fail;
/// nullopt where there is none that has a meaning.
std::optional<SaidFigure> share_at(const std::vector<std::string>& words, std::size_t at);

/// "40%": a share, whatever it is of.
bool is_percentage(const std::string& word);

}  // namespace sizesheet
