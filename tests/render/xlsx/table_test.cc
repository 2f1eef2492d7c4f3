// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/table.h"

#include <gtest/gtest.h>

#include "support/refusal.h"

namespace sizesheet::xlsx {
namespace {

std::vector<Column> three_columns() {
  std::vector<Column> columns(3);
  columns[0].key = "gpus";
  columns[1].key = "usd";
  columns[2].key = "total";
  return columns;
}

TEST(XlsxTable, letters_count_as_spreadsheets_do) {
  EXPECT_EQ(column_letters(0), "A");
  EXPECT_EQ(column_letters(25), "Z");
  EXPECT_EQ(column_letters(26), "AA");
  EXPECT_EQ(column_letters(51), "AZ");
  EXPECT_EQ(column_letters(52), "BA");
  EXPECT_EQ(column_letters(701), "ZZ");
  EXPECT_EQ(column_letters(702), "AAA");
}

TEST(XlsxTable, a_formula_names_cells_of_its_row) {
  EXPECT_EQ(in_row("ROUND({gpus}*{usd},6)+{gpus}", three_columns(), 6), "ROUND($A7*$B7,6)+$A7");
  EXPECT_EQ(in_row("pue*2", three_columns(), 0), "pue*2");
}

TEST(XlsxTable, a_column_that_is_not_there_is_a_mistake_of_ours) {
  try {
    in_row("{gpu}*2", three_columns(), 0);
    FAIL() << "accepted";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "a formula names a column that is not there: gpu");
  }
}

TEST(XlsxTable, cells_of_a_column_are_absolute) {
  EXPECT_EQ(column_cells("Rent vs buy", 2, 5, 10), "'Rent vs buy'!$C$6:$C$15");
}

TEST(XlsxTable, days_count_from_the_end_of_1899) {
  EXPECT_EQ(excel_day("1970-01-01"), 25569);
  EXPECT_EQ(excel_day("2026-11-20"), 46346);
  EXPECT_EQ(excel_day("2026-11"), 46327);
  EXPECT_EQ(excel_day("autumn"), std::nullopt);
}

TEST(XlsxTable, unknown_is_an_empty_cell) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(std::string())));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(std::optional<MicroUsd>())));
  EXPECT_EQ(std::get<double>(cell(std::optional<MicroUsd>(MicroUsd{0}))), 0.0);
  EXPECT_EQ(std::get<double>(cell(MicroUsd{2'760'000})), 2.76);
}

}  // namespace
}  // namespace sizesheet::xlsx
