// SPDX-License-Identifier: Apache-2.0
// Why a count below the set-up's is not rented.

#include "render/smaller_counts.h"

#include <gtest/gtest.h>

#include "sheet/decision.h"
#include "sheet/sheet.h"
#include "support/money.h"

namespace sizesheet {
namespace {

MicroUsd usd_of_count(double usd) { return rounded_usd(usd); }

/// A row of 8 GPUs that takes 2 h and costs $50, at most $60.
struct Shown {
  Sheet sheet;
  Row row;

  Shown() {
    sheet.gpus.emplace_back().id = "b200";
    sheet.gpus.back().short_name = "B200";
    sheet.options.deadline_hours = 72;
    row.gpu = "b200";
    row.layout.gpus = 8;
    RunCandidate& run = row.candidates.emplace_back();
    run.gpu = "b200";
    run.gpus = 8;
    run.hours = {1.5, 2, 3};
    run.usd = {usd_of_count(40), usd_of_count(50), usd_of_count(60)};
    row.chosen = 0;
  }
};

SmallerCount count_of(double hours, double most_hours, double usd, double most_usd) {
  SmallerCount count;
  count.gpus = 2;
  count.hours = Hours{hours / 2, hours, most_hours};
  count.usd = UsdRange{usd_of_count(usd / 2), usd_of_count(usd), usd_of_count(most_usd)};
  count.allowed = most_hours <= 72;
  return count;
}

TEST(SmallerCounts, EachSaysWhyItIsNotTaken) {
  Shown shown;
  SmallerCount unpriced = count_of(9, 12, 0, 0);
  unpriced.usd.reset();
  SmallerCount untimed = unpriced;
  untimed.hours.reset();
  struct Case {
    SmallerCount count;
    std::string why, sentence;
  };
  for (const Case& c : std::vector<Case>{
           {count_of(9, 12, 70, 90), "slower and more expensive",
            "2\u00a0×\u00a0B200 fits, takes 9.0 h and costs $70.0: slower and more expensive."},
           {count_of(1.9, 2.5, 70, 90), "more expensive",
            "2\u00a0×\u00a0B200 fits, takes 1.9 h and costs $70.0: more expensive."},
           {count_of(9, 12, 49, 90), "cheaper on average, but up to $90.0",
            "2\u00a0×\u00a0B200 fits, takes 9.0 h and costs $49.0: cheaper on average, but up to "
            "$90.0."},
           {count_of(50, 96, 30, 40), "too slow: up to 96.0 h, the limit is 72 h",
            "2\u00a0×\u00a0B200 fits, takes 50.0 h and costs $30.0: too slow: up to 96.0 h, the "
            "limit is 72 h."},
           {unpriced, "no valid offer",
            "2\u00a0×\u00a0B200 fits and takes 9.0 h, but has no valid offer."},
           {untimed, "its speed is not known",
            "2\u00a0×\u00a0B200 fits, but its speed is not known."}}) {
    EXPECT_EQ(why_not(shown.sheet, shown.row, c.count), c.why);
    shown.row.smaller_counts = {c.count};
    EXPECT_EQ(why_not_fewer(shown.sheet, shown.row), c.sentence);
  }
}

TEST(SmallerCounts, WhereNoneFitsTheNextOneSaysWhatItLacks) {
  Shown shown;
  EXPECT_EQ(why_not_fewer(shown.sheet, shown.row), "");
  CountCheck fewer;
  fewer.gpus = 4;
  fewer.verdict = Verdict::kNo;
  fewer.device = std::int64_t{90} << 30;
  shown.row.fewer = fewer;
  shown.row.memory.capacity = std::int64_t{79} << 30;
  EXPECT_EQ(why_not_fewer(shown.sheet, shown.row),
            "4\u00a0×\u00a0B200 needs 90.0\u00a0GiB per GPU (79.0 usable): too little memory.");
}

}  // namespace
}  // namespace sizesheet
