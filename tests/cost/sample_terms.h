// SPDX-License-Identifier: Apache-2.0
// Terms, prices and GPUs that several cost tests start from.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {

/// The day of the prices.
inline constexpr const char* kDay = "2026-11-09";

/// Eight H100 nodes against a rent of $3.82.
inline OwnershipTerms h100_terms() {
  OwnershipTerms terms;
  terms.gpus = 64;
  terms.gpus_per_node = 8;
  terms.capex_usd_per_node = MicroUsd{250'000'000'000};
  terms.life_years = 5;
  terms.cost_of_capital = 0.08;
  terms.node_kw = 10.2;
  terms.idle_power_share = 0.35;
  terms.pue = 1.3;
  terms.usd_per_kwh = MicroUsd{80'000};
  terms.colo_usd_per_kw_month = MicroUsd{150'000'000};
  terms.support_share_per_year = 0.08;
  terms.utilisation = 0.7;
  terms.rent_usd_per_gpu_hour = MicroUsd{3'820'000};
  return terms;
}

/// Anything allowed, by the generator's state.
inline OwnershipTerms random_terms(std::mt19937_64& random) {
  const auto up_to = [&](std::uint64_t most) { return random() % (most + 1); };
  const auto share = [&] { return static_cast<double>(up_to(1000)) / 1000; };
  const auto usd = [&](std::uint64_t most) {
    return MicroUsd{static_cast<std::int64_t>(up_to(most * 1'000'000))};
  };
  OwnershipTerms terms;
  terms.gpus = static_cast<std::int64_t>(1 + up_to(600));
  terms.gpus_per_node = static_cast<std::int64_t>(1 + up_to(71));
  terms.capex_usd_per_node = usd(600'000);
  terms.residual_share = share();
  terms.life_years = static_cast<double>(1 + up_to(40)) / 4;
  terms.cost_of_capital = share() / 4;
  terms.node_kw = share() * 20;
  terms.idle_power_share = share();
  terms.pue = 1 + share();
  terms.usd_per_kwh = usd(1);
  terms.colo_usd_per_kw_month = usd(300);
  terms.support_share_per_year = share() / 5;
  terms.staff_usd_per_year = usd(500'000);
  terms.network_usd_per_gpu = usd(5'000);
  terms.licence_usd_per_gpu_year = usd(5'000);
  terms.utilisation = (1 + share() * 999) / 1000;
  if (up_to(9) > 0) terms.rent_usd_per_gpu_hour = usd(12);
  if (up_to(1) > 0) terms.capital_method = CapitalMethod::kStraightLine;
  if (up_to(4) == 0) terms.capital_method = CapitalMethod::kNone;
  if (up_to(2) == 0) terms.cabling_share = share() / 4;
  if (up_to(2) == 0) {
    terms.residual_share = 0;
    terms.value_decay_oom_per_year = share() / 4;
  }
  if (up_to(2) == 0) {
    terms.staff_fte_per_node = 0.001 + share();
    terms.usd_per_fte_year = usd(250'000) + MicroUsd{1};
  }
  if (up_to(2) == 0) {
    terms.least_fte_per_node = 0.001 + share() / 10;
    if (up_to(1) == 0) terms.least_fte_per_site = share();
    terms.support_covers_staff = up_to(1) == 0;
    terms.usd_per_fte_year = usd(250'000) + MicroUsd{1};
  }
  if (up_to(1) == 0) terms.hours_per_run = 0.0001 + share() * 100;
  return terms;
}

inline Price price_row(const std::string& provider, std::int64_t gpus, std::int64_t micro_usd,
                       const std::string& as_of) {
  Price price;
  price.provider = provider;
  price.region = "any";
  price.gpu = "h100-sxm";
  price.tier = "on_demand";
  price.offer = "list";
  price.gpus = gpus;
  price.usd_per_instance_hour = MicroUsd{micro_usd};
  price.as_of = as_of;
  price.source = "a price list";
  return price;
}

inline Gpu h100() {
  Gpu gpu;
  gpu.id = "h100-sxm";
  gpu.gpus_per_node = 8;
  return gpu;
}

inline PricePolicy policy_on(const std::string& as_of) {
  PricePolicy policy;
  policy.as_of = as_of;
  return policy;
}

/// Puts what an object says into the described members of a value; the others stay.
struct Patch {
  const Json& said;

  template <typename T>
  void operator()(const char* key, T& member) const {
    if (!said.contains(key)) return;
    if constexpr (std::is_same_v<T, MicroUsd>) {
      member = rounded_usd(said.at(key).get<double>());
    } else if constexpr (requires {
                           typename T::value_type;
                           member.emplace();
                         }) {
      member = said.at(key).get<typename T::value_type>();
    } else {
      said.at(key).get_to(member);
    }
  }
};

template <typename T>
void patch(const Json& said, T& value) {
  const Patch members{said};
  fields(members, value);
}

}  // namespace sizesheet
