// SPDX-License-Identifier: Apache-2.0
// Slips of the hand in prices: each kind is said, whole and once, and sound rows are let be.
#include "catalog/prices/price_warnings.h"

#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "catalog/sample_catalog.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Price asked(const std::string& provider, std::int64_t gpus, double usd, const std::string& as_of,
            const std::string& tier = "on_demand") {
  Price price;
  price.provider = provider;
  price.region = "any";
  price.instance = std::to_string(gpus) + "x";
  price.gpu = "h100";
  price.tier = tier;
  price.gpus = gpus;
  price.usd_per_instance_hour = rounded_usd(usd);
  price.as_of = as_of;
  return price;
}

Texts said(const std::vector<Price>& prices, const std::string& day = "2026-11-20") {
  Texts texts;
  for (const PriceWarning& odd : price_warnings(prices, prices, day)) {
    texts.push_back(std::to_string(odd.row) + " " + odd.key + " " + odd.text);
  }
  return texts;
}

TEST(PriceWarnings, ThePriceOfOneGpuForEight) {
  std::vector<Price> prices = {asked("a", 1, 3, "2026-10-01"), asked("b", 8, 24, "2026-10-01"),
                               asked("c", 8, 2.4, "2026-10-01"), asked("d", 1, 1.5, "2026-10-01")};
  const std::string words =
      "$0.3 per GPU-hour ($2.4 / 8) is below a third of $3, the median of other sellers";
  EXPECT_EQ(said(prices), Texts{"2 usd_per_instance_hour c/any/8x/h100/on_demand/8/2026-10-01: " +
                                words + "; is it the price of one GPU?"});
  mark_doubts(prices);
  EXPECT_EQ(prices[2].doubt, words);
  EXPECT_EQ(prices[0].doubt + prices[1].doubt + prices[3].doubt, "");
  prices[2].confirmed = "read again on 2026-10-02";
  prices[2].doubt = "";
  mark_doubts(prices);
  EXPECT_EQ(prices[2].doubt, "");
  EXPECT_EQ(said(prices), Texts{});
}

TEST(PriceWarnings, OneGpuTooAndUpwards) {
  std::vector<Price> prices = {asked("a", 1, 3, "2026-10-01"), asked("b", 1, 4, "2026-10-01"),
                               asked("c", 1, 3, "2026-10-01"), asked("low", 1, 0.5, "2026-10-01"),
                               asked("high", 8, 23000, "2026-10-01")};
  const std::string low =
      "low/any/1x/h100/on_demand/1/2026-10-01: $0.5 per GPU-hour is below a third of $3.5, the "
      "median of other sellers; is it the floor of an auction?";
  const std::string high =
      "high/any/8x/h100/on_demand/8/2026-10-01: $2875 per GPU-hour ($23000 / 8) is above three "
      "times "
      "$3, the median of other sellers; is it the price of an hour?";
  EXPECT_EQ(said(prices),
            (Texts{"3 usd_per_instance_hour " + low, "4 usd_per_instance_hour " + high}));
  mark_doubts(prices);
  EXPECT_FALSE(prices[3].doubt.empty());
  EXPECT_EQ(prices[4].doubt, "") << "what is too high never wins, so it counts";
}

TEST(PriceWarnings, AHighRowIsUsualWithinTwoTimesOfAnotherOfItsSeller) {
  std::vector<Price> prices = {asked("a", 1, 3, "2026-10-01"), asked("b", 1, 3, "2026-10-01"),
                               asked("c", 1, 3, "2026-10-01"), asked("cloud", 8, 88, "2026-10-01"),
                               asked("cloud", 1, 22, "2026-10-01")};
  EXPECT_EQ(said(prices), Texts{});
  prices[4].usd_per_instance_hour = rounded_usd(22.1);
  EXPECT_EQ(said(prices).size(), 2U);
  prices.pop_back();
  EXPECT_EQ(said(prices).size(), 1U) << "none vouches for itself";
}

TEST(PriceWarnings, ABidOfAMarketplaceIsNoPriceOnDemand) {
  std::vector<Price> prices = {asked("a", 8, 12, "2026-10-01"),
                               asked("a", 8, 12, "2026-10-01", "spot")};
  const std::string spot =
      "1 usd_per_instance_hour a/any/8x/h100/spot/8/2026-10-01: spot at $12 is the price on demand";
  EXPECT_EQ(said(prices), Texts{spot});
  for (Price& price : prices) price.offer = "marketplace";
  EXPECT_EQ(said(prices),
            (Texts{"0 usd_per_instance_hour a/any/8x/h100/on_demand/8/2026-10-01: on demand at $12 "
                   "is the spot price of a marketplace; is it the bid of an auction?",
                   spot}));
  prices[0].confirmed = "the seller's page";
  EXPECT_EQ(said(prices), Texts{spot});
}

TEST(PriceWarnings, EachSellerIsOneVoice) {
  std::vector<Price> prices = {asked("a", 1, 6, "2026-10-01"), asked("b", 1, 7, "2026-10-01"),
                               asked("new", 1, 8, "2026-10-01")};
  for (int region = 0; region < 9; ++region) prices.push_back(asked("a", 1, 12, "2026-10-01"));
  EXPECT_EQ(said(prices), Texts{});
  prices[2].usd_per_instance_hour = rounded_usd(29);
  EXPECT_EQ(
      said(prices),
      Texts{"2 usd_per_instance_hour new/any/1x/h100/on_demand/1/2026-10-01: $29 per GPU-hour "
            "is above three times $9.5, the median of other sellers; is it the price of an "
            "hour?"});
}

TEST(PriceWarnings, AHighRowIsUsualNearAConfirmedOneAndALowOneIsNot) {
  std::vector<Price> prices = {
      asked("a", 1, 3, "2026-10-01"),      asked("b", 1, 3, "2026-10-01"),
      asked("c", 1, 3, "2026-10-01"),      asked("cloud", 1, 11, "2026-10-01"),
      asked("other", 1, 12, "2026-10-01"), asked("floor", 1, 0.4, "2026-10-01"),
      asked("below", 1, 0.5, "2026-10-01")};
  EXPECT_EQ(said(prices).size(), 4U);
  prices[3].confirmed = prices[5].confirmed = "the seller's page";
  EXPECT_EQ(said(prices),
            Texts{"6 usd_per_instance_hour below/any/1x/h100/on_demand/1/2026-10-01: $0.5 per "
                  "GPU-hour is below a third of $3, the median of other sellers; is it the floor "
                  "of an auction?"});
}

TEST(PriceWarnings, BelowACentNothingIsBelieved) {
  EXPECT_EQ(said({asked("a", 8, 0.0799, "2026-10-01")}),
            Texts{"0 usd_per_instance_hour a/any/8x/h100/on_demand/8/2026-10-01: $0.009988 per "
                  "GPU-hour ($0.0799 / 8) is below one cent; is it the price of one GPU?"});
  EXPECT_EQ(said({asked("a", 8, 0.08, "2026-10-01")}), Texts{});
}

TEST(PriceWarnings, ASpotPriceThatIsTheOneOnDemand) {
  std::vector<Price> prices = {asked("a", 1, 3, "2026-10-01"),
                               asked("a", 1, 3, "2026-10-01", "spot")};
  EXPECT_EQ(said(prices), Texts{"1 usd_per_instance_hour a/any/1x/h100/spot/1/2026-10-01: spot at "
                                "$3 is the price on demand"});
  prices[1].confirmed = "the seller's page";
  EXPECT_EQ(said(prices), Texts{});
}

TEST(PriceWarnings, SpotAboveTheLastOnDemandOfTheSameMachine) {
  const std::vector<Price> prices = {asked("a", 1, 3, "2026-09-01"), asked("a", 1, 4, "2026-10-01"),
                                     asked("a", 1, 3.5, "2026-09-15", "spot"),
                                     asked("a", 1, 3.5, "2026-10-01", "spot"),
                                     asked("b", 1, 9, "2026-10-01", "spot")};
  EXPECT_EQ(said(prices), Texts{"2 usd_per_instance_hour a/any/1x/h100/spot/1/2026-09-15: spot at "
                                "$3.5 is above on demand at $3"});
}

TEST(PriceWarnings, ALeapOfTheSameOffer) {
  std::vector<Price> prices = {asked("a", 1, 2.5, "2026-09-01"), asked("a", 1, 25, "2026-10-01"),
                               asked("a", 1, 2.4, "2026-11-01"), asked("b", 1, 2.5, "2026-09-01"),
                               asked("b", 1, 24.9, "2026-10-01")};
  for (std::size_t of_b : {3U, 4U}) prices[of_b].gpu = "h200";
  EXPECT_EQ(said(prices),
            (Texts{"1 usd_per_instance_hour a/any/1x/h100/on_demand/1/2026-10-01: $25 is ten times "
                   "the $2.5 of the same offer on 2026-09-01, or more",
                   "2 usd_per_instance_hour a/any/1x/h100/on_demand/1/2026-11-01: $2.4 is a tenth "
                   "of the $25 of the same offer on 2026-10-01, or less"}));
}

TEST(PriceWarnings, ADayThatIsStillToCome) {
  const std::vector<Price> prices = {asked("a", 1, 3, "2026-11-20"),
                                     asked("b", 1, 3, "2026-11-21")};
  EXPECT_EQ(said(prices), Texts{"1 as_of b/any/1x/h100/on_demand/1/2026-11-21: dated after "
                                "2026-11-20, the day of the sheet"});
  EXPECT_EQ(said(prices, ""), Texts{});
}

TEST(PriceWarnings, ASettledRowIsNeitherJudgedNorAMeasure) {
  std::vector<Price> prices = {asked("a", 1, 2.5, "2026-09-01"), asked("a", 1, 25, "2026-10-01")};
  prices[0].settled = "another card";
  EXPECT_EQ(said(prices), Texts{});
}

TEST(PriceWarnings, NewRowsAreHeldAgainstTheKnownOnes) {
  const std::vector<Price> known = {asked("a", 1, 2.5, "2026-09-01")};
  const std::vector<Price> rows = {asked("a", 1, 25, "2026-10-01")};
  const std::vector<PriceWarning> odd = price_warnings(rows, known, "");
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(odd[0].row, 0U);
}

TEST(PriceWarnings, NoneStandsInTheProjectsCatalog) {
  EXPECT_EQ(said(project_catalog().prices), Texts{});
}

TEST(PriceWarnings, ARowInDoubtIsMarkedAsTheCatalogIsLoaded) {
  Documents documents = sample_documents();
  Json& rows = documents["prices/cloud.json"]["rows"];
  rows.push_back(rows[0]);
  rows[1].update({{"instance", "p6"}, {"usd_per_instance_hour", 2.4}});
  const Price price = loaded(documents).prices.at(1);
  EXPECT_EQ(price.doubt,
            "$0.3 per GPU-hour ($2.4 / 8) is below a third of $2.05625, the median of the catalog");
  EXPECT_EQ(price.pointer, "/rows/1");
  rows[1]["confirmed"] = "read twice";
  EXPECT_EQ(loaded(documents).prices.at(1).doubt, "");
}

}  // namespace
}  // namespace sizesheet
