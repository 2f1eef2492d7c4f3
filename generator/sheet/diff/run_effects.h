// SPDX-License-Identifier: Apache-2.0
// What the dollars of one run are made of, and how they went from one edition to the next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cost/rent.h"
#include "support/money.h"

namespace sizesheet {

struct ChangeEffects;
struct ChangeSide;
struct Edition;
struct EditionRow;

/// The factors of a run's dollars: p dollars per GPU-hour, n GPUs billed, h hours. p is a fraction,
/// the price of an instance over its GPUs, so that nothing is rounded before the product.
struct RunTerms {
  MicroUsd usd_per_instance_hour;
  std::int64_t gpus_per_instance = 1;
  std::int64_t gpus_billed = 1;
  HoursTenThousandths hours;
};

/// nullopt where the side has no dollars of a run.
std::optional<RunTerms> run_terms(const ChangeSide& side);

/// p n h, rounded once, half up. Throws std::overflow_error.
MicroUsd cost_of_run(const RunTerms& terms);

/// p in full: at least four decimals, at most nine ("2.3900", "3.99125").
std::string price_text(const RunTerms& terms);

/// A row, or the picked row, on both sides.
struct RunMove {
  RunTerms before;
  RunTerms after;
  bool other_pick = false;  ///< a pick changed its card, its seller or its count
  /// Of another pick: `after`'s set-up in OLD, at OLD's price of the same offer and with OLD's
  /// hours where OLD has them, else the new ones. Absent where OLD has no such price.
  std::optional<RunTerms> then;
  MicroUsd old_usd;  ///< of a run, as the editions have it
  MicroUsd new_usd;
};

/// OLD's price of each offer, a price's key without its day: the newest one.
class OfferPrices {
 public:
  explicit OfferPrices(const Edition& edition);
  std::optional<MicroUsd> of(const std::string& price_key) const;

 private:
  std::map<std::string, MicroUsd> prices_;
};

/// One row of both editions; nullopt where a side lacks the row or dollars of a run.
std::optional<RunMove> row_move(const EditionRow* before, const EditionRow* after);

/// The rows that a pick had and has. `then`: OLD's row of `after`'s key, or nullptr.
std::optional<RunMove> pick_move(const EditionRow* before, const EditionRow* then,
                                 const EditionRow* after, const OfferPrices& old_prices);

/// First the hours move, then the GPUs, then the price: time = p0 n0 (h1 - h0), quantity = p0 (n1 -
/// n0) h1, price = (p1 - p0) n1 h1. Of another pick `mix` comes first, `then` less `before`, and
/// the others go on from `then`; without `then` all is mix. Steps are differences of rounded
/// amounts, so they add up to the micro-dollar. Throws std::overflow_error.
ChangeEffects effects_of(const RunMove& move);

}  // namespace sizesheet
