// SPDX-License-Identifier: Apache-2.0
// A table as a terminal shows it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace sizesheet {

struct TextColumn {
  std::string head;
  bool right = false;  ///< figures end at the same place
};

/// Columns as wide as their widest cell, under their heads. A row has a cell for each column.
void print_aligned(const std::vector<TextColumn>& columns,
                   const std::vector<std::vector<std::string>>& rows, std::ostream& out);

}  // namespace sizesheet
