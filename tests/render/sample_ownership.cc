// SPDX-License-Identifier: Apache-2.0
#include "render/sample_ownership.h"

#include <algorithm>
#include <cmath>

namespace sizesheet::sample {
namespace {

RentOffer offer_of(const Row& row, const SheetPrice& price) {
  RentOffer offer;
  offer.price_key = price.key;
  offer.provider = price.provider;
  offer.region = price.region;
  offer.tier = price.tier;
  offer.offer = price.offer;
  offer.as_of = price.as_of;
  offer.instances = (row.layout.gpus + price.gpus - 1) / price.gpus;
  offer.unused_gpus = offer.instances * price.gpus - row.layout.gpus;
  offer.usd_per_hour = price.usd_per_instance_hour * offer.instances;
  if (row.hours_mid) {
    offer.usd_per_run = scaled(offer.usd_per_hour, std::llround(*row.hours_mid * 1e4), 10'000);
  }
  return offer;
}

/// The rate's share of the figure is made up: a fifth of it for the first rate, less for each next.
Sensitivity bar_of(const SheetEstimate& rate, MicroUsd own, std::int64_t place) {
  Sensitivity bar{rate.id,    rate.title,  rate.unit, rate.low, rate.typical, rate.high,
                  rate.basis, rate.source, {},        {},       std::nullopt, std::nullopt};
  bar.own_usd_per_gpu_hour_low = scaled(own, 80 + 4 * place, 100);
  bar.own_usd_per_gpu_hour_high = scaled(own, 120 - 4 * place, 100);
  bar.break_even_hours_low = 200 + 10.0 * static_cast<double>(place);
  return bar;
}

Tornado tornado_of(const Sheet& sheet, const Row& row) {
  Tornado tornado{
      row.key(), row.own->own_usd_per_gpu_hour, row.own->break_even_hours_per_month, {}};
  std::int64_t place = 0;
  for (const SheetEstimate& rate : sheet.rates) {
    tornado.bars.push_back(bar_of(rate, tornado.own_usd_per_gpu_hour, place++));
  }
  return tornado;
}

BuyOrRent choice_of(const Pick& pick, const Row& bought, const Row& rented) {
  BuyOrRent choice;
  choice.model = pick.model;
  choice.method = pick.method;
  choice.buy_key = bought.key();
  choice.rent_key = rented.key();
  choice.own_usd_per_run = bought.own->own_usd_per_run.value();
  choice.rent_usd_per_run = rented.rents[kOnDemand]->usd_per_run.value();
  choice.advice = choice.own_usd_per_run < choice.rent_usd_per_run ? "buy" : "rent";
  if (choice.advice == "buy") choice.break_even_runs_per_month = 12.5;
  return choice;
}

/// Rented and owned at a part of the month and at all of it, from the line's ends.
UseOfRow use_of_sample(const Sheet& sheet, const Row& row) {
  UseOfRow use{row.key(), {}};
  const double all = sheet.options.hours_per_month;
  for (const double hours : {200.0, all}) {
    MonthOfUse month;
    month.hours = hours;
    const MicroUsd rising = row.own->full_use_usd_per_month - row.own->fixed_usd_per_month;
    month.own_usd_per_month =
        row.own->fixed_usd_per_month + scaled(rising, std::llround(hours), std::llround(all));
    if (row.rents[kOnDemand]) {
      month.rent_usd_per_month = row.rents[kOnDemand]->usd_per_hour * std::llround(hours);
      month.advice = month.own_usd_per_month < *month.rent_usd_per_month ? "buy" : "rent";
    }
    use.months.push_back(month);
  }
  return use;
}

}  // namespace

RunFiles files_of(const Row& row) {
  const std::int64_t trained = 2 * row.parameters_trainable;
  RunFiles files;
  files.adapter = row.method == "full" ? 0 : trained;
  files.checkpoint = 4 * trained;
  files.host_memory = row.memory.of(Term::kWeights);
  files.disk = row.memory.of(Term::kWeights) + 2 * files.checkpoint;
  return files;
}

RowOffers offers_of(const Sheet& sheet, const Row& row) {
  RowOffers all{row.key(), {}};
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == row.gpu && price.excluded.empty()) all.offers.push_back(offer_of(row, price));
  }
  std::stable_sort(
      all.offers.begin(), all.offers.end(),
      [](const RentOffer& a, const RentOffer& b) { return a.usd_per_hour < b.usd_per_hour; });
  return all;
}

std::optional<SheetOwnership> ownership_of(const Sheet& sheet) {
  SheetOwnership ownership;
  for (const SheetEstimate& rate : sheet.rates) {
    ownership.assumptions.push_back({rate.id, rate.title, rate.unit, rate.typical, rate.low,
                                     rate.high, rate.basis, rate.source, rate.date});
  }
  for (const Pick& pick : sheet.picks) {
    const Row* rented = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    const Row* bought = pick.buy_key ? sheet.find(*pick.buy_key) : nullptr;
    for (const Row* row : {rented, bought == rented ? nullptr : bought}) {
      if (row != nullptr && row->own) ownership.uses.push_back(use_of_sample(sheet, *row));
    }
    if (bought == nullptr) continue;
    ownership.tornadoes.push_back(tornado_of(sheet, *bought));
    if (rented != nullptr && rented->gpu != bought->gpu) {
      ownership.buy_or_rent.push_back(choice_of(pick, *bought, *rented));
    }
  }
  if (ownership.tornadoes.empty()) return std::nullopt;
  return ownership;
}

}  // namespace sizesheet::sample
