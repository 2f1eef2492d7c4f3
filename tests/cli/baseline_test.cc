// SPDX-License-Identifier: Apache-2.0
// `build --baseline`: what it adds to an edition, and how it refuses.
#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/files.h"
#include "support/json.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

Outcome build(const std::filesystem::path& out, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"build", "--catalog", kCatalog, "--out", out.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = program(arguments);
  EXPECT_EQ(outcome.out, "");
  return outcome;
}

/// An edition built once, for the tests that only read it.
const std::filesystem::path& plain_edition() {
  static const TempDir kFolder;
  static const std::filesystem::path kOut = [] {
    EXPECT_EQ(build(kFolder.path() / "out", {}).code, 0);
    return kFolder.path() / "out";
  }();
  return kOut;
}

Json sheet_of(const std::filesystem::path& edition) {
  return parse_json(read_file(edition / "sheet.json"), "sheet.json");
}

TEST(Baseline, without_one_an_edition_has_no_page_of_changes) {
  EXPECT_EQ(sheet_of(plain_edition()).at("changes"), Json::array());
  EXPECT_FALSE(std::filesystem::exists(plain_edition() / "changes.html"));
}

TEST(Baseline, the_same_inputs_change_nothing) {
  const TempDir folder;
  ASSERT_EQ(build(folder.path() / "out", {"--baseline", plain_edition().string()}).code, 0);
  const Json changes = sheet_of(folder.path() / "out").at("changes");
  EXPECT_EQ(changes.at("changes"), Json::array());
  EXPECT_EQ(changes.at("summary").at("rows"), sheet_of(plain_edition()).at("rows").size());
  EXPECT_EQ(changes.at("summary").at("unchanged"), changes.at("summary").at("rows"));
  const std::string page = read_file(folder.path() / "out" / "changes.html");
  EXPECT_NE(page.find("No differences."), std::string::npos);
}

TEST(Baseline, faults_leave_the_old_edition_whole) {
  const TempDir folder;
  folder.write("broken.json", "{\"schema_version\": 1,\n \"rows\": [}");
  folder.write("newer.json", "{\"schema_version\": 2}");
  const std::filesystem::path out = folder.path() / "out";
  const auto refusal = [&](const std::string& baseline) {
    const Outcome outcome = build(out, {"--baseline", baseline});
    EXPECT_EQ(outcome.code, 2) << baseline;
    EXPECT_FALSE(std::filesystem::exists(out)) << baseline;
    return outcome.err;
  };
  const std::string here = folder.path().string();
  EXPECT_EQ(refusal(here + "/none.json"),
            "sizesheet: " + here + "/none.json: cannot read: No such file or directory\n");
  EXPECT_EQ(refusal(here),
            "sizesheet: " + here + "/sheet.json: cannot read: No such file or directory\n");
  EXPECT_EQ(refusal(here + "/broken.json"),
            "sizesheet: " + here + "/broken.json:2:11: not JSON near '\"rows\": [}'\n");
  EXPECT_EQ(refusal(here + "/newer.json"),
            "sizesheet: " + here + "/newer.json:/schema_version: expected 1, got 2\n");
}

}  // namespace
}  // namespace sizesheet
