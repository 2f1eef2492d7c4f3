// SPDX-License-Identifier: Apache-2.0
// A row's rents have one line for each tier of the sheet, and no other tier indexes them.
#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "sheet/money.h"

namespace sizesheet {
namespace {

template <typename Tier>
concept IndexesRents = requires(Rents rents, const Tier& tier) {
  rents[tier];
};

static_assert(IndexesRents<SheetTier>);
static_assert(!IndexesRents<RentTier>, "price_tier() may return a tier that no sheet shows");

TEST(Rents, HaveALineOfTheirOwnForEachTier) {
  Rents rents;
  for (const SheetTier& tier : kRentTiers) {
    EXPECT_FALSE(rents[tier]) << tier.key;
    rents[tier].emplace().tier = tier.key;
  }
  for (const SheetTier& tier : kRentTiers) EXPECT_EQ(rents[tier]->tier, tier.key);
  const SheetTier copied = kSpot;
  EXPECT_EQ(rents[copied]->tier, "spot");
}

TEST(Rents, HaveNoLineForATierThatNoSheetShows) {
  EXPECT_EQ(rent_tier("spot"), &kSpot);
  EXPECT_EQ(rent_tier("reserved_5y"), nullptr);
  EXPECT_NE(find_tier("reserved_5y"), nullptr);
}

}  // namespace
}  // namespace sizesheet
