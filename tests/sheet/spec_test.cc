// SPDX-License-Identifier: Apache-2.0
// A sheet's specification: what is read, and every fault of it in whole sentences
// (tests/oracles/spec_refusals.json).
#include "sheet/spec.h"

#include <gtest/gtest.h>

#include "catalog/sample_catalog.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

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

TEST(SheetSpec, TheLogoIsAPngFileBesideTheSpecification) {
  const TempDir dir;
  // One grey pixel.
  const std::string png = logo_of(
                              "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCB"
                              "d81ytgAAAABJRU5ErkJggg==",
                              "here")
                              .png;
  const auto loaded_with = [&](const std::string& bytes) {
    dir.write("elm.png", bytes);
    dir.write("quarterly.json",
              json_text(with_values(quarterly_json(), {{"/handout", {{"logo", "elm.png"}}}})));
    return load_sheet_spec((dir.path() / "quarterly.json").string(),
                           SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
  };
  const Logo logo = logo_of(loaded_with(png).logo, "here");
  EXPECT_EQ(logo.png, png);
  EXPECT_EQ(logo.width, 1);
  EXPECT_EQ(logo.height, 1);
  EXPECT_EQ(
      refusal_of([&] { loaded_with(png.substr(0, 50)); }),
      shown_path(dir.path() / "quarterly.json") +
          ":/handout/logo: " + shown_path(dir.path() / "elm.png") +
          ": expected a PNG file of at most 4096 by 4096 pixels, got read beyond end of data");
  EXPECT_EQ(refusal_of([] { logo_of("?", "sheet.json:/options/logo"); }),
            "sheet.json:/options/logo: expected base64, got other characters");
}

TEST(SheetSpec, AnUnknownSheetIsNamedWithItsNearMiss) {
  EXPECT_EQ(refusal_of([] {
              load_sheet_spec("quartely", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
            }),
            "--sheet: no sheet \"quartely\" in the catalog (did you mean \"quarterly\"?)");
}

}  // namespace
}  // namespace sizesheet
