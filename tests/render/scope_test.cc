// SPDX-License-Identifier: Apache-2.0
// What is said to be in the money and what is not, by the sheet's own rates, in every form.
#include <gtest/gtest.h>

#include "cli/small_sheet.h"
#include "render/pdf/notes.h"
#include "render/writers.h"
#include "render/xlsx/sheets.h"
#include "sheet/build/parts.h"
#include "sheet/quarterly.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The sheet with another support rate: one that covers nothing.
Sheet without_cover(Sheet sheet = quarterly_sheet()) {
  for (SheetEstimate& rate : sheet.rates) rate.covers.clear();
  return sheet;
}

/// The same, with people a node in their own right.
Sheet with_staff() {
  Sheet sheet = without_cover();
  SheetEstimate& staff = sheet.rates.emplace_back();
  staff.id = "staff-fte-per-node";
  staff.role = "staff_fte_per_node";
  return sheet;
}

std::string listed(const Sheet& sheet) {
  std::vector<std::string> words;
  for (const LeftOut& out : left_out(sheet)) words.push_back(out.words);
  return joined_words(words);
}

constexpr const char* kWithoutStaff =
    "tax, storage, data egress, failed runs, evaluation runs and the network between nodes where "
    "no "
    "price states it";
constexpr const char* kWithStaff =
    "tax, storage, data egress, staff, failed runs, evaluation runs and the network between nodes "
    "where no price states it";

TEST(Scope, ARateThatCoversStaffIncludesIt) {
  EXPECT_EQ(listed(quarterly_sheet()), kWithoutStaff);
  EXPECT_EQ(running_costs_words(quarterly_sheet()),
            "Running costs of an owned machine include support and staff; rent includes no staff.");
}

TEST(Scope, StaffOfTheSpecificationIsIncluded) {
  EXPECT_EQ(listed(with_staff()), kWithoutStaff);
  EXPECT_EQ(running_costs_words(with_staff()),
            "Running costs of an owned machine include support and staff; rent includes no staff.");
}

TEST(Scope, WithoutEitherStaffIsLeftOut) {
  EXPECT_EQ(listed(without_cover()), kWithStaff);
  EXPECT_EQ(running_costs_words(without_cover()),
            "Running costs of an owned machine include support.");
  Sheet rented = without_cover();
  rented.ownership.reset();
  EXPECT_EQ(running_costs_words(rented), "");
}

/// Whether each form of the sheet says that staff is left out: pages, handout, workbook.
void expect_staff_left_out(const Sheet& sheet, bool expected) {
  FileSet files;
  write_site(sheet, builtin_templates(), 1, files);
  std::size_t pages = 0;
  for (const auto& [name, text] : files) {
    if (!name.ends_with(".html")) continue;
    ++pages;
    EXPECT_NE(text.find(std::string("Not included: ") + (expected ? kWithStaff : kWithoutStaff)),
              std::string::npos)
        << name;
    EXPECT_EQ(text.find("data egress, staff") != std::string::npos, expected) << name;
  }
  EXPECT_GT(pages, 10U);
  EXPECT_EQ(pdf::notes_of(sheet)[2].sentences.front(),
            std::string("Tax, storage, egress, ") + (expected ? "staff, " : "") +
                "failed runs, evaluation runs and networks between nodes where unpriced.");
  bool workbook = false;
  for (const xlsx::TableRow& row : xlsx::terms_table(sheet).rows) {
    workbook |= row.cells.at("where") == xlsx::cell(std::string("Not priced")) &&
                row.cells.at("term") == xlsx::cell(std::string("Staff"));
  }
  EXPECT_EQ(workbook, expected);
}

TEST(Scope, EveryFormOfTheEditionSaysTheSame) {
  expect_staff_left_out(small_sheet(), false);
  expect_staff_left_out(without_cover(small_sheet()), true);
}

TEST(Scope, TheHandoutNamesTheRunningCosts) {
  const auto words = [](const Sheet& sheet) { return pdf::notes_of(sheet)[0].sentences.back(); };
  EXPECT_EQ(
      words(quarterly_sheet()),
      "Own: whole nodes, 5 years, 9\u00a0% cost of capital, power, space, support and staff.");
  EXPECT_EQ(words(without_cover()),
            "Own: whole nodes, 5 years, 9\u00a0% cost of capital, power, space and support.");
}

TEST(Scope, WordsAreJoinedAsPeopleDo) {
  EXPECT_EQ(joined_words({}), "");
  EXPECT_EQ(joined_words({"a"}), "a");
  EXPECT_EQ(joined_words({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace sizesheet
