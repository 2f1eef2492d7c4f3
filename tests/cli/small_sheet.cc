// SPDX-License-Identifier: Apache-2.0
#include "cli/small_sheet.h"

#include "cli/commands.h"
#include "cli/edition_files.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

template <typename T>
void keep_first(std::vector<T>& list, std::size_t most) {
  if (list.size() > most) list.resize(most);
}

/// Lists that say little more with hundreds of elements than with a few.
void shorten(Sheet& sheet) {
  constexpr std::size_t kFew = 2;
  keep_first(sheet.accuracy->rows, kFew);
  keep_first(sheet.accuracy->speed.rows, kFew);
  keep_first(sheet.guides, kFew);
  for (SheetGuide& guide : sheet.guides) keep_first(guide.figures, kFew);
  keep_first(sheet.frameworks, 1);
}

/// The edition before: every list price a tenth lower, one row more.
Edition edition_before(const Sheet& sheet) {
  Edition before = edition_of(sheet, "old.json");
  before.label.edition = "2026-Q3";
  for (EditionRow& row : before.rows) {
    for (auto* usd : {&row.side.usd_per_instance_hour, &row.side.list_usd_per_hour,
                      &row.side.list_usd_per_run}) {
      if (*usd) **usd = scaled(**usd, 9, 10);
    }
  }
  before.rows.push_back(before.rows.front());
  before.rows.back().method = "gone";
  before.inputs["engine"] = "another";
  return before;
}

}  // namespace

Json price_file(const std::string& provider, const std::string& gpu, const std::string& as_of) {
  return {{"provider", provider},
          {"rows",
           {{{"gpu", gpu},
             {"region", "own"},
             {"instance", "8x"},
             {"gpus", 8},
             {"tier", "on_demand"},
             {"offer", "list"},
             {"usd_per_instance_hour", 12},
             {"as_of", as_of},
             {"source", "our contract"}}}}};
}

Json small_json() {
  Json sheet = quarterly_of({"llama-3.1-8b"}, {"full", "lora-r16"}, {"h100-sxm", "gb10"});
  sheet["handout"] = {{"next_edition", "2027-Q1"}};
  sheet["plan"] = quarterly_json().at("plan");
  sheet["plan"]["runs"] = Json::array({sheet["plan"]["runs"][0]});
  return sheet;
}

const Sheet& small_sheet() {
  static const Sheet kSheet = [] {
    const EditionLabels labels{tool_version(), "https://sheet.example/", "letter"};
    Sheet sheet = build_sheet(project_catalog(), spec_of(small_json()), labels, 1,
                              [](std::size_t, std::size_t) {});
    shorten(sheet);
    sheet.changes = diff_editions(edition_before(sheet), edition_of(sheet, "new.json"), {});
    return sheet;
  }();
  return kSheet;
}

const FileSet& small_files() {
  static const FileSet kFiles =
      edition_files(small_sheet(), edition_templates(""), [](const std::string&) {});
  return kFiles;
}

}  // namespace sizesheet
