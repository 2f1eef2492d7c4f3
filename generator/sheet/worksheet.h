// SPDX-License-Identifier: Apache-2.0
// Tables that guides print, worked out by the engine, as an edition shows them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/worksheet.h"
#include "sizing/answer.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

/// What a row shows, by column; a column that is in none of the maps is not known.
struct SheetWorksheetRow {
  std::string id;
  std::string group;  ///< title, or ""
  std::string title;
  std::map<std::string, double> figures;
  std::map<std::string, MicroUsd> usd;
  std::map<std::string, std::string> words;
  std::optional<LayoutShape> layout;  ///< absent where nothing was sized
  std::int64_t device = 0;            ///< bytes on one GPU, and what the verdict holds them against
  std::int64_t capacity = 0;          ///< 0: no GPU was named
  std::string note;

  static constexpr Key kKeys[] = {{"device", "device_bytes"}, {"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetWorksheetRow, (),
                      (id, group, title, figures, usd, words, layout, device, capacity, note))

struct SheetWorksheet {
  std::string id;
  std::string page;
  std::string title;
  std::string words;
  std::string source;
  std::string date;
  std::string rows_title;
  std::vector<WorksheetColumn> columns;
  std::vector<SheetWorksheetRow> rows;
};
BOOST_DESCRIBE_STRUCT(SheetWorksheet, (),
                      (id, page, title, words, source, date, rows_title, columns, rows))

}  // namespace sizesheet
