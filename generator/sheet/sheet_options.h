// SPDX-License-Identifier: Apache-2.0
// What a sheet is built by: its rules, limits and prices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheet/decision.h"
#include "sheet/money.h"
#include "support/described.h"

namespace sizesheet {

/// What the sheet was asked for.
struct SheetOptions {
  double headroom = 0.10;
  std::int64_t tokens = 0;                     ///< training tokens of one run
  std::optional<std::int64_t> adapter_tokens;  ///< of one that trains adapters, if others
  std::int64_t max_gpus = 512;
  double planned_hours_per_month = 0;  ///< use of an owned machine
  double hours_per_month = 730;
  std::optional<double> deadline_hours;
  std::int64_t price_max_age_days = 400;  ///< on demand and spot
  std::int64_t reserved_max_age_days = 400;
  std::vector<std::string> price_offers;  ///< offers that may win: list, community, marketplace
  PriceRules price_rules;
  PickRules pick_rules;
  std::string highlight_model;              ///< size shown in the page's panels
  std::vector<std::string> handout_models;  ///< of the one-page PDF, in sheet order; empty: all
  std::vector<std::string> handout_gpus;    ///< likewise; empty: as many as the page holds
  std::vector<std::string> hidden_columns;  ///< that its table does without
  std::string company;                      ///< who hands the sheet out; "" where it is not said
  std::string contact;                      ///< whom to ask
  std::string next_edition;                 ///< "2027-Q1, in January"
  std::string logo;                         ///< a PNG file as base64, or ""

  /// Days after which a price of this tier does not count; a list price may where no newer one will
  /// do. A kind of price may have fewer.
  std::int64_t age_limit_days(const std::string& tier, const std::string& offer,
                              const std::string& age_kind = "") const;

  static constexpr Key kKeys[] = {{"tokens", "tokens_per_run"},
                                  {"adapter_tokens", "adapter_tokens_per_run"}};
};
BOOST_DESCRIBE_STRUCT(SheetOptions, (),
                      (headroom, tokens, adapter_tokens, max_gpus, planned_hours_per_month,
                       hours_per_month, deadline_hours, price_max_age_days, reserved_max_age_days,
                       price_offers, price_rules, pick_rules, highlight_model, handout_models,
                       handout_gpus, hidden_columns, company, contact, next_edition, logo))

}  // namespace sizesheet
