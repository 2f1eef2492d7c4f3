// SPDX-License-Identifier: Apache-2.0
// The sample sheet must agree with itself and show every state a writer has to draw.
#include "render/sample_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sizesheet {
namespace {

bool any(const Sheet& sheet, bool (*holds)(const Row&)) {
  return std::any_of(sheet.rows.begin(), sheet.rows.end(), holds);
}

TEST(SampleSheet, terms_sum_to_the_device_figure) {
  const Sheet sheet = sample_sheet();
  for (const Row& row : sheet.rows) {
    std::int64_t sum = 0;
    for (const MemoryTerm& term : row.terms) sum += term.bytes;
    EXPECT_EQ(sum, row.memory.device) << row.key();
  }
}

TEST(SampleSheet, ownership_parts_sum_to_the_month) {
  const Sheet sheet = sample_sheet();
  for (const Row& row : sheet.rows) {
    if (!row.own) continue;
    MicroUsd sum;
    for (const auto& [name, usd] : row.own->parts.named()) sum += usd;
    EXPECT_EQ(sum, row.own->own_usd_per_month) << row.key();
  }
}

TEST(SampleSheet, has_nine_sizes_three_methods_nine_cards) {
  const Sheet sheet = sample_sheet();
  EXPECT_EQ(sheet.models.size(), 9U);
  EXPECT_EQ(sheet.methods.size(), 3U);
  EXPECT_EQ(sheet.gpus.size(), 9U);
  EXPECT_EQ(sheet.picks.size(), 27U);
  EXPECT_EQ(sheet.rows.size(), 9U * 3U * 9U + 6U);
}

TEST(SampleSheet, every_state_occurs) {
  const Sheet sheet = sample_sheet();
  EXPECT_TRUE(any(sheet, [](const Row& row) { return !row.modelled; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.verdict == Verdict::kNo; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.tight && !row.rentable; }));
  EXPECT_TRUE(
      any(sheet, [](const Row& row) { return row.rentable && *row.tight < *row.rentable; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) {
    return row.verdict == Verdict::kFits && !row.rents[kOnDemand];
  }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.rents[kOnDemand] && !row.own; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.own && !row.own->advice; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) {
    return row.own && row.own->advice && !row.own->break_even_hours_per_month;
  }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.own && row.own->close; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.own && row.own->advice == "buy"; }));
  EXPECT_TRUE(
      any(sheet, [](const Row& row) { return row.rents[kSpot] && row.rents[kReserved1y]; }));
  EXPECT_TRUE(any(sheet, [](const Row& row) { return row.deadline_gpus.has_value(); }));
}

}  // namespace
}  // namespace sizesheet
