// SPDX-License-Identifier: Apache-2.0
// A table that guides print and this tool works out: rows that ask the engine, columns that name
// what is to be shown of its answers. Requests hold keys of an `estimate` request and are laid over
// each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

struct WorksheetColumn {
  std::string id;             ///< a measure of the answer, or a fact of the rows
  std::string title;          ///< with the unit
  std::int64_t decimals = 0;  ///< of a figure
};
BOOST_DESCRIBE_STRUCT(WorksheetColumn, (), (id, title, decimals))

/// Rows are repeated under each group; its keys are laid over the table's.
struct WorksheetGroup {
  std::string id;
  std::string title;
  Json request;
};

struct WorksheetRow {
  std::string id;
  std::string title;
  std::optional<Json> request;               ///< absent: the row holds facts only
  std::map<std::string, std::string> facts;  ///< by column
  std::string note;
};

struct Worksheet {
  std::string id;
  std::string page;           ///< where it is shown: one of `worksheet_pages()`
  std::int64_t position = 0;  ///< among the tables of its page
  std::string title;
  std::string words;
  std::string source;
  std::string date;
  std::string rows_title;  ///< head of the first column
  Json request;
  std::vector<WorksheetColumn> columns;
  std::vector<WorksheetGroup> groups;  ///< at least one; the only one may be without a title
  std::vector<WorksheetRow> rows;
};

/// frameworks | gpus | guides | method
const std::vector<std::string>& worksheet_pages();

/// Faults are recorded; what the requests ask is checked by the room that reads them.
Worksheet read_worksheet(ObjectReader reader);

}  // namespace sizesheet
