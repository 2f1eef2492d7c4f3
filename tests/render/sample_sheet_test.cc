// SPDX-License-Identifier: Apache-2.0
// The sample sheet must show every state a writer has to draw.
#include "render/sample_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sizesheet {
namespace {

TEST(SampleSheet, has_nine_sizes_three_methods_nine_cards) {
  const Sheet& sheet = sample_sheet();
  EXPECT_EQ(sheet.models.size(), 9U);
  EXPECT_EQ(sheet.methods.size(), 3U);
  EXPECT_EQ(sheet.gpus.size(), 9U);
  EXPECT_EQ(sheet.picks.size(), 27U);
  EXPECT_EQ(sheet.rows.size(), 9U * 3U * 9U + 6U);
}

TEST(SampleSheet, every_state_occurs) {
  using Holds = bool (*)(const Row&);
  const std::pair<const char*, Holds> states[] = {
      {"refused", [](const Row& row) { return !row.modelled; }},
      {"fits nowhere", [](const Row& row) { return row.verdict == Verdict::kNo; }},
      {"tight at most", [](const Row& row) { return row.tight && !row.rentable; }},
      {"tight on fewer", [](const Row& row) { return row.rentable && *row.tight < *row.rentable; }},
      {"without a price",
       [](const Row& row) { return row.verdict == Verdict::kFits && !row.rents[kOnDemand]; }},
      {"not sold", [](const Row& row) { return row.rents[kOnDemand] && !row.own; }},
      {"only sold", [](const Row& row) { return row.own && !row.own->advice; }},
      {"never breaks even",
       [](const Row& row) {
         return row.own && row.own->advice && !row.own->break_even_hours_per_month;
       }},
      {"close", [](const Row& row) { return row.own && row.own->close; }},
      {"buy", [](const Row& row) { return row.own && row.own->advice == "buy"; }},
      {"every tier", [](const Row& row) { return row.rents[kSpot] && row.rents[kReserved1y]; }},
      {"late", [](const Row& row) { return row.deadline_gpus.has_value(); }}};
  const std::vector<Row>& rows = sample_sheet().rows;
  for (const auto& [state, holds] : states) EXPECT_TRUE(std::ranges::any_of(rows, holds)) << state;
}

}  // namespace
}  // namespace sizesheet
