// SPDX-License-Identifier: Apache-2.0
#include "catalog/worksheet.h"

#include <algorithm>

#include "catalog/entry.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kDecimals = {0, 6};
constexpr Bounds<std::int64_t> kPosition = {1, 99};

/// An object of `estimate` keys; {} where the key is left out.
Json read_request(ObjectReader& reader) {
  const Json& request = reader.raw("request");
  if (request.is_null()) return Json::object();
  if (!request.is_object()) reader.fault("request", "expected an object, got " + shown(request));
  return request.is_object() ? request : Json::object();
}

/// Ids of columns, groups and rows become keys and parts of fragments.
std::string read_name(ObjectReader& reader) {
  std::string id = reader.text("id");
  constexpr const char* kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  if (reader.sound("id") && (id.empty() || id.find_first_not_of(kAllowed) != std::string::npos)) {
    reader.fault("id", "expected lower-case letters, digits, '.', '-' and '_', got " + shown(id));
  }
  return id;
}

std::vector<ObjectReader> read_unique(ObjectReader& reader, const std::string& key) {
  std::vector<ObjectReader> rows = read_rows(reader, key);
  check_unique(rows, "id", "an id");
  return rows;
}

WorksheetColumn read_column(ObjectReader& reader) {
  WorksheetColumn column;
  column.id = read_name(reader);
  column.title = read_filled_text(reader, "title");
  column.decimals = reader.integer_or("decimals", 0, kDecimals);
  reader.done();
  return column;
}

WorksheetGroup read_group(ObjectReader& reader) {
  WorksheetGroup group;
  group.id = read_name(reader);
  group.title = read_filled_text(reader, "title");
  group.request = read_request(reader);
  reader.done();
  return group;
}

void read_facts(ObjectReader& reader, const Worksheet& sheet, WorksheetRow& row) {
  auto facts = reader.optional_object("facts");
  if (!facts) return;
  std::vector<std::string> columns;
  for (const WorksheetColumn& column : sheet.columns) columns.push_back(column.id);
  for (const std::string& key : facts->keys()) {
    row.facts[key] = read_filled_text(*facts, key);
    if (std::find(columns.begin(), columns.end(), key) != columns.end()) continue;
    facts->fault(key, "no column " + in_quotes(key) + " in the table" + did_you_mean(key, columns));
  }
  facts->done();
}

WorksheetRow read_row(ObjectReader& reader, const Worksheet& sheet) {
  WorksheetRow row;
  row.id = read_name(reader);
  row.title = read_filled_text(reader, "title");
  if (reader.has("request")) row.request = read_request(reader);
  read_facts(reader, sheet, row);
  row.note = read_note(reader);
  reader.done();
  return row;
}

}  // namespace

const std::vector<std::string>& worksheet_pages() {
  static const std::vector<std::string> pages = {"frameworks", "gpus", "guides", "method"};
  return pages;
}

Worksheet read_worksheet(ObjectReader reader) {
  Worksheet sheet;
  sheet.id = read_id(reader, "id");
  sheet.page = reader.one_of("page", worksheet_pages());
  sheet.position = reader.integer("position", kPosition);
  sheet.title = read_filled_text(reader, "title");
  sheet.words = read_filled_text(reader, "words");
  sheet.source = read_source(reader);
  sheet.date = read_date(reader, "date");
  sheet.rows_title = read_filled_text(reader, "rows_title");
  sheet.request = read_request(reader);
  for (ObjectReader& column : read_unique(reader, "columns")) {
    sheet.columns.push_back(read_column(column));
  }
  if (reader.has("groups")) {
    for (ObjectReader& group : read_unique(reader, "groups")) {
      sheet.groups.push_back(read_group(group));
    }
  } else {
    sheet.groups.push_back({"", "", Json::object()});
  }
  for (ObjectReader& row : read_unique(reader, "rows")) sheet.rows.push_back(read_row(row, sheet));
  reader.done();
  return sheet;
}

}  // namespace sizesheet
