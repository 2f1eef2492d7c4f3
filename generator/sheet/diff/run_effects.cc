// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/run_effects.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "cost/aged_price.h"
#include "cost/rent.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/measures.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {
namespace {

/// a / b, half up; neither is negative.
__int128 divided(__int128 a, __int128 b) { return (a + b / 2) / b; }

std::int64_t amount_within_64_bits(__int128 amount) {
  if (amount > std::numeric_limits<std::int64_t>::max()) {
    throw std::overflow_error("an amount of money does not fit in 64 bits");
  }
  return static_cast<std::int64_t>(amount);
}

/// An older edition names the seller in the price's key alone.
bool another_seller(const ChangeSide& from, const ChangeSide& to) {
  const auto seller = [](const ChangeSide& side) {
    return side.provider.empty() ? side.price_key.substr(0, side.price_key.find('/'))
                                 : side.provider;
  };
  return seller(from) != seller(to);
}

/// Hours of a run on so many GPUs of a row; the row's own where it has so many.
std::optional<double> hours_on(const EditionRow& row, std::int64_t gpus) {
  if (row.side.gpus == gpus) return row.side.hours;
  const auto found = std::ranges::find(row.counts, gpus, &EditionCount::gpus);
  return found == row.counts.end() ? std::nullopt : std::optional(found->hours);
}

/// The set-up of `after` as OLD would have charged it.
std::optional<RunTerms> terms_then(const EditionRow* then, const ChangeSide& after,
                                   const OfferPrices& old_prices) {
  std::optional<RunTerms> terms = run_terms(after);
  std::optional<MicroUsd> price = old_prices.of(after.price_key);
  const bool same_offer =
      then != nullptr && offer_of(then->side.price_key) == offer_of(after.price_key);
  if (!price && same_offer) price = then->side.usd_per_instance_hour;
  if (!price) return std::nullopt;
  terms->usd_per_instance_hour = *price;
  const auto hours = then == nullptr ? std::nullopt : hours_on(*then, after.gpus);
  if (hours) terms->hours = round_hours(*hours);
  return terms;
}

}  // namespace

std::optional<RunTerms> run_terms(const ChangeSide& side) {
  const bool known = side.list_usd_per_run && side.usd_per_instance_hour && side.hours;
  if (!known || side.instances < 1 || side.gpus_billed < 1) return std::nullopt;
  return RunTerms{*side.usd_per_instance_hour, side.gpus_per_instance(), side.gpus_billed,
                  round_hours(*side.hours)};
}

MicroUsd cost_of_run(const RunTerms& terms) {
  constexpr std::int64_t kHourParts = 10'000;
  // Two steps: the product of all three may be beyond 128 bits.
  const __int128 hourly = __int128{terms.usd_per_instance_hour.value} * terms.gpus_billed;
  const __int128 divisor = __int128{terms.gpus_per_instance} * kHourParts;
  __int128 product = 0;
  if (__builtin_mul_overflow(hourly, __int128{terms.hours.value}, &product)) {
    throw std::overflow_error("an amount of money does not fit in 128 bits");
  }
  return {amount_within_64_bits(divided(product, divisor))};
}

std::string price_text(const RunTerms& terms) {
  constexpr std::int64_t kNano = 1000;  // of a micro-dollar
  constexpr std::size_t kFewest = 4;
  const __int128 nanos = divided(__int128{terms.usd_per_instance_hour.value} * kNano,
                                 __int128{terms.gpus_per_instance});
  const MicroUsd whole{static_cast<std::int64_t>(nanos / kNano)};
  std::string text = format_usd(whole, 6);
  const std::string rest = std::to_string(static_cast<std::int64_t>(nanos % kNano));
  text += std::string(3 - rest.size(), '0') + rest;
  const std::size_t shortest = text.find('.') + 1 + kFewest;
  while (text.size() > shortest && text.back() == '0') text.pop_back();
  return text;
}

OfferPrices::OfferPrices(const Edition& edition) {
  std::map<std::string, Price> newest;
  const Json& rows = at_dotted(edition.inputs, "prices");
  if (!rows.is_array()) return;
  for (const Json& row : rows) {
    const auto text = [&](const char* key) {
      const auto* found = at_dotted(row, key).get_ptr<const std::string*>();
      return found == nullptr ? std::string() : *found;
    };
    const Json& amount = at_dotted(row, "usd_per_instance_hour");
    const Json& gpus = at_dotted(row, "gpus");
    if (!amount.is_number() || !gpus.is_number_integer()) continue;
    const std::optional<MicroUsd> usd = usd_of(amount.get<double>());
    Price price;
    price.provider = text("provider");
    price.region = text("region");
    price.instance = text("instance");
    price.gpu = text("gpu");
    price.tier = text("tier");
    price.offer = text("offer");
    price.gpus = gpus.get<std::int64_t>();
    price.as_of = text("as_of");
    price.usd_per_instance_hour = usd.value_or(MicroUsd{});
    const auto known = newest.find(price.offer_key());
    const bool older = known != newest.end() && price.as_of < known->second.as_of;
    if (!usd || older || price.as_of > edition.label.as_of) continue;
    newest.insert_or_assign(price.offer_key(), price);
  }
  const EditionAges ages = ages_of(edition.inputs);
  std::vector<Price> prices;
  for (auto& [offer, price] : newest) prices.push_back(std::move(price));
  mark_ages(ages.age, ages.providers, prices);
  for (const Price& price : prices) {
    prices_[price.offer_key()] = aged_price(price, ages.age, edition.label.as_of).expected;
  }
}

std::optional<MicroUsd> OfferPrices::of(const std::string& price_key) const {
  const auto found = prices_.find(offer_of(price_key));
  return found == prices_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<RunMove> row_move(const EditionRow* before, const EditionRow* after) {
  if (before == nullptr || after == nullptr) return std::nullopt;
  const auto from = run_terms(before->side);
  const auto to = run_terms(after->side);
  if (!from || !to) return std::nullopt;
  return RunMove{*from,
                 *to,
                 false,
                 std::nullopt,
                 *before->side.list_usd_per_run,
                 *after->side.list_usd_per_run};
}

std::optional<RunMove> pick_move(const EditionRow* before, const EditionRow* then,
                                 const EditionRow* after, const OfferPrices& old_prices) {
  std::optional<RunMove> move = row_move(before, after);
  if (!move) return move;
  const ChangeSide& from = before->side;
  const ChangeSide& to = after->side;
  move->other_pick =
      before->key() != after->key() || from.gpus != to.gpus || another_seller(from, to);
  if (move->other_pick) move->then = terms_then(then, to, old_prices);
  return move;
}

ChangeEffects effects_of(const RunMove& move) {
  ChangeEffects effects;
  effects.total = move.new_usd - move.old_usd;
  if (move.other_pick && !move.then) {
    effects.mix = effects.total;
    return effects;
  }
  const RunTerms& start = move.then ? *move.then : move.before;
  const MicroUsd begun = move.then ? cost_of_run(start) : move.old_usd;
  effects.mix = begun - move.old_usd;
  RunTerms at = start;
  at.hours = move.after.hours;
  const MicroUsd timed = cost_of_run(at);
  at.gpus_billed = move.after.gpus_billed;
  const MicroUsd counted = cost_of_run(at);
  effects.time = timed - begun;
  effects.quantity = counted - timed;
  effects.price = move.new_usd - counted;
  return effects;
}

}  // namespace sizesheet
