// SPDX-License-Identifier: Apache-2.0
#include "cost/ownership.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>

#include "cost/sample_terms.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// A yearly capital cost, from the monthly parts.
double annualised(const OwnLine& result) {
  return 12 * to_usd(result.parts.depreciation + result.parts.capital);
}

// The capital recovery factor worked out by hand: $300,000 and 20 % left after five years.
TEST(Ownership, RecoveryFactorByHand) {
  const auto at = [](double rate) { return cost_of_owning(bare_terms(rate)); };
  EXPECT_NEAR(annualised(at(0.00)), 48'000.00, 0.005);
  EXPECT_NEAR(annualised(at(0.08)), 64'909.55, 0.005);
  EXPECT_NEAR(annualised(at(0.10)), 69'311.40, 0.005);
  EXPECT_NEAR(annualised(at(0.11)), 71'536.87, 0.005);
  EXPECT_NEAR(to_usd(at(0.00).own_usd_per_gpu_hour), 0.9785, 0.00005);
  EXPECT_NEAR(to_usd(at(0.08).own_usd_per_gpu_hour), 1.3232, 0.00005);
  EXPECT_NEAR(to_usd(at(0.10).own_usd_per_gpu_hour), 1.4129, 0.00005);
  EXPECT_NEAR(to_usd(at(0.11).own_usd_per_gpu_hour), 1.4583, 0.00005);
}

TEST(Ownership, RecoveryFactorItself) {
  OwnershipTerms terms = bare_terms(0.10);
  terms.residual_share = 0;
  terms.capex_usd_per_node = MicroUsd{1'000'000'000'000};
  EXPECT_NEAR(annualised(cost_of_owning(terms)) / 1e6, 0.2637975, 5e-8);
  terms.cost_of_capital = 0.08;
  terms.life_years = 4;
  EXPECT_NEAR(annualised(cost_of_owning(terms)) / 1e6, 0.3019208, 5e-8);
}

TEST(Ownership, NoCostOfCapitalMeansNoCapitalCharge) {
  EXPECT_EQ(cost_of_owning(bare_terms(0)).parts.capital, MicroUsd{});
  OwnershipTerms part_years = bare_terms(0);
  part_years.life_years = 2.5;
  EXPECT_EQ(cost_of_owning(part_years).parts.capital, MicroUsd{});
}

// Where the yearly sum is not written out, the closed form has to agree with it at whole years.
TEST(Ownership, PartYearsLieBetweenWholeOnes) {
  OwnershipTerms terms = bare_terms(0.08);
  const double five = annualised(cost_of_owning(terms));
  terms.life_years = 5 + 1e-12;
  EXPECT_NEAR(annualised(cost_of_owning(terms)), five, 0.0001);
  terms.life_years = 4;
  const double four = annualised(cost_of_owning(terms));
  terms.life_years = 4.5;
  const double between = annualised(cost_of_owning(terms));
  EXPECT_LT(between, four);
  EXPECT_GT(between, five);
}

TEST(Ownership, StraightLineChargesTheAverageBalance) {
  OwnershipTerms terms = bare_terms(0.08);
  terms.capital_method = CapitalMethod::kStraightLine;
  EXPECT_EQ(cost_of_owning(terms).parts.capital, MicroUsd{1'200'000'000});
  EXPECT_EQ(id_of(kCapitalMethods, CapitalMethod::kStraightLine), "straight-line");
  EXPECT_EQ(id_of(kCapitalMethods, CapitalMethod::kRecoveryFactor), "recovery-factor");
}

// A published comparison that charges no capital: 64 accelerators, $1.92 M, $728,681 over 4 years.
OwnershipTerms undiscounted_terms() {
  OwnershipTerms terms;
  terms.gpus = 64;
  terms.capex_usd_per_node = MicroUsd{240'000'000'000};
  terms.life_years = 4;
  terms.staff_usd_per_year = MicroUsd{182'170'250'000};
  terms.utilisation = 0.7;
  terms.rent_usd_per_gpu_hour = MicroUsd{2'000'000};
  return terms;
}

TEST(Ownership, PublishedUndiscountedComparison) {
  const OwnLine result = cost_of_owning(undiscounted_terms());
  EXPECT_NEAR(to_usd(*result.savings_usd_over_life), 490'903, 0.5);
  EXPECT_NEAR(*result.break_even_utilisation, 0.5905, 0.00005);
  EXPECT_EQ(result.payback_month, 39);  // 3.19 years
  EXPECT_NEAR(to_usd(result.own_usd_per_gpu_hour), 1.687, 0.0005);
}

TEST(Ownership, PositiveSavingsCanHaveANegativePresentValue) {
  OwnershipTerms terms = undiscounted_terms();
  terms.cost_of_capital = 0.10;
  EXPECT_NEAR(to_usd(*cost_of_owning(terms).npv_usd), -9'440, 5);
}

TEST(Ownership, WholeNodesAreBoughtAndRequestedGpusDivide) {
  OwnershipTerms terms = h100_terms();
  terms.gpus = 12;
  const OwnLine result = cost_of_owning(terms);
  EXPECT_EQ(result.nodes, 2);
  EXPECT_EQ(result.gpus_bought, 16);
  EXPECT_EQ(result.capex_usd, MicroUsd{500'000'000'000});
  EXPECT_NEAR(to_usd(result.own_usd_per_gpu_hour),
              to_usd(result.own_usd_per_month) / (12 * 730 * 0.7), 1e-6);
}

// Worked out in exact fractions, outside this program.
TEST(Ownership, EveryTermCounts) {
  OwnershipTerms terms = h100_terms();
  terms.gpus = 12;
  terms.residual_share = 0.2;
  terms.staff_usd_per_year = MicroUsd{100'000'000'000};
  terms.network_usd_per_gpu = MicroUsd{1'234'500'000};
  terms.licence_usd_per_gpu_year = MicroUsd{4'500'000'000};
  terms.rent_usd_per_gpu_hour = MicroUsd{9'990'000};
  const OwnLine result = cost_of_owning(terms);
  EXPECT_EQ(result.parts.depreciation, MicroUsd{6'864'186'667});
  EXPECT_EQ(result.parts.capital, MicroUsd{2'418'131'280});
  EXPECT_EQ(result.parts.colo, MicroUsd{3'060'000'000});
  EXPECT_EQ(result.parts.support, MicroUsd{3'432'093'333});
  EXPECT_EQ(result.parts.energy, MicroUsd{1'246'758'240});
  EXPECT_EQ(result.parts.staff, MicroUsd{8'333'333'333});
  EXPECT_EQ(result.parts.network, MicroUsd{});
  EXPECT_EQ(result.parts.licence, MicroUsd{4'500'000'000});
  EXPECT_EQ(result.own_usd_per_month, MicroUsd{29'854'502'853});
  EXPECT_EQ(result.own_usd_per_gpu_hour, MicroUsd{4'868'640});
  EXPECT_EQ(result.fixed_usd_per_month, MicroUsd{29'149'813'413});
  EXPECT_EQ(result.full_use_usd_per_month, MicroUsd{30'156'512'613});
  EXPECT_EQ(result.rent_usd_per_month, MicroUsd{61'258'680'000});
  EXPECT_DOUBLE_EQ(*result.break_even_utilisation, 0.3369698545116);
  EXPECT_EQ(result.payback_month, 14);
  EXPECT_EQ(result.payback_month_cash, 13);
  EXPECT_EQ(result.savings_usd_over_life, MicroUsd{1'884'250'628'820});
  EXPECT_EQ(result.npv_usd, MicroUsd{1'504'653'279'624});
}

TEST(Ownership, OwningEqualsRentingAtTheBreakEven) {
  OwnershipTerms terms = h100_terms();
  terms.utilisation = *cost_of_owning(terms).break_even_utilisation;
  const OwnLine result = cost_of_owning(terms);
  EXPECT_NEAR(to_usd(result.own_usd_per_month), to_usd(*result.rent_usd_per_month), 2e-6);
  EXPECT_TRUE(result.close);
}

TEST(Ownership, NoBreakEvenWhereRentNeverCatchesUp) {
  OwnershipTerms terms = h100_terms();
  terms.rent_usd_per_gpu_hour = MicroUsd{1'000'000};  // beyond full use
  EXPECT_FALSE(cost_of_owning(terms).break_even_utilisation);
  EXPECT_FALSE(cost_of_owning(terms).break_even_hours_per_month);
  terms.rent_usd_per_gpu_hour = MicroUsd{1'000};  // below the price of power
  EXPECT_FALSE(cost_of_owning(terms).break_even_utilisation);
  EXPECT_FALSE(cost_of_owning(terms).payback_month);
  terms.rent_usd_per_gpu_hour = MicroUsd{};
  EXPECT_FALSE(cost_of_owning(terms).break_even_utilisation);
}

TEST(Ownership, PaybackIsTheFirstWholeMonthWithinTheLife) {
  OwnershipTerms terms;
  terms.gpus = terms.gpus_per_node = 1;
  terms.capex_usd_per_node = MicroUsd{7'300'000'000};
  terms.life_years = 1;
  terms.rent_usd_per_gpu_hour = MicroUsd{1'000'000};  // $730 a month
  EXPECT_EQ(cost_of_owning(terms).payback_month, 10);
  terms.capex_usd_per_node = MicroUsd{7'300'000'001};
  EXPECT_EQ(cost_of_owning(terms).payback_month, 11);
  terms.capex_usd_per_node = MicroUsd{8'760'000'000};
  EXPECT_EQ(cost_of_owning(terms).payback_month, 12);
  terms.capex_usd_per_node = MicroUsd{8'760'000'001};
  EXPECT_FALSE(cost_of_owning(terms).payback_month);
  terms.capex_usd_per_node = MicroUsd{};
  EXPECT_EQ(cost_of_owning(terms).payback_month, 1);
}

TEST(Ownership, AdviceFollowsThePriceOfAnHour) {
  OwnershipTerms terms = h100_terms();
  const auto with_rent = [&](std::int64_t micro_usd) {
    terms.rent_usd_per_gpu_hour = MicroUsd{micro_usd};
    return cost_of_owning(terms);
  };
  const std::int64_t own = cost_of_owning(terms).own_usd_per_gpu_hour.value;
  EXPECT_EQ(with_rent(own).advice, "rent");
  EXPECT_EQ(with_rent(own + 1).advice, "buy");
  EXPECT_TRUE(with_rent(own).close);
  // own = 2,210,834: 10 % of the rent reaches exactly as far as 2,456,482 and down to 2,009,850.
  EXPECT_TRUE(with_rent(2'456'482).close);
  EXPECT_FALSE(with_rent(2'456'483).close);
  EXPECT_TRUE(with_rent(2'009'850).close);
  EXPECT_FALSE(with_rent(2'009'849).close);
}

TEST(Ownership, WithoutARentThereIsNothingToCompare) {
  OwnershipTerms terms = h100_terms();
  terms.rent_usd_per_gpu_hour.reset();
  const OwnLine result = cost_of_owning(terms);
  EXPECT_EQ(result.own_usd_per_gpu_hour, MicroUsd{2'210'834});
  EXPECT_FALSE(result.rent_usd_per_month);
  EXPECT_FALSE(result.break_even_utilisation);
  EXPECT_FALSE(result.payback_month);
  EXPECT_FALSE(result.savings_usd_over_life);
  EXPECT_FALSE(result.npv_usd);
  EXPECT_FALSE(result.advice);
  EXPECT_FALSE(result.close);
}

TEST(Ownership, PartsSumToTheTotal) {
  std::mt19937_64 random(20261120);
  for (int i = 0; i < 200; ++i) {
    const OwnershipTerms terms = random_terms(random);
    const OwnLine result = cost_of_owning(terms);
    std::int64_t sum = 0;
    for (const auto& [name, usd] : result.parts.named()) {
      EXPECT_GE(usd, MicroUsd{}) << name << " in case " << i;
      sum += usd.value;
    }
    EXPECT_EQ(sum, result.own_usd_per_month.value) << "case " << i;
    EXPECT_LE(result.fixed_usd_per_month, result.own_usd_per_month);
    EXPECT_LE(result.own_usd_per_month, result.full_use_usd_per_month);
  }
}

TEST(Ownership, RefusesTermsOutOfRange) {
  const auto refused = [](auto change) {
    OwnershipTerms terms = h100_terms();
    change(terms);
    return refusal_of([&] { cost_of_owning(terms); });
  };
  using T = OwnershipTerms;
  EXPECT_EQ(refused([](T& t) { t.gpus = 0; }),
            "gpus: expected an integer from 1 to 10000000, got 0");
  EXPECT_EQ(refused([](T& t) { t.gpus_per_node = -8; }),
            "gpus_per_node: expected an integer from 1 to 10000000, got -8");
  EXPECT_EQ(refused([](T& t) { t.capex_usd_per_node.value = -1'500'000; }),
            "capex_usd_per_node: expected US dollars, not negative, got -1.5");
  EXPECT_EQ(refused([](T& t) { t.residual_share = 1.1; }),
            "residual_share: expected a number from 0 to 1, got 1.1");
  EXPECT_EQ(refused([](T& t) { t.life_years = 0; }),
            "life_years: expected a number above 0, got 0");
  EXPECT_EQ(refused([](T& t) { t.cost_of_capital = -0.01; }),
            "cost_of_capital: expected a number at least 0, got -0.01");
  EXPECT_EQ(refused([](T& t) { t.node_kw = -1; }), "node_kw: expected a number at least 0, got -1");
  EXPECT_EQ(refused([](T& t) { t.idle_power_share = 2; }),
            "idle_power_share: expected a number from 0 to 1, got 2");
  EXPECT_EQ(refused([](T& t) { t.pue = 0.9; }), "pue: expected a number at least 1, got 0.9");
  EXPECT_EQ(refused([](T& t) { t.support_share_per_year = -0.1; }),
            "support_share_per_year: expected a number at least 0, got -0.1");
  EXPECT_EQ(refused([](T& t) { t.utilisation = 0; }),
            "utilisation: expected a number above 0 and at most 1, got 0");
  EXPECT_EQ(refused([](T& t) { t.utilisation = 1.2; }),
            "utilisation: expected a number above 0 and at most 1, got 1.2");
  EXPECT_EQ(refused([](T& t) { t.rent_usd_per_gpu_hour = MicroUsd{-1'000'000}; }),
            "rent_usd_per_gpu_hour: expected US dollars, not negative, got -1");
  EXPECT_EQ(refused([](T& t) { t.hours_per_month = 7300; }),
            "hours_per_month: expected a number above 0 and at most 744, got 7300");
  EXPECT_EQ(refused([](T& t) { t.pue = std::numeric_limits<double>::quiet_NaN(); }),
            "pue: expected a number at least 1, got nan");
  EXPECT_EQ(refused([](T& t) { t.life_years = std::numeric_limits<double>::infinity(); }),
            "life_years: expected a number above 0, got inf");
}

TEST(Ownership, NamesEveryTermAtOnce) {
  OwnershipTerms terms = h100_terms();
  terms.pue = 0;
  terms.utilisation = -1;
  EXPECT_EQ(refusal_of([&] { cost_of_owning(terms); }),
            "pue: expected a number at least 1, got 0; "
            "utilisation: expected a number above 0 and at most 1, got -1");
}

TEST(Ownership, AmountsThatCannotBeExactAreNotGuessed) {
  OwnershipTerms terms = h100_terms();
  terms.capex_usd_per_node.value = 100'000'000'000'000;
  terms.gpus = 10'000'000;
  terms.gpus_per_node = 1;
  EXPECT_THROW(cost_of_owning(terms), std::overflow_error);
}

}  // namespace
}  // namespace sizesheet
