// SPDX-License-Identifier: Apache-2.0
// sheet.json holds all of a Sheet: read back it gives the same text and the same files.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/small_sheet.h"
#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/pdf/crowded_sheet.h"
#include "render/pdf/lay_out.h"
#include "render/pdf/page/page_layout.h"
#include "render/sample_sheet.h"
#include "render/table/csv.h"
#include "render/xlsx/sheets.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/sheet_json_check.h"
#include "support/due.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Sheet read_back(const Sheet& sheet) {
  return sheet_from_json(parse_json(to_json_text(sheet), "sheet.json"), "sheet.json");
}

FileSet files_of(const Sheet& sheet) {
  FileSet files = {{"sheet.json", to_json_text(sheet)}};
  // Of a sheet that a form cannot draw, why.
  const auto add = [&](const auto& draw) {
    try {
      draw();
    } catch (const InputError& error) {
      files["refusal " + std::to_string(files.size())] = error.what();
    }
  };
  add([&] { write_tables(sheet, files); });
  add([&] { write_site(sheet, builtin_templates(), 1, files); });
  add([&] { files["sheet.pdf"] = pdf_handout(sheet, Paper::kA4); });
  add([&] { files["sheet.xlsx"] = xlsx_workbook(sheet, false); });
  return files;
}

void expect_same_text(const Sheet& sheet, const std::string& name) {
  EXPECT_TRUE(to_json_text(read_back(sheet)) == to_json_text(sheet)) << name;
}

void expect_same_files(const Sheet& sheet, const std::string& name) {
  const FileSet expected = files_of(sheet);
  const FileSet got = files_of(read_back(sheet));
  ASSERT_EQ(got.size(), expected.size()) << name;
  for (const auto& [file, bytes] : expected) {
    ASSERT_TRUE(got.contains(file)) << name << ": " << file;
    EXPECT_TRUE(got.at(file) == bytes) << name << ": " << file;
  }
}

TEST(RoundTrip, TheQuarterlySheet) { expect_same_files(quarterly_sheet(), "quarterly"); }

TEST(RoundTrip, HandMadeSheets) {
  expect_same_files(small_sheet(), "small");
  expect_same_files(sample_sheet(), "sample");
  expect_same_files(changed_sheet(), "changed");
  Sheet sheet = unchanged_sheet();
  sheet.meta.paper = "letter";
  sheet.meta.base_url = "https://sheet.example/";
  expect_same_files(sheet, "unchanged");
}

/// Every method of the catalog under each stack, of a small model on one type of GPU.
TEST(RoundTrip, EveryMethodUnderEveryStack) {
  Texts methods;
  for (const auto& [id, method] : project_catalog().methods) methods.push_back(id);
  std::size_t number = 0;
  std::size_t modelled = 0;
  for (const auto& [id, stack] : project_catalog().stacks) {
    Json spec = quarterly_of({"llama-3.2-3b"}, methods, {"h100-sxm"});
    spec["scenarios"][0].update(
        {{"stack", id},
         {"id", id},
         {"request", {{"workload", {{"seq_len", 2048}, {"micro_batch", 1}}}}}});
    if (!is_due(number++, 1)) continue;
    const Sheet sheet = built(spec_of(spec));
    for (const Row& row : sheet.rows) modelled += row.modelled ? 1 : 0;
    const Sheet back = read_back(sheet);
    check_sheet(back, "sheet.json");
    FileSet expected;
    FileSet got;
    write_site(sheet, builtin_templates(), 1, expected);
    write_site(back, builtin_templates(), 1, got);
    for (const auto& [file, bytes] : expected) EXPECT_TRUE(got.at(file) == bytes) << id << file;
    EXPECT_TRUE(to_json_text(back) == to_json_text(sheet)) << id;
  }
  EXPECT_GE(modelled, number / 2);
}

/// Without what names a row or a GPU type that stretching the sample sheet left behind.
Sheet without_strays(Sheet sheet) {
  const auto no_gpu = [&](const auto& item) {
    return std::none_of(sheet.gpus.begin(), sheet.gpus.end(),
                        [&](const SheetGpu& gpu) { return gpu.id == item.gpu; });
  };
  const auto no_row = [&](const auto& item) { return sheet.find(item.row_key) == nullptr; };
  std::erase_if(sheet.prices, no_gpu);
  std::erase_if(sheet.machines, no_gpu);
  std::erase_if(sheet.offers, no_row);
  std::erase_if(sheet.series, no_row);
  std::erase_if(sheet.what_if, no_row);
  sheet.zero_stages.clear();
  sheet.adapter_ranks.clear();
  sheet.advice.reset();  // its cards hold models of the sample
  if (!sheet.ownership) return sheet;
  std::erase_if(sheet.ownership->uses, no_row);
  std::erase_if(sheet.ownership->tornadoes, no_row);
  std::erase_if(sheet.ownership->buy_or_rent, [&](const BuyOrRent& choice) {
    return !sheet.find(choice.buy_key) || !sheet.find(choice.rent_key);
  });
  return sheet;
}

/// Of 200 random sheets every tenth is read back, every 50th drawn.
TEST(RoundTrip, RandomSheets) {
  for (std::uint32_t number = 0; number < 200; ++number) {
    if (!is_due(number, 10)) continue;
    const Sheet sheet = without_strays(pdf::random_sheet(number));
    const std::string name = "random sheet " + std::to_string(number);
    if (is_due(number, 50)) {
      expect_same_files(sheet, name);
    } else {
      expect_same_text(sheet, name);
    }
  }
}

}  // namespace
}  // namespace sizesheet
