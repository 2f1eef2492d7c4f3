// SPDX-License-Identifier: Apache-2.0
// Owning: the cases of tests/oracles/cases_cost.json, published ones to every printed digit, and
// what holds of any terms.

#include "cost/ownership.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>

#include "catalog/files/loader.h"
#include "cost/ownership_answer.h"
#include "cost/sample_terms.h"
#include "support/cases.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// How a line says its figure: its title, its steps by name and, as "is", what they lead to.
template <typename Line>
Json told(const std::vector<Line>& lines, Json& names) {
  Json formulas = Json::object();
  names = Json::array();
  for (const Line& line : lines) {
    EXPECT_FALSE(line.source.empty() || line.title.empty()) << line.name;
    names.push_back(line.name);
    Json& one = formulas[line.name];
    for (const FormulaStep& step : line.formula.steps) one[step.name] = step.formula;
    one.update({{"is", line.formula.text}, {"title", line.title}, {"unit", line.unit}});
    one["inputs"] = line.formula.inputs.size();
  }
  return formulas;
}

/// The line of owning to these terms, and how it is explained.
Json owned(const Json& terms) {
  Faults faults;
  ObjectReader reader(terms, "", "", faults);
  const auto read = read_entry<OwnershipTerms>(
      reader, {.counts = {},
               .may_lack = {"cabling_share", "staff_fte_per_node", "usd_per_fte_year",
                            "least_fte_per_node", "least_fte_per_site", "support_covers_staff",
                            "network_usd_per_gpu", "licence_usd_per_gpu_year"}});
  faults.refuse();
  const OwnLine line = cost_of_owning(read);
  Json facts = as_json(line);
  facts["parts"] = as_json(line.parts);
  facts["residual_usd"] = as_json(line.residual_usd);
  facts["rent_usd_per_month"] = as_json(line.rent_usd_per_month);
  facts["payback_years_cash"] = as_json(line.payback_years_cash);
  facts["told"] = told(explain_ownership(read), facts["lines"]);
  facts["break_even"] = told(explain_break_even(read), facts["break_even_lines"]);
  return facts;
}

TEST(Ownership, WorkedCases) { expect_cases(oracle("cases_cost.json"), owned); }

TEST(Ownership, TermsOutOfRangeAreRefused) { expect_refused(oracle("cases_cost.json"), owned); }

// Numbers that no JSON says, and amounts that its reader would refuse first.
TEST(Ownership, RefusesTermsOutOfRange) {
  const auto refused = [](auto change) {
    OwnershipTerms terms = h100_terms();
    change(terms);
    return refusal_of([&] { cost_of_owning(terms); });
  };
  using T = OwnershipTerms;
  EXPECT_EQ(refused([](T& t) { t.capex_usd_per_node.value = -1'500'000; }),
            "capex_usd_per_node: expected US dollars, not negative, got -1.5");
  EXPECT_EQ(refused([](T& t) { t.rent_usd_per_gpu_hour = MicroUsd{-1'000'000}; }),
            "rent_usd_per_gpu_hour: expected US dollars, not negative, got -1");
  EXPECT_EQ(refused([](T& t) { t.pue = std::numeric_limits<double>::quiet_NaN(); }),
            "pue: expected a number at least 1, got nan");
  EXPECT_EQ(refused([](T& t) { t.life_years = std::numeric_limits<double>::infinity(); }),
            "life_years: expected a number above 0, got inf");
}

TEST(Ownership, OwningEqualsRentingAtTheBreakEven) {
  OwnershipTerms terms = h100_terms();
  terms.utilisation = *cost_of_owning(terms).break_even_utilisation;
  const OwnLine result = cost_of_owning(terms);
  EXPECT_NEAR(to_usd(result.own_usd_per_month), to_usd(*result.rent_usd_per_month), 2e-6);
  EXPECT_TRUE(result.close);
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

TEST(Ownership, AmountsThatCannotBeExactAreNotGuessed) {
  OwnershipTerms terms = h100_terms();
  terms.capex_usd_per_node.value = 100'000'000'000'000;
  terms.gpus = 10'000'000;
  terms.gpus_per_node = 1;
  EXPECT_THROW(cost_of_owning(terms), std::overflow_error);
}

// Cottier et al., arXiv:2405.21015: 0.14 orders of magnitude a year.
TEST(Ownership, PublishedDecayOfValue) {
  const std::vector<double> left = {1, 0.724, 0.525, 0.380, 0.275, 0.200};
  for (std::size_t year = 0; year < left.size(); ++year) {
    EXPECT_NEAR(value_left(0.14, static_cast<double>(year)), left[year], 0.0005) << year;
  }
}

TEST(Ownership, ADecayIsTheResidualShareThatItLeaves) {
  for (const double years : {5.0, 4.5}) {
    OwnershipTerms decaying = h100_terms();
    decaying.life_years = years;
    decaying.value_decay_oom_per_year = 0.14;
    OwnershipTerms shared = h100_terms();
    shared.life_years = years;
    shared.residual_share = value_left(0.14, years);
    EXPECT_EQ(cost_of_owning(decaying).own_usd_per_month, cost_of_owning(shared).own_usd_per_month);
  }
}

TEST(Ownership, NamesOfCapitalMethodsAreThoseOfFiles) {
  EXPECT_EQ(id_of(kCapitalMethods, CapitalMethod::kStraightLine), "straight-line");
  EXPECT_EQ(id_of(kCapitalMethods, CapitalMethod::kRecoveryFactor), "recovery-factor");
  EXPECT_EQ(id_of(kCapitalMethods, CapitalMethod::kNone), "none");
}

/// Dollars are published to a cent; dollars per GPU-hour and shares to four places.
double half_a_digit(const std::string& key) {
  return key == "own_usd_per_gpu_hour" || key == "break_even_utilisation" ? 0.00005 : 0.005;
}

void expect_equal(const std::string& key, const Json& expected, const Json& got) {
  if (expected.is_object()) {
    ASSERT_TRUE(got.is_number()) << key;
    EXPECT_NEAR(got.get<double>(), expected.at("value").get<double>(),
                expected.at("within").get<double>())
        << key;
  } else if (expected.is_number_float()) {
    ASSERT_TRUE(got.is_number()) << key;
    EXPECT_NEAR(got.get<double>(), expected.get<double>(), half_a_digit(key)) << key;
  } else if (expected.is_number() && got.is_number_float()) {
    EXPECT_NEAR(got.get<double>(), expected.get<double>(), 0.005) << key;
  } else {
    EXPECT_EQ(got, expected) << key;
  }
}

TEST(OwnershipOracles, PublishedCases) {
  const Json cases = oracle("ownership.json").at("cases");
  ASSERT_EQ(cases.size(), 9U);
  for (const Json& published_case : cases) {
    SCOPED_TRACE(published_case.at("name").get<std::string>());
    const Json answer = answer_cost_request(published_case.at("request"));
    for (const auto& [key, expected] : published_case.at("expected").items()) {
      if (key == "parts") continue;
      expect_equal(key, expected, answer.at(key));
    }
    for (const auto& [key, expected] : published_case.at("expected").at("parts").items()) {
      expect_equal(key, expected, answer.at("parts").at(key));
    }
  }
}

}  // namespace
}  // namespace sizesheet
