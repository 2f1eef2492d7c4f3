// SPDX-License-Identifier: Apache-2.0
// The check command: its words and its exit codes.
#include "cli/check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "catalog/sample_catalog.h"
#include "cli/program.h"
#include "cli/small_sheet.h"
#include "sheet/quarterly.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Outcome check(const Documents& documents, const std::string& as_of = "") {
  const TempDir dir;
  write_documents(dir, documents);
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_check({dir.path().string(), as_of}, out, err);
  const std::string here = dir.path().string() + "/";
  return {code, without(out.str(), here), without(err.str(), here)};
}

/// The sample's own sheet is no sheet.
Documents without_sheets() {
  Documents documents = sample_documents();
  documents.erase("sheets/quarterly.json");
  return documents;
}

TEST(Check, holds_the_guides_against_their_own_arithmetic) {
  Documents documents = without_sheets();
  documents.at("conventions/figures/simple.json")["figures"][0]["printed"] = 17.5;
  const Outcome outcome = check(documents);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "conventions/figures/simple.json:/figures/0/status: expected what the arithmetic says, "
            "\"inconsistent\", got \"exact\"\n");
}

TEST(Check, says_what_it_found_sound) {
  const Outcome outcome = check(without_sheets());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "catalog: 1 models, 1 gpus, 1 prices, 1 stacks: no faults\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Check, prints_one_fault_a_line) {
  Documents documents = without_sheets();
  documents["gpus/h100.json"]["tdp_w"] = "x";
  documents["models/small.json"]["titel"] = "x";
  const Outcome outcome = check(documents);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "models/small.json:/titel: unknown key (did you mean \"title\"?)\n"
            "gpus/h100.json:/tdp_w: expected a number, got \"x\"\n");
}

/// Of the project's catalog with other files.
Outcome check_with(const std::map<std::string, std::string>& texts) {
  const TempDir dir;
  const std::string at = dir.path().string() + "/catalog/";
  std::filesystem::copy(kCatalog, at, std::filesystem::copy_options::recursive);
  for (const auto& [name, text] : texts) dir.write("catalog/" + name, text);
  const Outcome outcome = program({"check", "--catalog", at});
  return {outcome.code, without(outcome.out, at), without(outcome.err, at)};
}

TEST(Check, reads_every_sheet_as_build_does) {
  Json unread = quarterly_json();
  unread["headrom"] = 0.2;
  unread["methods"] = {"fulll"};
  unread.erase("plan");
  Json unasked = quarterly_json();
  unasked["scenarios"][1]["request"]["workload"]["startup_hours"] = -1;
  EXPECT_EQ(
      check_with({{"sheets/a.json", unread.dump()},
                  {"sheets/b.json", "[NaN]"},
                  {"sheets/c.json", unasked.dump()}}),
      (Outcome{
          1,
          "sheets/a.json:/methods: no method \"fulll\" in the catalog (did you mean \"full\"?)\n"
          "sheets/a.json:/headrom: unknown key (did you mean \"headroom\"?)\n"
          "sheets/b.json:1:2: not JSON near '[N'\n"
          "sheets/c.json:/scenarios/1/request/workload/startup_hours: no row of this scenario can "
          "be asked: expected a number from 0 to 10000, got -1\n",
          ""}));
}

class CheckSheet : public InFolder {
 protected:
  Outcome check(const Words& words = {}) const {
    return told(with({"check", "--sheet", at("s.json"), "--catalog", "builtin"}, words));
  }
};

TEST_F(CheckSheet, tells_every_fault_of_a_specification_and_builds_nothing) {
  dir_.write("s.json", quarterly_json().dump());
  EXPECT_EQ(check(), (Outcome{0, "s.json: no faults\n", ""}));
  Json sheet = quarterly_json();
  sheet["headrom"] = 0.2;
  sheet["methods"] = {"fulll"};
  sheet["gpus"] = {"h100-sxm", "gaudi3", "mi250x"};
  sheet["handout"]["gpus"] = {"l40s"};
  sheet["handout"]["logo"] = "../l.png";
  sheet.erase("plan");
  dir_.write("s.json", sheet.dump());
  const std::string words = ": its usable memory is not known, so nothing can be sized on it\n";
  const std::string all =
      "s.json:/methods: no method \"fulll\" in the catalog (did you mean \"full\"?)\n"
      "s.json:/handout/gpus: expected GPUs of this sheet, got \"l40s\"\n"
      "s.json:/headrom: unknown key (did you mean \"headroom\"?)\n"
      "s.json:/gpus/1: gaudi3" +
      words + "s.json:/gpus/2: mi250x" + words +
      "s.json:/handout/logo: expected a file in the folder of s.json, got \"../l.png\"\n";
  EXPECT_EQ(check(), (Outcome{1, all, ""}));
  const Json json = parse_json(check({"--json"}).out, "answer");
  EXPECT_EQ(json.at("ok"), false);
  EXPECT_EQ(json.at("faults").size(), 6U);
  EXPECT_EQ(json.at("faults")[3].at("pointer"), "/gpus/1");
}

TEST_F(CheckSheet, asks_the_engine_whether_each_scenario_can_be_asked) {
  Json sheet = quarterly_json();
  sheet["scenarios"][1]["request"]["workload"]["startup_hours"] = -1;
  dir_.write("s.json", sheet.dump());
  EXPECT_EQ(check(), (Outcome{1,
                              "s.json:/scenarios/1/request/workload/startup_hours: no row of this "
                              "scenario can be asked: expected a number from 0 to 10000, got -1\n",
                              ""}));
  dir_.write("s.json", "{\"id\" 3}");
  EXPECT_EQ(check(), (Outcome{1, "s.json:1:7: not JSON near '3'\n", ""}));
}

TEST_F(CheckSheet, what_cannot_be_read_is_no_answer) {
  EXPECT_EQ(check(),
            (Outcome{2, "", "sizesheet: s.json: cannot read: No such file or directory\n"}));
  EXPECT_EQ(told({"check", "--sheet", "quartely", "--catalog", "builtin"}),
            (Outcome{2, "",
                     "sizesheet: --sheet: no sheet \"quartely\" in the catalog (did you mean "
                     "\"quarterly\"?)\n"}));
  EXPECT_EQ(told({"check", "--sheet", "quarterly", "--catalog", "builtin"}).out,
            "builtin/sheets/quarterly.json: no faults\n");
}

TEST(Check, a_method_without_a_request_is_told_where_its_kind_is_asked_for) {
  Json method = project_catalog().methods.at("lora-r16").raw;
  method["request"] = Json::array();
  EXPECT_EQ(check_with({{"methods/lora-r16.json", method.dump()}}),
            (Outcome{1, "methods/lora-r16.json:/request: expected an object, got []\n", ""}));
}

TEST(Check, warns_of_odd_prices_and_finds_no_fault_in_them) {
  Documents documents = without_sheets();
  Json& rows = documents["prices/cloud.json"]["rows"];
  rows.push_back(rows[0]);
  rows[1].update({{"instance", "p6"}, {"usd_per_instance_hour", 2.4}, {"as_of", "2026-10-11"}});
  const std::string low =
      "warning: prices/cloud.json:/rows/1/usd_per_instance_hour: "
      "cloud/any/p6/h100/on_demand/8/2026-10-11: $0.3 per GPU-hour ($2.4 / 8) is below a third of "
      "$2.05625, the median of the catalog; is it the price of one GPU?\n";
  const std::string late =
      "warning: prices/cloud.json:/rows/1/as_of: cloud/any/p6/h100/on_demand/8/2026-10-11: dated "
      "after 2026-10-10, the day of the sheet\n";
  const std::string sound = "catalog: 1 models, 1 gpus, 2 prices, 1 stacks: no faults, ";
  EXPECT_EQ(check(documents, "2026-10-10"), (Outcome{0, sound + "2 warnings\n", low + late}));
  EXPECT_EQ(check(documents, "2026-10-11"), (Outcome{0, sound + "1 warning\n", low}));
}

TEST(Check, answers_programs_as_json) {
  Documents documents = without_sheets();
  documents["gpus/h100.json"]["tdp_w"] = "x";
  const TempDir dir;
  write_documents(dir, documents);
  const Outcome outcome = program({"check", "--json", "--catalog", dir.path().string()});
  EXPECT_EQ(outcome.code, 1);
  const Json answer = parse_json(outcome.out, "check");
  EXPECT_EQ(answer.at("ok"), false);
  EXPECT_EQ(answer.at("faults"), (Json{{{"file", (dir.path() / "gpus/h100.json").string()},
                                        {"pointer", "/tdp_w"},
                                        {"message", "expected a number, got \"x\""}}}));
  EXPECT_EQ(parse_json(program({"check", "--json", "--catalog", kCatalog}).out, "check"),
            (Json{{"ok", true},
                  {"faults", Json::array()},
                  {"warnings", Json::array()},
                  {"hash", project_catalog().hash}}));
  EXPECT_EQ(program({"fits", "--gpu", "l4", "--json", "--catalog", kCatalog}),
            program({"fits", "--gpu", "l4", "--format", "json", "--catalog", kCatalog}));
}

TEST(Check, takes_the_latest_day_of_its_sheets) {
  Json sheet = quarterly_json();
  sheet["as_of"] = "2026-01-01";
  const Json prices = price_file("later", "h100-sxm", "2026-11-21");
  const Outcome outcome =
      check_with({{"sheets/older.json", sheet.dump()}, {"prices/later.json", prices.dump()}});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.err.find(
                "warning: prices/later.json:/rows/0/as_of: later/own/8x/h100-sxm/on_demand/8/"
                "2026-11-21: dated after 2026-11-20, the day of the sheet\n"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace sizesheet
