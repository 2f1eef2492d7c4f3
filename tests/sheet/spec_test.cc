// SPDX-License-Identifier: Apache-2.0
// A sheet's specification: what is read, and every fault of it in whole sentences
// (tests/oracles/spec_refusals.json).

#include "sheet/spec.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "catalog/sample_catalog.h"
#include "sheet/assemble/checks.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/logo.h"
#include "sheet/quarterly.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// With these values at their places; null: without that key.
Json with_values(Json json, const Json& set) {
  for (const auto& [pointer, value] : set.items()) {
    json =
        changed_at(std::move(json), pointer, value.is_null() ? std::nullopt : std::optional(value));
  }
  return json;
}

void expect_faults(const Json& base, const Json& cases) {
  for (const Json& one : cases) {
    const Json json = with_values(base, one.at("set"));
    Faults faults;
    const SheetSpec spec =
        read_sheet_spec(ObjectReader(json, "s.json", "", faults), project_catalog());
    if (faults.empty()) check_requests(spec, project_catalog(), "s.json", faults);
    Texts expected;
    for (const std::string words : one.at("faults")) expected.push_back("s.json:" + words);
    EXPECT_EQ(texts_of(faults), expected) << one.at("set");
  }
}

TEST(SheetSpec, FaultsAreToldAtTheirPlaceInWholeSentences) {
  const Json all = oracle("spec_refusals.json");
  expect_faults(quarterly_json(), Json::parse(R"([{"set": {}, "faults": []}])"));
  const Json plain = with_values(quarterly_json(), {{"/plan", nullptr}});
  expect_faults(plain, all.at("plain"));
  expect_faults(with_values(plain, {{"/plan", all.at("demand")}}), all.at("planned"));
}

TEST(SheetSpec, a_null_in_a_request_says_nothing_and_is_refused) {
  Json json = quarterly_json();
  json["scenarios"][0]["request"]["workload"] = nullptr;
  Faults faults;
  read_sheet_spec(ObjectReader(json, "s.json", "", faults), project_catalog());
  EXPECT_EQ(texts_of(faults), Texts{"s.json:/scenarios/0/request/workload: expected a value, got "
                                    "null; leave out what says nothing"});
}

SheetSpec with_handout(const Json& handout) {
  return spec_of(with_values(quarterly_json(), {{"/handout", handout}}));
}

TEST(SheetSpec, TheHandoutIsInTheOrderOfTheSheet) {
  const SheetSpec spec = with_handout(
      {{"models", {"size-400b", "size-70b", "size-7b"}}, {"hidden_columns", {"advice", "next"}}});
  EXPECT_EQ(spec.handout_models, (Texts{"size-7b", "size-70b", "size-400b"}));
  EXPECT_EQ(spec.hidden_columns, (Texts{"next", "advice"})) << "in the order of the table";
}

TEST(SheetSpec, TheHandoutSaysWhoHandsItOut) {
  const SheetSpec spec = with_handout({{"company", "Elm"},
                                       {"contact", "capacity@example.com"},
                                       {"next_edition", "2027-Q1"},
                                       {"base_url", "https://sizing.example.com/"}});
  EXPECT_EQ(spec.handout_models, Texts{}) << "all of them";
  EXPECT_EQ(spec.company + "|" + spec.contact + "|" + spec.next_edition + "|" + spec.base_url,
            "Elm|capacity@example.com|2027-Q1|https://sizing.example.com/");
}

/// One grey pixel.
const std::string kGreyPixel(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0\x3a\x7e\x9b\x55\0\0\0\nIDATx\x9c"
    "ch\0\0\0\x82\0\x81\x77\xcdr\xb6\0\0\0\0IEND\xae\x42\x60\x82",
    67);

/// A specification in a folder of its own, with what lies beside it.
class Beside : public testing::Test {
 protected:
  SheetSpec with(const char* pointer, const std::string& named) const {
    dir_.write("team/s.json", json_text(with_values(quarterly_json(), {{pointer, named}})));
    return load_sheet_spec(at("team/s.json"), SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
  }
  /// What is wrong with a file of this name, in words that name no folder of this test.
  std::string wrong(const char* pointer, const std::string& named) const {
    std::string words = refusal_of([&] { with(pointer, named); });
    const std::string here = shown_path(dir_.path()) + "/";
    for (std::size_t i = words.find(here); i != std::string::npos; i = words.find(here)) {
      words.erase(i, here.size());
    }
    return words;
  }
  std::string at(const std::string& name) const { return (dir_.path() / name).string(); }

  TempDir dir_;
};

TEST_F(Beside, TheLogoIsAPngFile) {
  dir_.write("team/elm.png", kGreyPixel);
  dir_.write("team/brand/elm.png", kGreyPixel);
  for (const char* name : {"elm.png", "./elm.png", "brand/elm.png", "brand/../elm.png"}) {
    const Logo logo = logo_of(with("/handout/logo", name).logo, "here");
    EXPECT_EQ(logo.width * logo.height, 1);
    EXPECT_EQ(logo.colors, "\x80\x80\x80") << name;
    EXPECT_EQ(logo.alpha, "") << "opaque";
  }
  dir_.write("team/elm.png", kGreyPixel.substr(0, 50));
  EXPECT_EQ(wrong("/handout/logo", "elm.png"),
            "team/s.json:/handout/logo: team/elm.png: expected a PNG file of at most 4096 by 4096 "
            "pixels, got read beyond end of data");
  EXPECT_EQ(refusal_of([] { logo_of("?", "sheet.json:/options/logo"); }),
            "sheet.json:/options/logo: expected base64, got other characters");
}

TEST_F(Beside, AFileOutsideTheFolderIsRefused) {
  dir_.write("other/elm.png", kGreyPixel);
  dir_.write("other/de.json", "{}");
  std::filesystem::create_directories(dir_.path() / "team");
  std::filesystem::create_symlink("../other", dir_.path() / "team/link");
  std::filesystem::create_symlink("../other/de.json", dir_.path() / "team/de.json");
  const auto outside = [](const std::string& key, const std::string& got) {
    return "team/s.json:" + key + ": expected a file in the folder of team/s.json, got " + got;
  };
  EXPECT_EQ(wrong("/handout/logo", "../other/elm.png"),
            outside("/handout/logo", "\"../other/elm.png\""));
  EXPECT_EQ(wrong("/handout/logo", "a/../../other/elm.png"),
            outside("/handout/logo", "\"a/../../other/elm.png\""));
  EXPECT_EQ(wrong("/handout/logo", "/etc/passwd"), outside("/handout/logo", "\"/etc/passwd\""));
  EXPECT_EQ(wrong("/handout/logo", ""), outside("/handout/logo", "\"\""));
  EXPECT_EQ(wrong("/handout/logo", "link/elm.png"),
            outside("/handout/logo", "\"link/elm.png\", a link that leads out of it"));
  EXPECT_EQ(wrong("/labels", "../other/de.json"), outside("/labels", "\"../other/de.json\""));
  EXPECT_EQ(wrong("/labels", "de.json"),
            outside("/labels", "\"de.json\", a link that leads out of it"));
}

TEST_F(Beside, WhatIsNoFileIsRefusedAndNotWaitedFor) {
  std::filesystem::create_directories(dir_.path() / "team/folder");
  ASSERT_EQ(mkfifo(at("team/pipe").c_str(), 0600), 0);
  EXPECT_EQ(wrong("/handout/logo", "pipe"),
            "team/s.json:/handout/logo: team/pipe: expected a file, got a pipe");
  EXPECT_EQ(wrong("/labels", "pipe"),
            "team/s.json:/labels: team/pipe: expected a file, got a pipe");
  EXPECT_EQ(wrong("/labels", "folder"),
            "team/s.json:/labels: team/folder: expected a file, got a folder");
  EXPECT_EQ(wrong("/handout/logo", "none.png"),
            "team/s.json:/handout/logo: team/none.png: cannot read: No such file or directory");
}

TEST_F(Beside, ALinkThatLeadsToItselfCannotBeRead) {
  std::filesystem::create_directories(dir_.path() / "team");
  std::filesystem::create_symlink("loop.png", dir_.path() / "team/loop.png");
  EXPECT_EQ(wrong("/handout/logo", "loop.png"),
            "team/s.json:/handout/logo: team/loop.png: cannot read: Too many levels of symbolic "
            "links");
}

/// A specification that is named without its folder.
TEST(SheetSpec, AMissingFileIsNoLinkOutOfTheFolder) {
  for (const char* sheet : {"s.json", "./s.json"}) {
    EXPECT_EQ(refusal_of([&] { read_logo(file_beside(sheet, "no-such-logo.png")); }),
              "no-such-logo.png: cannot read: No such file or directory")
        << sheet;
  }
}

TEST_F(Beside, GpusOfUnknownMemoryAreAllNamedBeforeAnythingIsSized) {
  Json sheet = quarterly_json();
  for (const char* id : {"gaudi3", "mi250x", "mi350x"}) sheet["gpus"].push_back(id);
  dir_.write("team/s.json", sheet.dump());
  const std::string words = ": its usable memory is not known, so nothing can be sized on it";
  const std::string here = shown_path(at("team/s.json"));
  EXPECT_EQ(
      refusal_of([&] {
        load_sheet_spec(at("team/s.json"), SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
      }),
      here + ":/gpus/9: gaudi3" + words + "\n" + here + ":/gpus/10: mi250x" + words + "\n" + here +
          ":/gpus/11: mi350x" + words);
}

TEST(SheetSpec, TheHandoutsGpusAreInTheOrderOfTheSheet) {
  EXPECT_EQ(with_handout({{"gpus", {"mi300x", "l40s"}}}).handout_gpus, (Texts{"l40s", "mi300x"}));
  EXPECT_EQ(with_handout({{"company", "Elm"}}).handout_gpus, Texts{}) << "as many as have room";
}

TEST(SheetSpec, AnUnknownSheetIsNamedWithItsNearMiss) {
  EXPECT_EQ(refusal_of([] {
              load_sheet_spec("quartely", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
            }),
            "--sheet: no sheet \"quartely\" in the catalog (did you mean \"quarterly\"?)");
}

}  // namespace
}  // namespace sizesheet
