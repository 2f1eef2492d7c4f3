// SPDX-License-Identifier: Apache-2.0
// `diff` as a command: exit codes, sources, options, whole messages.
#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/small_sheet.h"
#include "render/sample_sheet.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"

namespace sizesheet {
namespace {

Outcome diff(const Words& words) { return program(with({"diff"}, words)); }

/// Two editions on disk: the sample sheet, and one whose first row that fits is dearer.
class DiffCommandTest : public InFolder {
 protected:
  DiffCommandTest() {
    Sheet sheet = sample_sheet();
    dir_.write("old.json", to_json_text(sheet));
    const auto first = std::ranges::find_if(sheet.rows, [](const Row& row) {
      const auto& rent = row.rents[kOnDemand];
      return rent && rent->instances > 0 && rent->usd_per_run;
    });
    RentLine& rent = *first->rents[kOnDemand];
    rent.usd_per_hour = rent.usd_per_hour * 2;
    rent.usd_per_run = *rent.usd_per_run * 2;
    dearer_ = first->key();
    dir_.write("new.json", to_json_text(sheet));
  }

  std::string message(const std::string& text) const { return "sizesheet: " + text + "\n"; }

  std::string dearer_;
};

TEST_F(DiffCommandTest, equal_is_0_for_every_level) {
  for (const char* level : {"breaking", "notable", "any", "none"}) {
    const Outcome same = diff({at("old.json"), at("old.json"), "--fail-on", level});
    EXPECT_EQ(same.code, 0) << level;
    EXPECT_EQ(same.err, "");
    EXPECT_NE(same.out.find("\nNo differences in "), std::string::npos);
  }
}

TEST_F(DiffCommandTest, a_notable_change_is_1_unless_only_breaking_ones_count) {
  const std::vector<std::pair<const char*, int>> expected{
      {"breaking", 0}, {"notable", 1}, {"any", 1}, {"none", 0}};
  for (const auto& [level, code] : expected) {
    EXPECT_EQ(diff({at("old.json"), at("new.json"), "--fail-on", level}).code, code) << level;
  }
  const Outcome below = diff({at("old.json"), at("new.json"), "--threshold", "usd=100.1%"});
  EXPECT_EQ(below.code, 0);
  EXPECT_NE(below.out.find("\n(100.1 % of dollars, 2 % of hours, 0.1 GiB).\n"), std::string::npos)
      << below.out;
}

TEST_F(DiffCommandTest, forms_tell_of_the_same_change) {
  const Words files{at("old.json"), at("new.json")};
  const auto in_form = [&](const char* form) { return diff(with(files, {"--format", form})); };
  const Outcome json = in_form("json");
  EXPECT_EQ(json.code, 1);
  const Json answer = parse_json(json.out, "diff");
  EXPECT_EQ(answer.at("schema_version"), 1);
  bool found = false;
  for (const Json& change : answer.at("changes")) {
    if (change.at("key") != dearer_) continue;
    found = true;
    EXPECT_EQ(change.at("kind"), "dearer");
    const Json& effects = change.at("effects_usd");
    EXPECT_EQ(effects.at("price"), effects.at("total"));
  }
  EXPECT_TRUE(found);
  const Outcome markdown = in_form("markdown");
  EXPECT_TRUE(markdown.out.starts_with("<!-- sizesheet-diff -->\n**Of ")) << markdown.out;
  const Outcome page = in_form("html");
  EXPECT_TRUE(page.out.starts_with("<!DOCTYPE html>")) << page.out.substr(0, 80);
  EXPECT_TRUE(page.out.ends_with("</html>\n")) << page.out.substr(page.out.size() - 80);
  const Outcome text = diff(files);
  EXPECT_NE(text.out.find("+100.0 %"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find('\x1b'), std::string::npos);
  EXPECT_TRUE(diff({files[0], files[1], "--explain", dearer_}).out.starts_with(dearer_ + ": "));
}

TEST_F(DiffCommandTest, jobs_and_order_of_options_do_not_change_the_answer) {
  const std::string one = diff({at("old.json"), at("new.json"), "--jobs", "1"}).out;
  EXPECT_EQ(diff({"--jobs", "4", at("old.json"), at("new.json")}).out, one);
  EXPECT_EQ(diff({"--threshold", "usd=1%", at("old.json"), at("new.json"), "--threshold",
                  "hours=2%,memory=0.1GiB"})
                .out,
            one);
}

TEST_F(DiffCommandTest, the_folder_of_an_edition_is_its_sheet) {
  dir_.write("edition/sheet.json", read_file(at("old.json")));
  EXPECT_EQ(diff({at("edition"), at("old.json")}).code, 0);
}

TEST_F(DiffCommandTest, what_cannot_be_compared_is_2_and_says_why) {
  dir_.write("broken.json", "{\"rows\": [1,]}");
  dir_.write("major.json", "{\"schema_version\": 2, \"rows\": []}");
  dir_.write("empty/readme", "");
  const std::string good = at("old.json");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"none.json", at("none.json") + ": cannot read: No such file or directory"},
      {"broken.json", at("broken.json") + ":1:13: not JSON near '1,]'"},
      {"major.json", at("major.json") + ":/schema_version: expected 1, got 2"},
      {"empty", at("empty") +
                    ": expected sheet.json of an edition or files of a catalog in this folder, got "
                    "neither"},
  };
  for (const auto& [name, expected] : cases) {
    for (const bool as_old : {true, false}) {
      const Outcome outcome =
          as_old ? diff({at(name), good}) : diff({good, at(name), "--fail-on", "none"});
      EXPECT_EQ(outcome, (Outcome{2, "", message(expected)})) << name;
    }
  }
}

TEST_F(DiffCommandTest, an_edition_of_an_older_program_is_read) {
  Json json = parse_json(read_file(at("old.json")), "old");
  for (Json& row : json["rows"]) {
    row.erase("spread");
    row.erase("clocks");
    row.erase("confidence");
  }
  for (const char* key : {"ownership", "guides", "frameworks", "advice", "changes", "accuracy"}) {
    json.erase(key);
  }
  dir_.write("older.json", json_text(json));
  const Outcome outcome = diff({at("older.json"), at("old.json"), "--fail-on", "notable"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(DiffCommandTest, options_that_cannot_apply_are_refused) {
  const Words files{at("old.json"), at("new.json")};
  const auto refused = [&](const Words& options, const std::string& expected) {
    EXPECT_EQ(diff(with(files, options)), (Outcome{2, "", message(expected)}));
  };
  refused({"--sheet", "quarterly"}, "--sheet: expected a catalog folder as OLD or NEW, got none");
  refused({"--explain", dearer_, "--format", "json"},
          "--explain: expected --format text, got --format json");
  EXPECT_EQ(diff({files[0]}).code, 2);
  EXPECT_EQ(diff({files[0], files[1], "--fail-on", "all"}).code, 2);
  EXPECT_EQ(diff({files[0], files[1], "--format", "yaml"}).code, 2);
}

TEST_F(DiffCommandTest, of_a_catalog_it_is_sized_and_equals_its_own_edition) {
  dir_.write("small.json", small_json().dump());
  const Outcome same = diff({kCatalog, kCatalog, "--format", "json", "--sheet", at("small.json")});
  EXPECT_EQ(same.code, 0) << same.err;
  const Json summary = parse_json(same.out, "diff").at("summary");
  EXPECT_GT(summary.at("rows"), 0);
  EXPECT_EQ(summary.at("rows"), summary.at("unchanged"));
}

}  // namespace
}  // namespace sizesheet
