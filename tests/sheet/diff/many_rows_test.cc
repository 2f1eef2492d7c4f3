// SPDX-License-Identifier: Apache-2.0
// Editions of thousands of random rows: what must hold whatever moved.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/money.h"
#include "support/money.h"

namespace sizesheet {
namespace {

constexpr int kModels = 1200;

std::int64_t drawn(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

/// Model number i on GPUs "a" and "b"; some have no hours, and so no dollars per run.
void add_model(int i, std::mt19937_64& random, Edition& edition) {
  const std::string model = "m" + std::to_string(i);
  edition.models.push_back({model, {}});
  Pick pick = sample_pick(model);
  for (const char* gpu : {"a", "b"}) {
    EditionRow row =
        sample_row(model, gpu, drawn(random, 1, 64), drawn(random, 100'000, 9'999'999));
    row.side.hours = static_cast<double>(drawn(random, 1, 5'000'000)) / 10000;
    reprice(row);
    if (drawn(random, 0, 9) == 0) {
      row.side.hours.reset();
      row.side.list_usd_per_run.reset();
    } else if (!pick.rent_key || drawn(random, 0, 1) == 0) {
      pick.rent_key = row.key();
    }
    edition.rows.push_back(std::move(row));
  }
  edition.picks.push_back(std::move(pick));
}

Edition random_edition(unsigned number) {
  std::mt19937_64 random(number);
  Edition edition = sample_edition();
  for (int i = 0; i < kModels; ++i) add_model(i, random, edition);
  return edition;
}

MicroUsd sum_of(const ChangeEffects& effects) {
  return effects.price + effects.quantity + effects.time + effects.mix;
}

TEST(ManyRows, effects_add_up_to_the_micro_dollar) {
  const SheetChanges changes = compare_editions(random_edition(1), random_edition(2), {});
  EXPECT_EQ(2 * kModels + 4, changes.rows.compared);
  EXPECT_GT(changes.changes.size(), 2000U);
  for (const Change& change : changes.changes) {
    if (!change.effects_usd) continue;
    EXPECT_EQ(change.effects_usd->total, sum_of(*change.effects_usd)) << change.key;
    EXPECT_EQ(*change.new_side->list_usd_per_run - *change.old_side->list_usd_per_run,
              change.effects_usd->total)
        << change.key;
  }
  for (const ChangeTotals* totals : {&changes.row_totals, &changes.pick_totals}) {
    EXPECT_GT(totals->comparable, 900);
    EXPECT_EQ(totals->effects.total, sum_of(totals->effects));
    EXPECT_EQ(totals->effects.total, totals->new_usd - totals->old_usd);
    EXPECT_EQ(totals->effects.total, totals->up_usd + totals->down_usd);
  }
}

TEST(ManyRows, the_mirrored_comparison_negates_the_totals) {
  const SheetChanges there = compare_editions(random_edition(3), random_edition(4), {});
  const SheetChanges back = compare_editions(random_edition(4), random_edition(3), {});
  for (const auto& [one, other] :
       {std::pair{&there.row_totals, &back.row_totals}, {&there.pick_totals, &back.pick_totals}}) {
    EXPECT_EQ(one->comparable, other->comparable);
    EXPECT_EQ(one->old_usd, other->new_usd);
    EXPECT_EQ(MicroUsd{} - one->effects.total, other->effects.total);
    EXPECT_EQ(MicroUsd{} - one->up_usd, other->down_usd);
  }
}

TEST(ManyRows, the_order_of_rows_in_either_edition_does_not_matter) {
  const Edition old_edition = random_edition(5);
  const Edition new_edition = random_edition(6);
  Edition old_shuffled = old_edition;
  Edition new_shuffled = new_edition;
  std::mt19937_64 random(7);
  std::shuffle(old_shuffled.rows.begin(), old_shuffled.rows.end(), random);
  std::shuffle(new_shuffled.rows.begin(), new_shuffled.rows.end(), random);
  EXPECT_EQ(to_json(compare_editions(old_edition, new_edition, {})).dump(),
            to_json(compare_editions(old_shuffled, new_shuffled, {})).dump());
}

}  // namespace
}  // namespace sizesheet
