// SPDX-License-Identifier: Apache-2.0
// What a question about owning may add: cabling, decay of value, people a node, runs.
#include <gtest/gtest.h>

#include "cost/ownership.h"
#include "cost/sample_terms.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string refused(void (*change)(OwnershipTerms& terms)) {
  OwnershipTerms terms = h100_terms();
  change(terms);
  return refusal_of([&] { cost_of_owning(terms); });
}

// Cottier et al., arXiv:2405.21015: 0.14 orders of magnitude a year.
TEST(OwnershipOptions, PublishedDecayOfValue) {
  const std::vector<double> left = {1, 0.724, 0.525, 0.380, 0.275, 0.200};
  for (std::size_t year = 0; year < left.size(); ++year) {
    EXPECT_NEAR(value_left(0.14, static_cast<double>(year)), left[year], 0.0005) << year;
  }
  OwnershipTerms terms = h100_terms();
  terms.value_decay_oom_per_year = 0.14;
  for (std::size_t year = 1; year < left.size(); ++year) {
    terms.life_years = static_cast<double>(year);
    const OwnLine result = cost_of_owning(terms);
    EXPECT_NEAR(to_usd(result.residual_usd) / to_usd(result.capex_usd), left[year], 0.0005) << year;
  }
}

TEST(OwnershipOptions, ADecayIsTheResidualShareThatItLeaves) {
  for (const double years : {5.0, 4.5}) {
    OwnershipTerms decaying = h100_terms();
    decaying.life_years = years;
    decaying.value_decay_oom_per_year = 0.14;
    OwnershipTerms shared = h100_terms();
    shared.life_years = years;
    shared.residual_share = value_left(0.14, years);
    EXPECT_EQ(cost_of_owning(decaying).own_usd_per_month, cost_of_owning(shared).own_usd_per_month);
  }
  OwnershipTerms lasting = h100_terms();
  lasting.value_decay_oom_per_year = 0;
  EXPECT_EQ(cost_of_owning(lasting).parts.depreciation, MicroUsd{});
}

TEST(OwnershipOptions, ADecayAndAResidualShareAreRefusedTogether) {
  EXPECT_EQ(refused([](OwnershipTerms& t) {
              t.residual_share = 0.2;
              t.value_decay_oom_per_year = 0.14;
            }),
            "value_decay_oom_per_year: expected no decay of value beside a residual_share above 0, "
            "got 0.14 beside 0.2");
  EXPECT_EQ(refused([](OwnershipTerms& t) { t.value_decay_oom_per_year = -0.1; }),
            "value_decay_oom_per_year: expected a number at least 0, got -0.1");
}

TEST(OwnershipOptions, CablingIsBoughtWithTheNodes) {
  OwnershipTerms terms = h100_terms();
  terms.cabling_share = 0.12;
  terms.network_usd_per_gpu = MicroUsd{2'000'000'000};
  const OwnLine result = cost_of_owning(terms);
  EXPECT_EQ(result.capex_usd, MicroUsd{2'368'000'000'000});  // 2,000,000 * 1.12 + 64 * 2,000
  EXPECT_EQ(result.parts.depreciation, MicroUsd{39'466'666'667});
  EXPECT_EQ(result.parts.support, MicroUsd{15'786'666'667});
  EXPECT_EQ(refused([](OwnershipTerms& t) { t.cabling_share = -0.1; }),
            "cabling_share: expected a number at least 0, got -0.1");
}

TEST(OwnershipOptions, PeopleCountByTheNode) {
  OwnershipTerms terms = h100_terms();
  terms.staff_fte_per_node = 0.02;
  terms.usd_per_fte_year = MicroUsd{180'000'000'000};
  EXPECT_EQ(cost_of_owning(terms).parts.staff, MicroUsd{2'400'000'000});  // 8 * 3,600 / 12
  terms.staff_usd_per_year = MicroUsd{12'000'000'000};
  EXPECT_EQ(cost_of_owning(terms).parts.staff, MicroUsd{3'400'000'000});
}

TEST(OwnershipOptions, PeopleWithoutAWageAreRefusedAndAWageWithoutPeople) {
  EXPECT_EQ(refused([](OwnershipTerms& t) { t.staff_fte_per_node = 0.02; }),
            "usd_per_fte_year: expected US dollars above 0 beside staff_fte_per_node, got 0");
  EXPECT_EQ(refused([](OwnershipTerms& t) { t.usd_per_fte_year = MicroUsd{1'000'000}; }),
            "staff_fte_per_node: expected a number above 0 beside usd_per_fte_year, got 0");
}

TEST(OwnershipOptions, WithoutACapitalChargeTheRateOnlyDiscounts) {
  OwnershipTerms terms = h100_terms();
  terms.capital_method = CapitalMethod::kNone;
  const OwnLine result = cost_of_owning(terms);
  EXPECT_EQ(result.parts.capital, MicroUsd{});
  EXPECT_EQ(result.payback_month, result.payback_month_cash);
  EXPECT_EQ(result.npv_usd, cost_of_owning(h100_terms()).npv_usd);
  EXPECT_EQ(id_of(kCapitalMethods, CapitalMethod::kNone), "none");
}

TEST(OwnershipOptions, UnusedGpusCarryTheirShareOfTheMonth) {
  OwnershipTerms terms = h100_terms();
  terms.gpus = 60;
  const OwnLine result = cost_of_owning(terms);
  EXPECT_EQ(result.unused_gpus, 4);
  EXPECT_NEAR(to_usd(result.unused_usd_per_month), to_usd(result.own_usd_per_month) / 16, 1e-6);
  EXPECT_EQ(cost_of_owning(h100_terms()).unused_gpus, 0);
  EXPECT_EQ(cost_of_owning(h100_terms()).unused_usd_per_month, MicroUsd{});
}

TEST(OwnershipOptions, BreakEvenInRunsIsItsHoursOverTheHoursOfARun) {
  OwnershipTerms terms = h100_terms();
  EXPECT_FALSE(cost_of_owning(terms).break_even_runs_per_month);
  terms.hours_per_run = 10;
  const OwnLine result = cost_of_owning(terms);
  EXPECT_DOUBLE_EQ(*result.break_even_runs_per_month, *result.break_even_hours_per_month / 10);
  terms.rent_usd_per_gpu_hour = MicroUsd{1'000};
  EXPECT_FALSE(cost_of_owning(terms).break_even_runs_per_month);
  EXPECT_EQ(refused([](OwnershipTerms& t) { t.hours_per_run = 0; }),
            "hours_per_run: expected a number above 0, got 0");
}

TEST(OwnershipOptions, PaybackInYearsEndsWithTheLife) {
  OwnershipTerms terms;
  terms.gpus = terms.gpus_per_node = 1;
  terms.capex_usd_per_node = MicroUsd{8'760'000'000};
  terms.life_years = 1;
  terms.rent_usd_per_gpu_hour = MicroUsd{1'000'000};  // $8,760 a year
  EXPECT_DOUBLE_EQ(*cost_of_owning(terms).payback_years_cash, 1);
  terms.capex_usd_per_node = MicroUsd{8'760'000'001};
  EXPECT_FALSE(cost_of_owning(terms).payback_years_cash);
  terms.rent_usd_per_gpu_hour = MicroUsd{};
  EXPECT_FALSE(cost_of_owning(terms).payback_years_cash);
}

}  // namespace
}  // namespace sizesheet
