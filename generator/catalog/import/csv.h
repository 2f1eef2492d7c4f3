// SPDX-License-Identifier: Apache-2.0
// Comma-separated tables read with quotes, CRLF and a byte order mark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

struct CsvRow {
  std::int64_t line = 0;  ///< where the row begins, from 1
  std::vector<std::string> cells;
};

struct CsvTable {
  std::vector<std::string> header;
  std::int64_t line = 1;     ///< of the header
  std::vector<CsvRow> rows;  ///< not necessarily as wide as the header

  /// Place of a column; nullopt when there is none of that name.
  std::optional<std::size_t> column(const std::string& name) const;
};

/// Blank lines are skipped. Throws InputError `file:line: …` for broken quotes, text that is not
/// UTF-8, a missing header or a column that stands twice.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// The first columns by name, for messages.
std::string column_names(const CsvTable& table);

}  // namespace sizesheet
