// SPDX-License-Identifier: Apache-2.0
#include "cli/text_table.h"

#include <algorithm>
#include <ostream>

#include "support/text.h"

namespace sizesheet {

void print_aligned(const std::vector<TextColumn>& columns,
                   const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
  std::vector<std::vector<std::string>> lines{each_of(columns, &TextColumn::head)};
  lines.insert(lines.end(), rows.begin(), rows.end());
  std::vector<std::size_t> widths(columns.size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line.at(i)));
    }
  }
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += (columns[i].right ? padded_left : padded_right)(line[i], widths[i]) + "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  }
}

}  // namespace sizesheet
