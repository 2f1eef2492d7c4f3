// SPDX-License-Identifier: Apache-2.0
// What can be trained on the GPUs one has: every model of the catalog with every method, sized on
// exactly that many cards, with hours, money and how far the layout carries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheet/decision.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

struct Catalog;
struct SheetSpec;

/// A model with a method that holds: fits or tight.
struct FitRow {
  std::string model;
  std::string method;
  std::int64_t parameters = 0;
  JobChoices choices;
  Verdict verdict = Verdict::kUnknown;
  std::int64_t device = 0;       ///< bytes per GPU
  std::int64_t device_high = 0;  ///< upper end of their range
  std::optional<bool> certain;   ///< within the capacity up to that end
  LayoutShape layout;
  std::optional<std::int64_t> largest_micro_batch;  ///< power of two that fits
  std::optional<std::int64_t> seq_len;              ///< longest that fits
  bool seq_len_beyond_positions = false;
  std::optional<double> hours;
  std::optional<MicroUsd> usd_per_run;
  std::optional<MicroUsd> usd_per_million_tokens;
  std::vector<std::string> excluded;   ///< by budget or deadline, in words; unknown never passes
  std::vector<RunCandidate> frontier;  ///< of so many GPUs and fewer, as far as one is rented out

  static constexpr Key kKeys[] = {{"largest_micro_batch", "micro_batch_power_of_two"}};
};
BOOST_DESCRIBE_STRUCT(FitRow, (),
                      (model, method, parameters, choices, verdict, device, device_high, certain,
                       layout, largest_micro_batch, seq_len, seq_len_beyond_positions, hours,
                       usd_per_run, usd_per_million_tokens, excluded, frontier))

/// A model with a method that the stack or the engine refuses.
struct FitRefusal {
  std::string model;
  std::string method;
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(FitRefusal, (), (model, method, reason))

struct Fits {
  std::int64_t capacity = 0;
  std::optional<MicroUsd> usd_per_hour;  ///< of all the GPUs, at the lowest current price
  std::string price_key;
  std::vector<FitRow> rows;  ///< method by method, the largest model first
  std::int64_t too_large = 0;
  std::vector<FitRefusal> refused;

  /// Any row that neither budget nor deadline excludes.
  bool any() const;

  static constexpr Key kKeys[] = {{"price_key", "price"}};
};
BOOST_DESCRIBE_STRUCT(Fits, (), (capacity, usd_per_hour, price_key, rows, too_large, refused))

/// Sizes every model of the catalog, as the first scenario of `rules` says, on `rules.max_gpus` of
/// the type. Each row says whether it keeps the deadline of `rules` and the budget. What is not in
/// the catalog, or cannot be sized on, throws InputError.
Fits what_fits(const Catalog& catalog, const SheetSpec& rules, const std::string& gpu,
               std::optional<MicroUsd> budget, int jobs);

}  // namespace sizesheet
