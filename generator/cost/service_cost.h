// SPDX-License-Identifier: Apache-2.0
// What a run costs at a fine-tuning service, and which services train a model on a day.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/money.h"

namespace sizesheet {

struct Method;
struct Service;

/// max(minimum, rate × tokens / 10^6), rounded half up to a micro-dollar. Throws
/// std::overflow_error.
MicroUsd service_run_cost(const Service& service, std::int64_t tokens);

/// What is asked of services. The method must outlive it.
struct ServiceQuestion {
  std::string model;            ///< id
  std::int64_t parameters = 0;  ///< of the model, in all
  const Method* method = nullptr;
  std::string as_of;                ///< YYYY-MM-DD
  std::int64_t max_age_days = 400;  ///< of a rate that still counts
  std::int64_t tokens = 0;          ///< that a run trains on
};

/// Whether the rate is one on a day: seen by then and not too long ago, and in force.
bool in_force(const Service& service, const std::string& as_of, std::int64_t max_age_days);

struct ServiceQuote {
  const Service* service = nullptr;  ///< into the list that was asked
  bool by_name = false;              ///< the service names the model, else its size
  bool minimum_applies = false;      ///< the run costs the minimum, which is above rate × tokens
  MicroUsd usd;                      ///< of the run
};

/// One quote of each provider that trains the model by the method, the cheapest run first, then by
/// provider. Of a provider a rate for the model by name wins over one for its size; among those the
/// newest, then the lowest, then the first key.
std::vector<ServiceQuote> service_quotes(const std::vector<Service>& services,
                                         const ServiceQuestion& asked);

}  // namespace sizesheet
