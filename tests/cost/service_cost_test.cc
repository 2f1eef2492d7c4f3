// SPDX-License-Identifier: Apache-2.0
// What a run costs at a service, which rate of a provider counts, and 300 random questions against
// arithmetic of its own.
#include "cost/service_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "catalog/facts/method.h"
#include "catalog/prices/service.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Service service_at(const std::string& provider, std::int64_t micro_usd) {
  Service service;
  service.provider = provider;
  service.title = provider;
  service.total_params_b = ParameterBand{0, 16};
  service.method = "lora_sft";
  service.usd_per_million_tokens = MicroUsd{micro_usd};
  service.billed = "training";
  service.weights = "yes";
  service.as_of = "2026-09-11";
  service.source = "price list";
  return service;
}

ServiceQuestion of_8b(const std::string& method = "lora-r16", std::int64_t tokens = 50'000'000) {
  return {"llama-3.1-8b", 8'030'261'248, &project_catalog().method(method),
          "2026-11-20",   400,           tokens};
}

/// "together 17, fireworks 25": providers and whole dollars in the order of the quotes.
std::string told_quotes(const std::vector<ServiceQuote>& quotes) {
  std::vector<std::string> parts;
  for (const ServiceQuote& quote : quotes) {
    parts.push_back(quote.service->provider + " " + shortest(to_usd(quote.usd)));
  }
  return join(parts, ", ");
}

TEST(ServiceCost, IsTheRateTimesTokensAtLeastTheMinimum) {
  Service service = service_at("a", 340'000);
  EXPECT_EQ(service_run_cost(service, 50'000'000), MicroUsd{17'000'000});
  EXPECT_EQ(service_run_cost(service, 1), MicroUsd{0}) << "0.34 of a micro-dollar";
  EXPECT_EQ(service_run_cost(service, 2), MicroUsd{1}) << "0.68";
  service.usd_per_million_tokens = MicroUsd{500'000};
  EXPECT_EQ(service_run_cost(service, 1), MicroUsd{1}) << "half up";
  EXPECT_EQ(service_run_cost(service, 3), MicroUsd{2}) << "1.5 up";
  service.minimum_usd = MicroUsd{4'000'000};
  EXPECT_EQ(service_run_cost(service, 7'999'999), MicroUsd{4'000'000});
  EXPECT_EQ(service_run_cost(service, 8'000'002), MicroUsd{4'000'001});
  service.usd_per_million_tokens = MicroUsd{1'000'000'000};
  EXPECT_THROW(service_run_cost(service, std::numeric_limits<std::int64_t>::max()),
               std::overflow_error);
}

TEST(ServiceCost, TellsWhereTheMinimumApplies) {
  std::vector<Service> services{service_at("a", 500'000)};
  services[0].minimum_usd = MicroUsd{4'000'000};
  EXPECT_TRUE(service_quotes(services, of_8b("lora-r16", 7'000'000)).at(0).minimum_applies);
  EXPECT_FALSE(service_quotes(services, of_8b("lora-r16", 8'000'000)).at(0).minimum_applies);
}

TEST(ServiceCost, AModelByNameWinsOverItsSize) {
  std::vector<Service> services{service_at("a", 300'000), service_at("a", 900'000)};
  services[1].total_params_b.reset();
  services[1].models = {"llama-3.1-8b"};
  services[1].as_of = "2026-07";
  const std::vector<ServiceQuote> quotes = service_quotes(services, of_8b());
  EXPECT_EQ(told_quotes(quotes), "a 45");
  EXPECT_TRUE(quotes.at(0).by_name);
  services[1].valid_until = "2026-11-19";
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b())), "a 15") << "the named rate has ended";
}

TEST(ServiceCost, TheNewestRateCountsThenTheLowest) {
  std::vector<Service> services{service_at("a", 500'000), service_at("a", 700'000),
                                service_at("a", 600'000)};
  services[0].as_of = "2026-07";
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b())), "a 30");
}

TEST(ServiceCost, OneQuoteAProviderTheCheapestFirst) {
  const std::vector<Service> services{service_at("c", 500'000), service_at("a", 600'000),
                                      service_at("b", 500'000), service_at("a", 550'000)};
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b())), "b 25, c 25, a 27.5");
}

TEST(ServiceCost, NoRateOutsideItsDaysOrTooOld) {
  const auto counts = [](const char* as_of, std::optional<std::string> from,
                         std::optional<std::string> until, const char* day,
                         std::int64_t max_age_days = 400) {
    Service service = service_at("a", 500'000);
    service.as_of = as_of;
    service.valid_from = std::move(from);
    service.valid_until = std::move(until);
    return in_force(service, day, max_age_days);
  };
  EXPECT_TRUE(counts("2026-09-11", {}, {}, "2026-09-11"));
  EXPECT_FALSE(counts("2026-09-11", {}, {}, "2026-09-10")) << "not seen yet";
  EXPECT_TRUE(counts("2026-09-11", {}, {}, "2027-10-16"));
  EXPECT_FALSE(counts("2026-09-11", {}, {}, "2027-10-17")) << "401 days";
  EXPECT_FALSE(counts("2026-09-11", {}, {}, "2026-09-13", 1));
  EXPECT_TRUE(counts("2026-09-11", "2026-10-01", {}, "2026-10-01"));
  EXPECT_FALSE(counts("2026-09-11", "2026-10-01", {}, "2026-09-30"));
  EXPECT_TRUE(counts("2026-09-11", {}, "2026-10-01", "2026-10-01"));
  EXPECT_FALSE(counts("2026-09-11", {}, "2026-10-01", "2026-10-02"));
  EXPECT_TRUE(counts("2026-07", {}, {}, "2026-07-01"));
}

TEST(ServiceCost, WhereGenerationIsBilledTooNoRunIsPriced) {
  std::vector<Service> services{service_at("a", 500'000)};
  services[0].method = "rl";
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b("grpo-lora-r16"))), "a 25");
  services[0].billed = "training and generation";
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b("grpo-lora-r16"))), "");
}

TEST(ServiceCost, OfTheCatalogOnTheDayOfTheSheet) {
  const std::vector<Service>& services = project_catalog().services;
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b())), "together 17, fireworks 25");
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b("qlora-r16"))), "together 17, fireworks 25");
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b("full", 500'000'000))),
            "together 190, fireworks 500");
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b("dpo-lora-r16"))),
            "together 42, fireworks 50");
  EXPECT_EQ(told_quotes(service_quotes(services, of_8b("dora-r16"))), "");
  ServiceQuestion early = of_8b();
  early.as_of = "2026-09-10";
  EXPECT_EQ(told_quotes(service_quotes(services, early)), "together 24")
      << "Fireworks was not seen yet";
  ServiceQuestion named = of_8b();
  named.model = "gpt-oss-120b";
  named.parameters = 116'829'156'672;
  EXPECT_EQ(told_quotes(service_quotes(services, named)),
            "tinker 36.85, together 125, fireworks 300");
}

// ---- ServiceRandom questions.

using ServiceRandom = std::mt19937_64;

std::int64_t any_number(ServiceRandom& random, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}

template <typename T>
const T& any_one_of(ServiceRandom& random, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(
      any_number(random, 0, static_cast<std::int64_t>(all.size()) - 1))];
}

std::string any_day(ServiceRandom& random) {
  const auto two = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return std::to_string(any_number(random, 2025, 2027)) + "-" + two(any_number(random, 1, 12)) +
         "-" + two(any_number(random, 1, 28));
}

Service any_service(ServiceRandom& random) {
  Service service =
      service_at(any_one_of<std::string>(random, {"a", "b", "c"}), any_number(random, 1, 9e6));
  if (any_number(random, 0, 2) == 0) {
    service.total_params_b.reset();
    service.models = {any_one_of<std::string>(random, {"one", "two", "three"})};
  } else {
    service.total_params_b = ParameterBand{static_cast<double>(any_number(random, 0, 60)), {}};
    if (any_number(random, 0, 3) > 0) {
      service.total_params_b->max =
          service.total_params_b->min + 1.0 + static_cast<double>(any_number(random, 0, 60));
    }
  }
  service.method =
      any_one_of<std::string>(random, {"lora_sft", "full_sft", "lora_dpo", "full_dpo"});
  service.billed = kServiceBills[static_cast<std::size_t>(any_number(random, 0, 2))];
  service.as_of = any_day(random);
  if (any_number(random, 0, 2) == 0)
    service.minimum_usd = MicroUsd{any_number(random, 1, 9'000'000)};
  if (any_number(random, 0, 3) == 0) service.valid_from = any_day(random);
  if (any_number(random, 0, 3) == 0) service.valid_until = any_day(random);
  return service;
}

/// Days since the year 0 by counting, with months of a plain calendar.
std::int64_t days_by_hand(const std::string& day) {
  const int year = std::stoi(day.substr(0, 4));
  const int month = std::stoi(day.substr(5, 2));
  constexpr int kLengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t days = std::stoi(day.substr(8, 2));
  for (int y = 2000; y < year; ++y) days += y % 4 == 0 ? 366 : 365;
  for (int m = 1; m < month; ++m) days += kLengths[m - 1] + (m == 2 && year % 4 == 0 ? 1 : 0);
  return days;
}

/// Whether the rate is for the question, in words of the method table alone.
bool rate_fits(const Service& service, const ServiceQuestion& asked) {
  static const std::map<std::string, std::string> kTrained = {{"lora-r16", "lora_sft"},
                                                              {"qlora-r16", "lora_sft"},
                                                              {"full", "full_sft"},
                                                              {"dpo-lora-r16", "lora_dpo"},
                                                              {"dpo-full", "full_dpo"}};
  if (kTrained.at(asked.method->id) != service.method) return false;
  if (service.billed == "training and generation") return false;
  const double billions = static_cast<double>(asked.parameters) / 1e9;
  const bool named = std::ranges::count(service.models, asked.model) > 0;
  const bool sized = service.total_params_b && billions > service.total_params_b->min &&
                     billions <= service.total_params_b->max.value_or(1e12);
  if (!named && !sized) return false;
  const std::int64_t age = days_by_hand(asked.as_of) - days_by_hand(service.as_of);
  if (age < 0 || age > asked.max_age_days) return false;
  if (service.valid_from && days_by_hand(*service.valid_from) > days_by_hand(asked.as_of))
    return false;
  return !service.valid_until || days_by_hand(*service.valid_until) >= days_by_hand(asked.as_of);
}

/// Whole micro-dollars by long division, half up.
std::int64_t cost_by_hand(const Service& service, std::int64_t tokens) {
  const __int128 product = static_cast<__int128>(service.usd_per_million_tokens.value) * tokens;
  const auto whole = static_cast<std::int64_t>(product / 1'000'000);
  const std::int64_t usd = whole + (product % 1'000'000 >= 500'000 ? 1 : 0);
  return service.minimum_usd && service.minimum_usd->value > usd ? service.minimum_usd->value : usd;
}

/// Provider -> what it asks, found by sorting everything that fits.
std::map<std::string, std::int64_t> answers_by_hand(std::vector<Service> services,
                                                    const ServiceQuestion& asked) {
  std::erase_if(services, [&](const Service& service) { return !rate_fits(service, asked); });
  const auto named = [&](const Service& service) {
    return std::ranges::count(service.models, asked.model) > 0;
  };
  std::ranges::sort(services, [&](const Service& a, const Service& b) {
    if (named(a) != named(b)) return named(a);
    if (a.as_of != b.as_of) return a.as_of > b.as_of;
    return a.usd_per_million_tokens < b.usd_per_million_tokens;
  });
  std::map<std::string, std::int64_t> asks;
  for (const Service& service : services)
    asks.emplace(service.provider, cost_by_hand(service, asked.tokens));
  return asks;
}

TEST(ServiceCost, RandomQuestionsAgreeWithAnotherImplementation) {
  ServiceRandom random(20261128);
  std::size_t quoted = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Service> services;
    for (std::int64_t n = any_number(random, 1, 200); n > 0; --n) {
      services.push_back(any_service(random));
    }
    const std::string method = any_one_of<std::string>(
        random, {"lora-r16", "qlora-r16", "full", "dpo-lora-r16", "dpo-full"});
    const ServiceQuestion asked{any_one_of<std::string>(random, {"one", "two", "size-7b"}),
                                any_number(random, 1, 130) * 1'000'000'000,
                                &project_catalog().method(method),
                                any_day(random),
                                any_number(random, 30, 400),
                                any_number(random, 1, 1'000'000'000'000)};
    const std::vector<ServiceQuote> quotes = service_quotes(services, asked);
    quoted += quotes.size();
    std::map<std::string, std::int64_t> asks;
    MicroUsd before;
    for (const ServiceQuote& quote : quotes) {
      const Service& service = *quote.service;
      asks[service.provider] = quote.usd.value;
      EXPECT_LE(before, quote.usd) << "the cheapest first";
      before = quote.usd;
      EXPECT_GE(quote.usd, service.minimum_usd.value_or(MicroUsd{})) << service.key();
      EXPECT_LE(service.as_of, asked.as_of) << service.key();
      EXPECT_LE(service.valid_from.value_or(asked.as_of), asked.as_of) << service.key();
      EXPECT_GE(service.valid_until.value_or(asked.as_of), asked.as_of) << service.key();
      EXPECT_EQ(quote.minimum_applies,
                service.minimum_usd == quote.usd &&
                    cost_by_hand(service_at("", service.usd_per_million_tokens.value),
                                 asked.tokens) < quote.usd.value);
    }
    EXPECT_EQ(asks, answers_by_hand(services, asked)) << "question " << i;
    EXPECT_EQ(asks.size(), quotes.size()) << "one quote a provider";
  }
  EXPECT_GT(quoted, 100U);
}

TEST(ServiceCost, MoreTokensNeverCostLess) {
  ServiceRandom random(7);
  for (int i = 0; i < 300; ++i) {
    const Service service = any_service(random);
    const std::int64_t tokens = any_number(random, 1, 1'000'000'000'000);
    EXPECT_LE(service_run_cost(service, tokens),
              service_run_cost(service, tokens + any_number(random, 0, 1'000'000'000)));
  }
}

}  // namespace
}  // namespace sizesheet
