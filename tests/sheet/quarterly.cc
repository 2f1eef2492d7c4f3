// SPDX-License-Identifier: Apache-2.0
#include "sheet/quarterly.h"

#include "catalog/catalog.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"

namespace sizesheet {

Json quarterly_json() {
  const std::string path = SIZESHEET_SOURCE_DIR "/catalog/sheets/quarterly.json";
  return parse_json(read_file(path), path);
}

Json quarterly_of(const std::vector<std::string>& models, const std::vector<std::string>& methods,
                  const std::vector<std::string>& gpus) {
  Json sheet = quarterly_json();
  for (const char* of_other_models : {"handout", "plan"}) sheet.erase(of_other_models);
  sheet.erase("pick_seq_lens");  // which sizes the sheet once more
  const Json all = std::exchange(sheet["models"], Json::array());
  for (const std::string& id : models) {
    const auto known =
        std::ranges::find_if(all, [&](const Json& one) { return one.at("id") == id; });
    sheet["models"].push_back(known != all.end() ? *known
                                                 : Json{{"id", id}, {"size", "8B"}, {"note", id}});
  }
  sheet["highlight_model"] = models.back();
  sheet["methods"] = methods;
  sheet["gpus"] = gpus;
  sheet["scenarios"].erase(1);
  return sheet;
}

SheetSpec spec_of(const Json& json) {
  Faults faults;
  SheetSpec spec = read_sheet_spec(ObjectReader(json, "spec.json", "", faults), project_catalog());
  faults.refuse();
  return spec;
}

Sheet built(const SheetSpec& spec, int jobs) {
  return build_sheet(project_catalog(), spec, {"test", ""}, jobs, [](std::size_t, std::size_t) {});
}

Sheet sized_alone(const Catalog& catalog, const SheetSpec& spec) {
  return sized_sheet(
      catalog, spec, {"test", ""}, 2, [](Row&) {}, [](std::size_t, std::size_t) {});
}

const SheetSpec& quarterly_spec() {
  static const SheetSpec kSpec =
      load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
  return kSpec;
}

const Sheet& quarterly_sheet() {
  static const Sheet kSheet = built(quarterly_spec());
  return kSheet;
}

const std::string& quarterly_text() {
  static const std::string kText = to_json_text(quarterly_sheet());
  return kText;
}

const Json& quarterly_document() {
  static const Json kDocument = parse_json(quarterly_text(), "sheet.json");
  return kDocument;
}

}  // namespace sizesheet
