// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/worksheet.h"

#include <algorithm>

#include "catalog/loader.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Ids of columns, groups and rows become keys and parts of fragments.
std::string read_name(ObjectReader& reader) {
  std::string id = reader.text("id");
  constexpr const char* kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  if (reader.sound("id") && (id.empty() || id.find_first_not_of(kAllowed) != std::string::npos)) {
    reader.mismatch("id", "lower-case letters, digits, '.', '-' and '_'", id);
  }
  return id;
}

/// Columns, groups and rows.
const EntryRules kPartRules = {
    .bounds = {{"decimals", {0, 6}}}, .may_lack = {"decimals", "request"}, .id = read_name};

void read_facts(ObjectReader& reader, const Worksheet& sheet, WorksheetRow& row) {
  auto facts = reader.optional_object("facts");
  if (!facts) return;
  const std::vector<std::string> columns = each_of(sheet.columns, &WorksheetColumn::id);
  for (const std::string& key : facts->keys()) {
    row.facts[key] = read_filled_text(*facts, key);
    if (contains(columns, key)) continue;
    facts->fault(key, "no column " + in_quotes(key) + " in the table" + did_you_mean(key, columns));
  }
  facts->done();
}

WorksheetRow read_row(ObjectReader& reader, const Worksheet& sheet) {
  auto row = read_members<WorksheetRow>(reader, kPartRules);
  read_facts(reader, sheet, row);
  reader.done();
  return row;
}

/// A technique is shown without and with it, or not at all; a warning has a request that brings it
/// about, a target one that trains it.
void check_runs(ObjectReader& reader, const std::string& kind, std::size_t runs) {
  const bool technique = kind == "techniques";
  const bool one = kind == "warnings" || kind == "targets";
  if (technique ? runs == 0 || runs == 2 : !one || runs == 1) return;
  reader.mismatch("runs", technique ? "0 or 2" : "1", runs);
}

AdviceEntry read_advice_entry(ObjectReader& reader, const std::string& kind) {
  auto entry =
      read_members<AdviceEntry>(reader, {.choices = {{"basis", {"rule", "claim", "reported"}}}});
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
  if (reader.has("runs")) {
    for (ObjectReader& row : reader.objects("runs")) {
      entry.runs.push_back(read_entry<AdviceRun>(row, {.may_lack = {"request"}}));
    }
  }
  check_runs(reader, kind, entry.runs.size());
  reader.done();
  return entry;
}

AdviceCards read_cards(ObjectReader reader, const std::vector<std::string>& gpus) {
  auto cards = read_entry<AdviceCards>(reader);
  for (std::size_t i = 1; i < cards.limits_gb.size(); ++i) {
    if (cards.limits_gb[i] <= cards.limits_gb[i - 1]) {
      reader.fault("limits_gb", "expected ascending numbers, got " +
                                    std::to_string(cards.limits_gb[i]) + " after " +
                                    std::to_string(cards.limits_gb[i - 1]));
    }
  }
  for (const std::string& gpu : cards.gpus) {
    if (!contains(gpus, gpu)) reader.fault("gpus", not_in_catalog("GPU", gpu, gpus));
  }
  return cards;
}

}  // namespace

Worksheet read_worksheet(ObjectReader reader) {
  auto sheet = read_members<Worksheet>(
      reader, {.counts = {1, 99},
               .choices = {{"page", {"frameworks", "gpus", "guides", "method"}}},
               .may_lack = {"request"}});
  sheet.columns = read_list(reader, "columns", [](ObjectReader& row) {
    return read_entry<WorksheetColumn>(row, kPartRules);
  });
  sheet.groups = {{"", "", Json::object()}};
  if (reader.has("groups")) {
    sheet.groups = read_list(reader, "groups", [](ObjectReader& row) {
      return read_entry<WorksheetGroup>(row, kPartRules);
    });
  }
  sheet.rows = read_list(reader, "rows", [&](ObjectReader& row) { return read_row(row, sheet); });
  reader.done();
  return sheet;
}

AdviceTopic read_advice_topic(ObjectReader reader, const std::vector<std::string>& gpus) {
  auto topic =
      read_members<AdviceTopic>(reader, {.choices = {{"kind",
                                                      {"cards", "techniques", "warnings", "targets",
                                                       "symptoms", "notes", "settings"}}},
                                         .may_lack = {"request"}});
  if (!reader.sound("kind")) return topic;  // what its entries may hold is not known
  if (topic.kind == "cards") topic.cards = read_cards(reader.object("cards"), gpus);
  topic.entries = read_list(reader, "entries",
                            [&](ObjectReader& row) { return read_advice_entry(row, topic.kind); });
  reader.done();
  return topic;
}

}  // namespace sizesheet
