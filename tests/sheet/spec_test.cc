// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec.h"

#include <gtest/gtest.h>

#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

Texts spec_faults(const std::function<void(Json&)>& change) {
  Json json = quarterly_json();
  json.erase("plan");  // names what is changed here
  change(json);
  Faults faults;
  read_sheet_spec(ObjectReader(json, "quarterly.json", "", faults), project_catalog());
  return texts_of(faults);
}

TEST(SheetSpec, TheQuarterlySheetIsSound) {
  EXPECT_EQ(spec_faults([](Json& json) { json = quarterly_json(); }), Texts{});
}

TEST(SheetSpec, EveryReferenceIsChecked) {
  EXPECT_EQ(spec_faults([](Json& json) { json["models"][1]["id"] = "size-7"; }),
            Texts{"quarterly.json:/models/1/id: no model \"size-7\" in the catalog (did you mean "
                  "\"size-7b\"?)"});
  EXPECT_EQ(spec_faults([](Json& json) { json["gpus"] = {"h100-sxmm"}; }),
            Texts{"quarterly.json:/gpus: no GPU \"h100-sxmm\" in the catalog (did you mean "
                  "\"h100-sxm\"?)"});
  EXPECT_EQ(
      spec_faults([](Json& json) { json["ownership"]["pue"] = "puee"; }),
      Texts{"quarterly.json:/ownership/pue: no purchase rate \"puee\" in the catalog (did you "
            "mean \"pue\"?)"});
  EXPECT_EQ(spec_faults([](Json& json) { json["methods"] = {""}; }),
            Texts{"quarterly.json:/methods: no method \"\" in the catalog"});
  EXPECT_EQ(spec_faults([](Json& json) { json["ownership"]["pue"] = ""; }),
            Texts{"quarterly.json:/ownership/pue: no purchase rate \"\" in the catalog"});
  EXPECT_EQ(spec_faults([](Json& json) { json["prices"]["offers"] = {"lists"}; }),
            Texts{"quarterly.json:/prices/offers: expected list, community or marketplace, got "
                  "\"lists\" (did you mean \"list\"?)"});
  EXPECT_EQ(spec_faults([](Json& json) { json["as_of"] = "2026-13-01"; }),
            Texts{"quarterly.json:/as_of: expected a date YYYY-MM-DD, got \"2026-13-01\""});
  EXPECT_EQ(
      spec_faults([](Json& json) { json["highlight_model"] = "llama-2-7b"; }),
      Texts{"quarterly.json:/highlight_model: expected a model of this sheet, got \"llama-2-7b\""});
  EXPECT_EQ(spec_faults([](Json& json) { json["headrom"] = 0.2; }),
            Texts{"quarterly.json:/headrom: unknown key (did you mean \"headroom\"?)"});
}

TEST(SheetSpec, EarlierIdsOfScenariosAreChecked) {
  EXPECT_EQ(spec_faults([](Json& json) { json["scenarios"][0]["was"] = {"trl"}; }), Texts{});
  EXPECT_EQ(spec_faults([](Json& json) { json["scenarios"][0]["was"] = {"torchtune-4k"}; }),
            Texts{"quarterly.json:/scenarios/0/was: expected ids that no scenario has today, got "
                  "\"torchtune-4k\""});
  EXPECT_EQ(spec_faults([](Json& json) {
              json["scenarios"][0]["was"] = {"old"};
              json["scenarios"][1]["was"] = {"old"};
            }),
            Texts{"quarterly.json:/scenarios/1/was: expected ids that no other scenario had, got "
                  "\"old\", which hf-trl-4k had"});
}

Json handout(std::initializer_list<const char*> models) {
  Json list = Json::array();
  for (const char* model : models) list.push_back(model);
  return {{"models", list}};
}

TEST(SheetSpec, TheModelsOfTheHandoutAreModelsOfTheSheetEachOnce) {
  EXPECT_EQ(spec_faults([](Json& json) {
              json["handout"] = handout({"size-70b", "size-7b"});
            }),
            Texts{});
  EXPECT_EQ(spec_faults([](Json& json) {
              json["handout"] = handout({"size-70b", "size-7"});
            }),
            Texts{"quarterly.json:/handout/models: expected models of this sheet, got \"size-7\" "
                  "(did you mean \"size-7b\"?)"});
  EXPECT_EQ(
      spec_faults([](Json& json) {
        json["models"].erase(1);
        json["handout"] = handout({"size-70b", "size-7b"});
      }),
      Texts{"quarterly.json:/handout/models: expected models of this sheet, got \"size-7b\""});
  EXPECT_EQ(spec_faults([](Json& json) {
              json["handout"] = handout({"size-70b", "size-70b"});
            }),
            Texts{"quarterly.json:/handout/models: expected each model once, got \"size-70b\" "
                  "again"});
  EXPECT_EQ(spec_faults([](Json& json) { json["handout"] = handout({}); }),
            Texts{"quarterly.json:/handout/models: expected at least one model of this sheet, got "
                  "[]"});
  EXPECT_EQ(spec_faults([](Json& json) {
              json["handout"] = {{"model", {"size-70b"}}};
            }),
            Texts{"quarterly.json:/handout/model: unknown key (did you mean \"models\"?)"});
  EXPECT_EQ(spec_faults([](Json& json) { json["handout"] = {"size-70b"}; }),
            Texts{"quarterly.json:/handout: expected an object, got [\"size-70b\"]"});
}

TEST(SheetSpec, TheHighlightedModelStandsOnTheHandout) {
  EXPECT_EQ(
      spec_faults([](Json& json) {
        json["handout"] = handout({"size-7b", "size-13b"});
      }),
      Texts{
          "quarterly.json:/highlight_model: expected a model of handout/models, got \"size-70b\""});
}

TEST(SheetSpec, TheHandoutIsInTheOrderOfTheSheet) {
  Json json = quarterly_json();
  json["handout"] = handout({"size-400b", "size-70b", "size-7b"});
  Faults faults;
  const SheetSpec spec =
      read_sheet_spec(ObjectReader(json, "quarterly.json", "", faults), project_catalog());
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(spec.handout_models, (Texts{"size-7b", "size-70b", "size-400b"}));
}

TEST(SheetSpec, TheHandoutSaysWhoHandsItOut) {
  Json json = quarterly_json();
  json["handout"] = {{"company", "Elm"},
                     {"contact", "capacity@example.com"},
                     {"next_edition", "2027-Q1"},
                     {"base_url", "https://sizing.example.com/"}};
  Faults faults;
  const SheetSpec spec =
      read_sheet_spec(ObjectReader(json, "quarterly.json", "", faults), project_catalog());
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(spec.handout_models, Texts{}) << "all of them";
  EXPECT_EQ(spec.company + "|" + spec.contact + "|" + spec.next_edition + "|" + spec.base_url,
            "Elm|capacity@example.com|2027-Q1|https://sizing.example.com/");
  EXPECT_EQ(spec_faults([](Json& sheet) { sheet["handout"]["base_url"] = "sizing.example.com"; }),
            Texts{"quarterly.json:/handout/base_url: expected https://…, got "
                  "\"sizing.example.com\""});
}

TEST(SheetSpec, TheHandoutDoesWithoutColumns) {
  Json json = quarterly_json();
  json["handout"]["hidden_columns"] = {"advice", "next"};
  Faults faults;
  const SheetSpec spec =
      read_sheet_spec(ObjectReader(json, "quarterly.json", "", faults), project_catalog());
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(spec.hidden_columns, (Texts{"next", "advice"})) << "in the order of the table";
  const auto faults_of = [](const Json& columns) {
    return spec_faults([&](Json& sheet) { sheet["handout"]["hidden_columns"] = columns; });
  };
  const std::string at = "quarterly.json:/handout/hidden_columns: expected ";
  EXPECT_EQ(faults_of({"ranges"}),
            Texts{at + "columns of the handout, got \"ranges\" (did you mean "
                       "\"range\"?)"});
  EXPECT_EQ(faults_of({"own", "own"}), Texts{at + "each column once, got \"own\" again"});
  EXPECT_EQ(faults_of(Json::array()), Texts{at + "at least one column of the handout, got []"});
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
    Json json = quarterly_json();
    json["handout"] = {{"logo", "elm.png"}};
    dir.write("elm.png", bytes);
    dir.write("quarterly.json", json_text(json));
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
  try {
    load_sheet_spec("quartely", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--sheet: no sheet \"quartely\" in the catalog (did you mean \"quarterly\"?)");
  }
}

}  // namespace
}  // namespace sizesheet
