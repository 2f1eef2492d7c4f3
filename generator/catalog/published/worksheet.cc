// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/worksheet.h"

#include <algorithm>

#include "catalog/loader.h"
#include "support/text.h"

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

namespace {

const std::vector<std::string>& bases() {
  static const std::vector<std::string> words = {"rule", "claim", "reported"};
  return words;
}

Json read_request_if_any(ObjectReader& reader) {
  return reader.has("request") ? read_request_keys(reader) : Json::object();
}

std::vector<AdviceRun> read_runs(ObjectReader& reader) {
  std::vector<AdviceRun> runs;
  for (ObjectReader& row : reader.objects("runs")) {
    runs.push_back({read_filled_text(row, "title"), read_request_if_any(row)});
    row.done();
  }
  return runs;
}

/// A technique is shown without and with it, or not at all; a warning has a request that brings it
/// about, a target one that trains it.
void check_runs(ObjectReader& reader, const std::string& kind, std::size_t runs) {
  const bool technique = kind == "techniques";
  const bool one = kind == "warnings" || kind == "targets";
  if (technique ? runs == 0 || runs == 2 : !one || runs == 1) return;
  reader.fault("runs", std::string("expected ") + (technique ? "0 or 2" : "1") + ", got " +
                           std::to_string(runs));
}

AdviceEntry read_advice_entry(ObjectReader& reader, const std::string& kind) {
  AdviceEntry entry;
  entry.id = read_id(reader, "id");
  entry.title = read_filled_text(reader, "title");
  entry.words = read_filled_text(reader, "words");
  entry.basis = reader.one_of("basis", bases());
  if (kind == "techniques" || kind == "targets") {
    entry.acts_on = read_filled_text(reader, "acts_on");
  }
  if (kind == "warnings") entry.prints = read_filled_text(reader, "prints");
  if (kind == "targets") entry.prints = read_note(reader, "prints");
  if (kind == "symptoms") {
    entry.cause = read_filled_text(reader, "cause");
    entry.remedy = read_filled_text(reader, "remedy");
  }
  if (kind == "settings") entry.setting = read_filled_text(reader, "setting");
  if (kind == "techniques") entry.setting = read_note(reader, "setting");
  if (reader.has("runs")) entry.runs = read_runs(reader);
  check_runs(reader, kind, entry.runs.size());
  entry.source = read_source(reader);
  entry.date = read_date(reader, "date");
  reader.done();
  return entry;
}

AdviceCards read_cards(ObjectReader reader, const std::vector<std::string>& gpus) {
  AdviceCards cards;
  cards.limits_gb = reader.integers("limits_gb", kCount);
  for (std::size_t i = 1; i < cards.limits_gb.size(); ++i) {
    if (cards.limits_gb[i] <= cards.limits_gb[i - 1]) {
      reader.fault("limits_gb", "expected ascending numbers, got " +
                                    std::to_string(cards.limits_gb[i]) + " after " +
                                    std::to_string(cards.limits_gb[i - 1]));
    }
  }
  cards.counts = reader.integers("counts", kCount);
  cards.gpus = reader.texts("gpus");
  for (const std::string& gpu : cards.gpus) {
    if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end()) continue;
    reader.fault("gpus", "no GPU " + in_quotes(gpu) + " in the catalog" + did_you_mean(gpu, gpus));
  }
  reader.done();
  return cards;
}

}  // namespace

const std::vector<std::string>& advice_kinds() {
  static const std::vector<std::string> kinds = {"cards",    "techniques", "warnings", "targets",
                                                 "symptoms", "notes",      "settings"};
  return kinds;
}

AdviceTopic read_advice_topic(ObjectReader reader, const std::vector<std::string>& gpus) {
  AdviceTopic topic;
  topic.id = read_id(reader, "id");
  topic.title = read_filled_text(reader, "title");
  topic.words = read_filled_text(reader, "words");
  topic.kind = reader.one_of("kind", advice_kinds());
  topic.order = reader.integer("order", kCount);
  topic.request = read_request_if_any(reader);
  if (!reader.sound("kind")) return topic;  // what its entries may hold is not known
  if (topic.kind == "cards") topic.cards = read_cards(reader.object("cards"), gpus);
  std::vector<ObjectReader> rows = read_rows(reader, "entries");
  check_unique(rows, "id", "an id");
  for (ObjectReader& row : rows) topic.entries.push_back(read_advice_entry(row, topic.kind));
  reader.done();
  return topic;
}

}  // namespace sizesheet
