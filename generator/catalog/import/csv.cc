// SPDX-License-Identifier: Apache-2.0
#include "catalog/import/csv.h"

#include <csv.h>

#include <algorithm>
#include <new>
#include <set>

#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// libcsv, fed line by line so that every row knows where it began.
class Parser {
 public:
  Parser() {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { csv_free(&parser_); }

  std::vector<CsvRow> parse(std::string_view text, const std::string& file) {
    while (!text.empty()) {
      ++line_;
      if (between_rows_) row_.line = line_;
      between_rows_ = false;
      const std::size_t newline = text.find('\n');
      const std::string_view fed =
          newline == std::string_view::npos ? text : text.substr(0, newline + 1);
      if (csv_parse(&parser_, fed.data(), fed.size(), on_cell, on_row, this) != fed.size()) {
        throw InputError(file + ":" + std::to_string(line_) +
                         ": expected a quote only around a whole field, and doubled inside one");
      }
      text.remove_prefix(fed.size());
      if (row_.cells.empty() && parser_.pstate == 0) between_rows_ = true;
    }
    if (csv_fini(&parser_, on_cell, on_row, this) != 0) {
      throw InputError(file + ":" + std::to_string(row_.line) +
                       ": expected a closing quote, got the end of the file");
    }
    return std::move(rows_);
  }

 private:
  static void on_cell(void* cell, std::size_t size, void* self) {
    static_cast<Parser*>(self)->row_.cells.emplace_back(static_cast<const char*>(cell), size);
  }
  static void on_row(int /*terminator*/, void* self) {
    auto* parser = static_cast<Parser*>(self);
    parser->rows_.push_back(std::move(parser->row_));
    parser->row_ = {};
    parser->between_rows_ = true;
  }

  csv_parser parser_{};
  std::vector<CsvRow> rows_;
  CsvRow row_;
  std::int64_t line_ = 0;
  bool between_rows_ = true;
};

/// Spreadsheets of some languages write other separators, and tables then have one column.
void check_separator(const CsvTable& table, const std::string& place) {
  if (table.header.size() != 1) return;
  for (const auto& [separator, words] : {std::pair{';', "semicolons"}, std::pair{'\t', "tabs"}}) {
    if (table.header.front().find(separator) == std::string::npos) continue;
    throw InputError(place + "expected commas between fields, got " + words +
                     "; save the table as CSV with commas");
  }
}

}  // namespace

std::optional<std::size_t> CsvTable::column(const std::string& name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
  if (!is_utf8(text)) throw InputError(file + ": expected UTF-8");
  if (starts_with(text, kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  table.rows = Parser().parse(text, file);
  if (table.rows.empty()) throw InputError(file + ": expected a line of column names, got nothing");
  const std::string place = file + ":" + std::to_string(table.rows.front().line) + ": ";
  table.line = table.rows.front().line;
  table.header = std::move(table.rows.front().cells);
  table.rows.erase(table.rows.begin());
  check_separator(table, place);
  std::set<std::string> seen;
  for (const std::string& name : table.header) {
    if (seen.insert(name).second) continue;
    throw InputError(place + "expected every column once, got " + in_quotes(name) + " again");
  }
  return table;
}

std::string column_names(const CsvTable& table) {
  constexpr std::size_t kMost = 40;
  std::vector<std::string> names = each_of(table.header, plain_text);
  if (names.size() > kMost) {
    names.resize(kMost);
    names.emplace_back("…");
  }
  return join(names, ", ");
}

}  // namespace sizesheet
