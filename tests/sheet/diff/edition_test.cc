// SPDX-License-Identifier: Apache-2.0
// Editions read from sheet.json: of this program, of older ones, and of nobody's.

#include "sheet/diff/edition.h"

#include <gtest/gtest.h>

#include "catalog/sample_catalog.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/read_edition.h"
#include "sheet/quarterly.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

Edition read_back(const Json& sheet) {
  const TempDir folder;
  folder.write("sheet.json", sheet.dump());
  return read_edition(folder.path() / "sheet.json");
}

std::string refused(const Json& sheet) {
  const TempDir folder;
  folder.write("sheet.json", sheet.dump());
  const std::string message = refusal_of([&] { read_edition(folder.path() / "sheet.json"); });
  const std::string path = (folder.path() / "sheet.json").string();
  return message.starts_with(path) ? "FILE" + message.substr(path.size()) : message;
}

/// One row with no more than what names it and says whether it holds.
Json slim_sheet() {
  return {{"schema_version", 1},
          {"meta", {{"edition", "2026-Q1"}, {"as_of", "2026-02-01"}}},
          {"rows",
           {{{"model", "m"},
             {"method", "lora"},
             {"gpu", "a"},
             {"scenario", "s"},
             {"verdict", "fits"},
             {"layout", {{"gpus", 2}}}}}}};
}

const Edition& made() {
  static const Edition kMade = edition_of(quarterly_sheet(), "sheet.json");
  return kMade;
}

const Edition& read_in_order() {
  static const Edition kRead = parse_edition(quarterly_text(), "sheet.json");
  return kRead;
}

TEST(Edition, is_the_same_from_the_file_as_from_the_sheet) {
  const Edition& read = read_in_order();
  ASSERT_EQ(read.rows.size(), made().rows.size());
  const SheetChanges changes = compare_editions(made(), read, {0, 0, 0});
  EXPECT_TRUE(changes.changes.empty());
  EXPECT_EQ(changes.rows.unchanged, static_cast<std::int64_t>(made().rows.size()));
  EXPECT_EQ(changes.picks.unchanged, static_cast<std::int64_t>(made().picks.size()));
  EXPECT_EQ(read.label.catalog_hash, made().label.catalog_hash);
  EXPECT_EQ(read.inputs, made().inputs);
  for (std::size_t i = 0; i < made().rows.size(); ++i) {
    EXPECT_EQ(read.rows[i].side, made().rows[i].side) << made().rows[i].key();
  }
}

/// Keys that are in order are read in another way than those that are not.
TEST(Edition, is_the_same_whatever_order_its_keys_stand_in) {
  const Edition other = parse_edition("{\"z\": 0," + quarterly_text().substr(1), "sheet.json");
  ASSERT_EQ(read_in_order().rows.size(), other.rows.size());
  EXPECT_EQ(read_in_order().inputs, other.inputs);
  for (std::size_t i = 0; i < other.rows.size(); ++i) {
    const EditionRow& row = read_in_order().rows[i];
    EXPECT_EQ(row.key(), other.rows[i].key());
    EXPECT_EQ(row.side, other.rows[i].side) << row.key();
    EXPECT_EQ(row.terms, other.rows[i].terms) << row.key();
    EXPECT_EQ(row.figures, other.rows[i].figures) << row.key();
    EXPECT_EQ(row.notes, other.rows[i].notes) << row.key();
  }
}

TEST(Edition, dollars_of_a_run_follow_from_price_instances_and_hours) {
  std::size_t priced = 0;
  for (const EditionRow& row : made().rows) {
    if (!row.side.list_usd_per_hour) continue;
    ++priced;
    EXPECT_EQ(*row.side.usd_per_instance_hour * row.side.instances, *row.side.list_usd_per_hour)
        << row.key();
  }
  EXPECT_GT(priced, 150U);
}

TEST(Edition, of_an_older_program_lacks_what_it_did_not_write) {
  const Edition old = read_back(slim_sheet());
  ASSERT_EQ(old.rows.size(), 1U);
  EXPECT_EQ(old.rows[0].key(), "m/lora/a/s");
  EXPECT_EQ(old.rows[0].side.gpus, 2);
  EXPECT_EQ(old.rows[0].side.gpu_name, "a");
  EXPECT_FALSE(old.rows[0].side.list_usd_per_run);
  EXPECT_FALSE(old.rows[0].side.hours);
  EXPECT_TRUE(old.rows[0].terms.empty());
  EXPECT_EQ(old.label.edition, "2026-Q1");
  EXPECT_TRUE(old.inputs.is_null());
}

TEST(Edition, of_another_major_is_refused_before_its_rows_are_judged) {
  Json sheet = slim_sheet();
  sheet["schema_version"] = 2;
  sheet["rows"][0]["verdict"] = "splendid";
  EXPECT_EQ(refused(sheet), "FILE:/schema_version: expected 1, got 2");
  sheet.erase("schema_version");
  EXPECT_EQ(refused(sheet), "FILE:/schema_version: expected 1, got nothing");
}

TEST(Edition, refusals_name_the_place) {
  const Json rows = oracle("sheet_refusals.json").at("editions");
  for (const Json& row : rows) {
    EXPECT_EQ(refused(changed_at(slim_sheet(), row.at(0), change_of(row))),
              "FILE:" + row.at(0).get<std::string>() + row.at(2).get<std::string>());
  }
  EXPECT_EQ(refused(Json::array()), "FILE:/schema_version: expected 1, got nothing");
}

TEST(Edition, knows_the_ids_that_an_entry_had_before) {
  Json sheet = slim_sheet();
  for (const char* kind : {"models", "scenarios"}) {
    sheet[kind] = {{{"id", "one"}, {"title", "One"}}, {{"id", "two"}, {"title", "Two"}}};
  }
  sheet["inputs"]["models"] = sheet["models"];
  sheet["inputs"]["models"][0]["was"] = {"llama-3b", "llama-small"};
  sheet["inputs"]["sheet"]["scenarios"] = sheet["scenarios"];
  sheet["inputs"]["sheet"]["scenarios"][1]["was"] = {"torchtune"};
  const Edition edition = read_back(sheet);
  EXPECT_EQ(edition.scenarios[1].was, std::vector<std::string>{"torchtune"});
  EXPECT_TRUE(edition.scenarios[0].was.empty());
  EXPECT_EQ(edition.models[0].was, (std::vector<std::string>{"llama-3b", "llama-small"}));
  EXPECT_TRUE(edition.models[1].was.empty());
}

}  // namespace
}  // namespace sizesheet
