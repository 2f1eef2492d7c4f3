// SPDX-License-Identifier: Apache-2.0
// Owning in the sample sheets, and the offers beside it.
#include <algorithm>
#include <cmath>

#include "render/sample_rows.h"

namespace sizesheet::sample {
namespace {

RentOffer offer_of(const Row& row, const SheetPrice& price) {
  RentOffer offer;
  copy_named(price, offer);
  offer.price_key = price.key;
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
  Sensitivity bar;
  copy_named(rate, bar);
  bar.input = rate.id;
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

BuyOrRent choice_of(const Pick& pick) {
  const OwnPick& own = *pick.own;
  BuyOrRent choice;
  choice.model = pick.model;
  choice.method = pick.method;
  choice.buy_key = *pick.buy_key;
  choice.rent_key = *pick.rent_key;
  choice.own_usd_per_run = own.usd_per_run;
  choice.rent_usd_per_run = *own.rent_usd_per_run;
  choice.advice = *own.advice;
  choice.break_even_runs_per_month = own.break_even_runs_per_month;
  return choice;
}

/// Rented and owned at a part of the month and at all of it, from the line's ends.
UseOfRow use_of_sample(const Sheet& sheet, const Pick& pick) {
  UseOfRow use{*pick.rent_key, {}};
  const OwnPick& own = *pick.own;
  const double all = sheet.options.hours_per_month;
  for (const double hours : {200.0, all}) {
    MonthOfUse month;
    month.hours = hours;
    const MicroUsd rising = own.full_use_usd_per_month - own.fixed_usd_per_month;
    month.own_usd_per_month =
        own.fixed_usd_per_month + scaled(rising, std::llround(hours), std::llround(all));
    if (own.rent_usd_per_run) {
      month.rent_usd_per_month = rounded_usd(to_usd(*own.rent_usd_per_run) * hours / own.hours.mid);
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

OwnPick owned_of(const Row& row, const Row* rented) {
  const OwnLine& line = *row.own;
  OwnPick own;
  own.gpu = row.gpu;
  own.machine = line.node;
  own.machine_title = line.node_title;
  own.machines = line.nodes;
  own.gpus = row.layout.gpus;
  own.unused_gpus = line.unused_gpus;
  own.layout = row.layout;
  own.hours = {*row.hours_low, *row.hours_mid, *row.hours_high};
  own.capex_usd = line.capex_usd;
  own.usd_per_month = line.own_usd_per_month;
  own.fixed_usd_per_month = line.fixed_usd_per_month;
  own.full_use_usd_per_month = line.full_use_usd_per_month;
  own.usd_per_run = *line.own_usd_per_run;
  own.planned_runs_per_month = to_usd(own.usd_per_month) / to_usd(own.usd_per_run);
  if (rented == nullptr || !rented->usd_per_run()) return own;
  own.rent_usd_per_run = rented->usd_per_run();
  own.advice = own.usd_per_run < *own.rent_usd_per_run ? "buy" : "rent";
  if (own.advice == "buy") own.break_even_runs_per_month = 12.5;
  return own;
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
    if (bought == nullptr) continue;
    ownership.tornadoes.push_back(tornado_of(sheet, *bought));
    if (rented == nullptr || !pick.own || !pick.own->rent_usd_per_run) continue;
    ownership.uses.push_back(use_of_sample(sheet, pick));
    ownership.buy_or_rent.push_back(choice_of(pick));
  }
  if (ownership.tornadoes.empty()) return std::nullopt;
  return ownership;
}

}  // namespace sizesheet::sample
