// SPDX-License-Identifier: Apache-2.0
// `build`, with and without a baseline: what an edition of the small sheet holds, what it leaves as
// it was, and how it refuses.
#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/small_sheet.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

class Build : public InFolder {
 protected:
  Outcome build(const fs::path& out, const Words& more = {}) const {
    Json asked = small_json();
    asked["gpus"].push_back("h200-sxm");  // an old price of it is in use
    dir_.write("small.json", asked.dump());
    const Outcome outcome = program(
        with({"build", "--catalog", kCatalog, "--sheet", at("small.json"), "--out", out.string()},
             more));
    EXPECT_EQ(outcome.out, "");
    return outcome;
  }

  /// An edition built once, for the tests that only read it; and what was said meanwhile.
  const fs::path& edition() const {
    static const TempDir kFolder;
    static const fs::path kOut = kFolder.path() / "out";
    if (said_.code < 0) said_ = build(kOut);
    EXPECT_EQ(said_.code, 0);
    return kOut;
  }

  static Json document(const fs::path& file) { return parse_json(read_file(file), "document"); }

  static inline Outcome said_;
};

TEST_F(Build, RefusesForeignFilesAndKeepsThem) {
  dir_.write("out/thesis.txt", "mine");
  const Outcome outcome = build(dir_.path() / "out");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("thesis.txt"), std::string::npos);
  EXPECT_EQ(read_file(dir_.path() / "out/thesis.txt"), "mine");
  EXPECT_EQ(list_files(dir_.path() / "out").size(), 1U);
}

TEST_F(Build, LeavesTheOldEditionWholeOnAnyError) {
  const std::string before = read_file(edition() / "manifest.json");
  EXPECT_EQ(
      build(edition(), {"--as-of", "2026-02-30"}),
      (Outcome{2, "", "sizesheet: --as-of: expected a date YYYY-MM-DD, got \"2026-02-30\"\n"}));
  EXPECT_EQ(read_file(edition() / "manifest.json"), before);
}

TEST_F(Build, ListsEveryFileInTheManifest) {
  const Json manifest = document(edition() / "manifest.json");
  std::vector<std::string> files = list_files(edition());
  std::erase(files, "manifest.json");
  ASSERT_EQ(manifest.at("files").size(), files.size());
  for (const std::string& file : files) {
    EXPECT_EQ(manifest.at("files").at(file), sha256_hex(read_file(edition() / file))) << file;
  }
  for (const char* expected :
       {"sheet.json", "sheet.csv", "index.html", "prices.html", "accuracy.html", "method.html",
        "sheet.pdf", "sheet.xlsx", "models/llama-3.1-8b.html"}) {
    EXPECT_TRUE(manifest.at("files").contains(expected)) << expected;
  }
}

TEST_F(Build, WarnsOfOldPricesInUse) {
  const Json sheet = document(edition() / "sheet.json");
  std::string expected;
  for (const Json& stale : sheet.at("options").at("price_rules").at("stale")) {
    expected += "warning: " + stale.get<std::string>() + "\n";
  }
  EXPECT_NE(expected, "");
  EXPECT_EQ(said_.err, expected);
}

TEST_F(Build, WithoutABaselineHasNoPageOfChanges) {
  EXPECT_EQ(document(edition() / "sheet.json").at("changes"), Json::array());
  EXPECT_FALSE(fs::exists(edition() / "changes.html"));
}

TEST_F(Build, OfTheInputsOfTheBaselineChangesNothing) {
  const fs::path out = dir_.path() / "out";
  ASSERT_EQ(build(out, {"--baseline", edition().string()}).code, 0);
  const Json changes = document(out / "sheet.json").at("changes");
  EXPECT_EQ(changes.at("changes"), Json::array());
  EXPECT_EQ(changes.at("summary").at("rows"), document(edition() / "sheet.json").at("rows").size());
  EXPECT_EQ(changes.at("summary").at("unchanged"), changes.at("summary").at("rows"));
  EXPECT_NE(read_file(out / "changes.html").find("No differences."), std::string::npos);
}

TEST_F(Build, FaultsOfTheBaselineLeaveNothingBehind) {
  dir_.write("broken.json", "{\"schema_version\": 1,\n \"rows\": [}");
  dir_.write("newer.json", "{\"schema_version\": 2}");
  const fs::path out = dir_.path() / "out";
  const std::string none = ": cannot read: No such file or directory";
  for (const auto& [baseline, fault] :
       {std::pair<std::string, std::string>{"/none.json", "/none.json" + none},
        {"", "/sheet.json" + none},
        {"/broken.json", "/broken.json:2:11: not JSON near '\"rows\": [}'"},
        {"/newer.json", "/newer.json:/schema_version: expected 1, got 2"}}) {
    const std::string here = dir_.path().string();
    EXPECT_EQ(build(out, {"--baseline", here + baseline}),
              (Outcome{2, "", "sizesheet: " + here + fault + "\n"}));
    EXPECT_FALSE(fs::exists(out)) << baseline;
  }
}

}  // namespace
}  // namespace sizesheet
