// SPDX-License-Identifier: Apache-2.0
// What is checked of a sheet.json beyond types: names, closed sets, figures.
#include <gtest/gtest.h>

#include <functional>

#include "render/sample_changes.h"
#include "sheet/quarterly.h"
#include "sheet/sheet_json.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string refusal(const std::function<void(Sheet&)>& change) {
  Sheet sheet = changed_sheet();
  change(sheet);
  return refusal_of([&] { check_sheet(sheet, "sheet.json"); });
}

TEST(ReadSheet, WhatTheProgramWritesIsSound) {
  EXPECT_EQ(refusal([](Sheet&) {}), "no refusal");
  EXPECT_EQ(refusal_of([] { check_sheet(quarterly_sheet(), "sheet.json"); }), "no refusal");
}

TEST(ReadSheet, NamesMustBeBorne) {
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.rows[1].model = "llama-3.1-8c"; }),
            "sheet.json:/rows/1/model: no model \"llama-3.1-8c\" in this sheet (did you mean "
            "\"llama-3.1-8b\"?)");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.rows[0].gpu = "h100"; }),
            "sheet.json:/rows/0/gpu: no GPU type \"h100\" in this sheet (did you mean "
            "\"h100-sxm\"?)");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.picks[0].rent_key = "a/b/c/d"; }),
            "sheet.json:/picks/0/rent_pick: no row \"a/b/c/d\" in this sheet");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.series[0].row_key = ""; }),
            "sheet.json:/series/0/row_key: no row \"\" in this sheet");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.purchase_nodes.clear(); }),
            "sheet.json:/rows/0/own/node: no machine \"8x-h100-sxm\" in this sheet");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.prices[2].gpu = "x"; }),
            "sheet.json:/prices/2/gpu: no GPU type \"x\" in this sheet");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.methods[1].id = sheet.methods[0].id; }),
            "sheet.json:/methods/1/id: \"full\" is there twice");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.picks.push_back(sheet.picks[0]); }),
            "sheet.json:/picks/4: there is a pick of model \"llama-3.1-8b\", method \"full\" and "
            "scenario \"main\" already");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.scenarios.clear(); }),
            "sheet.json:/scenarios: expected one or more, got []");
}

TEST(ReadSheet, WordsAreOfClosedSets) {
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.rows[0].verdict = Verdict::kNotModelled; }),
            "sheet.json:/rows/0/verdict: expected fits, tight, no, got \"refused\"");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.changes->changes[0].kind = "dear"; }),
            "sheet.json:/changes/changes/0/kind: no kind of change \"dear\" (did you mean "
            "\"dearer\"?)");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.meta.as_of = "2026-02-30"; }),
            "sheet.json:/meta/as_of: expected a date YYYY-MM-DD, got \"2026-02-30\"");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.meta.base_url = "ftp://x"; }),
            "sheet.json:/meta/base_url: expected https://…, got \"ftp://x\"");
}

TEST(ReadSheet, FiguresAreThoseThatASheetHas) {
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.rows[0].hours_mid = -1; }),
            "sheet.json:/rows/0/hours/mid: expected a number from 0 to 1e9, got -1");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.prices[0].gpus = 0; }),
            "sheet.json:/prices/0/gpus: expected an integer from 1 to 1000000, got 0");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.options.hours_per_month = 1e6; }),
            "sheet.json:/options/hours_per_month: expected hours of a month, above 0 to 744, got "
            "1000000");
  EXPECT_EQ(refusal([](Sheet& sheet) { sheet.accuracy->speed.all.errors.emplace(); }),
            "sheet.json:/accuracy/speed/all/covered: expected a number beside errors, got null");
}

}  // namespace
}  // namespace sizesheet
