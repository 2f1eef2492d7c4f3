// SPDX-License-Identifier: Apache-2.0
// What is checked of a sheet.json beyond types: names, closed sets, figures.
#include <gtest/gtest.h>

#include "render/sample_changes.h"
#include "sheet/quarterly.h"
#include "sheet/sheet_json.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

struct SheetCase {
  void (*change)(Sheet& sheet);
  const char* refusal;  ///< behind "sheet.json:"
};

const SheetCase kSheetCases[] = {
    {[](Sheet& sheet) { sheet.rows[1].model = "llama-3.1-8c"; },
     "/rows/1/model: no model \"llama-3.1-8c\" in this sheet (did you mean \"llama-3.1-8b\"?)"},
    {[](Sheet& sheet) { sheet.rows[0].gpu = "h100"; },
     "/rows/0/gpu: no GPU type \"h100\" in this sheet (did you mean \"h100-sxm\"?)"},
    {[](Sheet& sheet) { sheet.picks[0].rent_key = "a/b/c/d"; },
     "/picks/0/rent_pick: no row \"a/b/c/d\" in this sheet"},
    {[](Sheet& sheet) { sheet.series[0].row_key = ""; },
     "/series/0/row_key: no row \"\" in this sheet"},
    {[](Sheet& sheet) { sheet.purchase_nodes.clear(); },
     "/rows/0/own/node: no machine \"8x-h100-sxm\" in this sheet"},
    {[](Sheet& sheet) { sheet.prices[2].gpu = "x"; },
     "/prices/2/gpu: no GPU type \"x\" in this sheet"},
    {[](Sheet& sheet) { sheet.methods[1].id = sheet.methods[0].id; },
     "/methods/1/id: \"full\" is there twice"},
    {[](Sheet& sheet) { sheet.picks.push_back(sheet.picks[0]); },
     "/picks/4: there is a pick of model \"llama-3.1-8b\", method \"full\" and scenario \"main\" "
     "already"},
    {[](Sheet& sheet) { sheet.scenarios.clear(); }, "/scenarios: expected one or more, got []"},
    {[](Sheet& sheet) { sheet.rows[0].verdict = Verdict::kNotModelled; },
     "/rows/0/verdict: expected fits, tight, no, got \"refused\""},
    {[](Sheet& sheet) { sheet.changes->changes[0].kind = "dear"; },
     "/changes/changes/0/kind: no kind of change \"dear\" (did you mean \"dearer\"?)"},
    {[](Sheet& sheet) { sheet.meta.as_of = "2026-02-30"; },
     "/meta/as_of: expected a date YYYY-MM-DD, got \"2026-02-30\""},
    {[](Sheet& sheet) { sheet.meta.base_url = "ftp://x"; },
     "/meta/base_url: expected https://…, got \"ftp://x\""},
    {[](Sheet& sheet) { sheet.rows[0].hours_mid = -1; },
     "/rows/0/hours/mid: expected a number from 0 to 1e9, got -1"},
    {[](Sheet& sheet) { sheet.prices[0].gpus = 0; },
     "/prices/0/gpus: expected an integer from 1 to 1000000, got 0"},
    {[](Sheet& sheet) { sheet.options.hours_per_month = 1e6; },
     "/options/hours_per_month: expected hours of a month, above 0 to 744, got 1000000"},
    {[](Sheet& sheet) { sheet.accuracy->speed.all.errors.emplace(); },
     "/accuracy/speed/all/covered: expected a number beside errors, got null"},
};

TEST(ReadSheet, WhatTheProgramWritesIsSoundAndWhatItDoesNotIsRefused) {
  check_sheet(quarterly_sheet(), "sheet.json");
  check_sheet(changed_sheet(), "sheet.json");
  for (const SheetCase& one : kSheetCases) {
    Sheet sheet = changed_sheet();
    one.change(sheet);
    EXPECT_EQ(refusal_of([&] { check_sheet(sheet, "sheet.json"); }),
              std::string("sheet.json:") + one.refusal);
  }
}

}  // namespace
}  // namespace sizesheet
