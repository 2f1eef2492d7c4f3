// SPDX-License-Identifier: Apache-2.0
#include "cost/service_cost.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "catalog/facts/method.h"
#include "catalog/prices/service.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kTokensOfRate = 1'000'000;

MicroUsd usd_at_rate(const Service& service, std::int64_t tokens) {
  return scaled(service.usd_per_million_tokens, tokens, kTokensOfRate);
}

bool names_model(const Service& service, const std::string& model) {
  return contains(service.models, model);
}

bool sells(const Service& service, const ServiceQuestion& asked) {
  const bool of_model =
      names_model(service, asked.model) ||
      (service.total_params_b && service.total_params_b->contains(asked.parameters));
  return of_model && service.prices_runs() &&
         trains(service_method(service.method), *asked.method) &&
         in_force(service, asked.as_of, asked.max_age_days);
}

/// True where the first is what its provider asks, and not the second.
bool is_preferred(const Service& one, const Service& other, const std::string& model) {
  const auto rank = [&](const Service& service) {
    return std::tuple(!names_model(service, model), -day_number(service.as_of).value_or(0),
                      service.usd_per_million_tokens, service.key());
  };
  return rank(one) < rank(other);
}

}  // namespace

MicroUsd service_run_cost(const Service& service, std::int64_t tokens) {
  return std::max(usd_at_rate(service, tokens), service.minimum_usd.value_or(MicroUsd{}));
}

bool in_force(const Service& service, const std::string& as_of, std::int64_t max_age_days) {
  const auto today = day_number(as_of);
  const auto seen = day_number(service.as_of);
  if (!today || !seen || *seen > *today || *today - *seen > max_age_days) return false;
  if (service.valid_from && *service.valid_from > as_of) return false;
  return !service.valid_until || *service.valid_until >= as_of;
}

std::vector<ServiceQuote> service_quotes(const std::vector<Service>& services,
                                         const ServiceQuestion& asked) {
  std::map<std::string, const Service*> of_provider;
  for (const Service& service : services) {
    if (!sells(service, asked)) continue;
    const Service*& best = of_provider[service.provider];
    if (best == nullptr || is_preferred(service, *best, asked.model)) best = &service;
  }
  std::vector<ServiceQuote> quotes;
  for (const auto& [provider, service] : of_provider) {
    const MicroUsd usd = service_run_cost(*service, asked.tokens);
    quotes.push_back({service, names_model(*service, asked.model),
                      usd > usd_at_rate(*service, asked.tokens), usd});
  }
  std::ranges::stable_sort(quotes, {}, &ServiceQuote::usd);
  return quotes;
}

}  // namespace sizesheet
