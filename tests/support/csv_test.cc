// SPDX-License-Identifier: Apache-2.0
#include "catalog/import/csv.h"

#include <gtest/gtest.h>

#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string csv_refusal(const std::string& text) {
  return refusal_of([&] { parse_csv(text, "a.csv"); });
}

TEST(ReadCsv, PlainTable) {
  const CsvTable table = parse_csv("a,b\n1,2\n3,\n", "a.csv");
  EXPECT_EQ(table.header, (Texts{"a", "b"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].cells, (Texts{"1", "2"}));
  EXPECT_EQ(table.rows[1].cells, (Texts{"3", ""}));
  EXPECT_EQ(table.rows[1].line, 3);
  EXPECT_EQ(table.column("b"), 1U);
  EXPECT_EQ(table.column("c"), std::nullopt);
}

TEST(ReadCsv, CarriageReturnsAByteOrderMarkAndNoLastNewline) {
  const CsvTable table = parse_csv(
      "\xEF\xBB\xBF"
      "a,b\r\n1,2\r\n3,4",
      "a.csv");
  EXPECT_EQ(table.header, (Texts{"a", "b"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].line, 2);
  EXPECT_EQ(table.rows[1].cells, (Texts{"3", "4"}));
  EXPECT_EQ(table.rows[1].line, 3);
}

TEST(ReadCsv, QuotedFieldsHoldCommasQuotesAndLines) {
  const CsvTable table =
      parse_csv("a,b\n\"x, y\",\"say \"\"so\"\"\"\n\"two\nlines\",z\nlast,w\n", "a.csv");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].cells, (Texts{"x, y", "say \"so\""}));
  EXPECT_EQ(table.rows[1].cells, (Texts{"two\nlines", "z"}));
  EXPECT_EQ(table.rows[1].line, 3);
  EXPECT_EQ(table.rows[2].line, 5);
}

TEST(ReadCsv, BlankLinesCountAsLinesOnly) {
  const CsvTable table = parse_csv("\na,b\n\n\n1,2\n\n3,4\n", "a.csv");
  EXPECT_EQ(table.header, (Texts{"a", "b"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].line, 5);
  EXPECT_EQ(table.rows[1].line, 7);
}

TEST(ReadCsv, RowsKeepTheirWidth) {
  const CsvTable table = parse_csv("a,b\n1\n1,2,3\n", "a.csv");
  EXPECT_EQ(table.rows[0].cells.size(), 1U);
  EXPECT_EQ(table.rows[1].cells.size(), 3U);
}

TEST(ReadCsv, WhatCannotBeReadNamesItsLine) {
  EXPECT_EQ(csv_refusal(""), "a.csv: expected a line of column names, got nothing");
  EXPECT_EQ(csv_refusal("\n\n"), "a.csv: expected a line of column names, got nothing");
  EXPECT_EQ(csv_refusal("a,b\n1,2\n3,x\"y\n"),
            "a.csv:3: expected a quote only around a whole field, and doubled inside one");
  EXPECT_EQ(csv_refusal("a,b\n1,\"x\"y\n"),
            "a.csv:2: expected a quote only around a whole field, and doubled inside one");
  EXPECT_EQ(csv_refusal("a,b\n1,2\n\"open,4\n5,6\n"),
            "a.csv:3: expected a closing quote, got the end of the file");
  EXPECT_EQ(csv_refusal("a,b,a\n"), "a.csv:1: expected every column once, got \"a\" again");
  EXPECT_EQ(csv_refusal("a,\xFF\n"), "a.csv: expected UTF-8");
}

}  // namespace
}  // namespace sizesheet
