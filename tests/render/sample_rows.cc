// SPDX-License-Identifier: Apache-2.0
// Money of a row of the sample sheets by made-up rates, owning and offers beside it, and levers,
// stages and ranks.

#include "render/sample_rows.h"

#include <algorithm>
#include <cmath>

#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::sample {
namespace {

RentLine rent_line(const SheetPrice& price, const Row& row, double hours_per_month) {
  RentLine line;
  line.price_key = price.key;
  line.tier = price.tier;
  line.instances = (row.layout.gpus + price.gpus - 1) / price.gpus;
  line.gpus_paid = line.instances * price.gpus;
  line.usd_per_hour = price.usd_per_instance_hour * line.instances;
  line.seen_usd_per_hour = line.usd_per_hour;
  if (row.hours_mid) {
    line.usd_per_run = scaled(line.usd_per_hour, std::llround(*row.hours_mid * 1e4), 10'000);
  }
  if (price.tier == "spot" && line.usd_per_run) {
    line.usd_per_run_interrupted = scaled(*line.usd_per_run, 115, 100);
  }
  line.usd_per_3_days = line.usd_per_hour * 72;
  line.usd_per_weekend = line.usd_per_hour * 48;
  line.usd_per_full_month = line.usd_per_hour * std::llround(hours_per_month);
  if (price.tier == "reserved_1y") {
    line.usd_per_month = scaled(line.usd_per_hour, std::llround(hours_per_month), 1);
  }
  return line;
}

void break_even(OwnLine& own, const Row& row, const SheetOptions& options) {
  if (!row.rents[kOnDemand]) return;
  const double hour = to_usd(row.rents[kOnDemand]->usd_per_hour);
  const double slope =
      to_usd(own.full_use_usd_per_month - own.fixed_usd_per_month) / options.hours_per_month;
  if (hour > slope) {
    const double hours = to_usd(own.fixed_usd_per_month) / (hour - slope);
    if (hours <= options.hours_per_month) {
      own.break_even_hours_per_month = hours;
      own.break_even_utilisation = hours / options.hours_per_month;
      own.break_even_runs_per_month = hours / row.hours_mid.value();
      own.payback_month = 30;
      own.payback_month_cash = 26;
      own.savings_usd_over_life = own.capex_usd;
      own.npv_usd = scaled(own.capex_usd, -1, 100);
    }
  }
  const double rented = hour * options.planned_hours_per_month;
  const double owned = to_usd(own.own_usd_per_month);
  own.advice = owned < rented ? "buy" : "rent";
  own.close = std::abs(owned - rented) <= 0.10 * rented;
}

void add_own_terms(Row& row) {
  Traced sum = 0.0;
  const auto parts = row.own->parts.named();
  const std::map<std::string, MicroUsd> by_name(parts.begin(), parts.end());
  for (const auto& [name, usd] : by_name) {
    if (usd.value == 0) continue;
    const std::string title = std::string("Own: ") + name;
    row.cost_terms.push_back({"own_" + name, title, usd, "$/month",
                              formula_of(Traced::input(name.c_str(), to_usd(usd))),
                              "made-up rates"});
    sum = sum + Traced::input(name.c_str(), to_usd(usd));
  }
  row.cost_terms.push_back({"own_usd_per_month", "Own, per month", row.own->own_usd_per_month,
                            "$/month", formula_of(sum), "sum of the parts"});
}

}  // namespace

void add_rent(Row& row, const Sheet& sheet) {
  if (row.verdict != Verdict::kFits) return;
  for (const SheetPrice& price : sheet.prices) {
    if (!price.used || price.gpu != row.gpu) continue;
    row.rents[*rent_tier(price.tier)] = rent_line(price, row, sheet.options.hours_per_month);
  }
  if (!row.rents[kOnDemand]) return;
  const MicroUsd low = sheet.gpu(row.gpu).list_usd_per_gpu_hour.value();
  row.spread = PriceSpread{low, scaled(low, 116, 100), scaled(low, 131, 100), 2};
  const RentLine& rent = *row.rents[kOnDemand];
  const double hour = to_usd(rent.usd_per_hour);
  const double instances = static_cast<double>(rent.instances);
  row.cost_terms.push_back(
      {"list_usd_per_hour", "Rent, whole set-up", rent.usd_per_hour, "$/h",
       formula_of(Traced::input("price", hour / instances) * Traced::input("instances", instances)),
       rent.price_key});
  row.cost_terms.push_back(
      {"list_usd_per_run", "One run, rented", rent.usd_per_run.value(), "$/run",
       formula_of(Traced::input("rent", hour) * Traced::input("hours", row.hours_mid.value())),
       "rent and time above"});
}

void add_own(Row& row, const SampleCell& cell, const Sheet& sheet) {
  OwnLine line;
  const std::int64_t per_node = cell.gpu.gpus_per_node;
  line.node = std::to_string(per_node) + "x-" + row.gpu;
  const SheetEstimate* sold = entry_with(sheet.purchase_nodes, &SheetEstimate::id, line.node);
  if (row.verdict != Verdict::kFits || sold == nullptr) return;
  const SheetOptions& options = sheet.options;
  line.nodes = (row.layout.gpus + per_node - 1) / per_node;
  line.gpus_bought = line.nodes * per_node;
  line.node_title = sold->title;
  line.capex_usd = rounded_usd(sold->typical) * line.nodes;
  const double kw = node_kw(row.gpu) * static_cast<double>(line.nodes);
  const double full_energy = kw * 1.3 * options.hours_per_month * 0.08;
  const auto energy = [&](double use) { return rounded_usd(full_energy * (0.35 + 0.65 * use)); };
  OwnershipParts& parts = line.parts;
  parts.depreciation = scaled(line.capex_usd, 1, 60);
  parts.capital = scaled(line.capex_usd, 42, 10'000);
  parts.colo = rounded_usd(kw * 150);
  parts.support = scaled(line.capex_usd, 8, 1200);
  parts.energy = energy(options.planned_hours_per_month / options.hours_per_month);
  line.own_usd_per_month = parts.total();
  line.fixed_usd_per_month = line.own_usd_per_month - parts.energy + energy(0);
  line.full_use_usd_per_month = line.own_usd_per_month - parts.energy + energy(1);
  const std::int64_t hours = std::llround(options.planned_hours_per_month);
  line.own_usd_per_gpu_hour = scaled(line.own_usd_per_month, 1, hours * row.layout.gpus);
  line.own_usd_per_run =
      scaled(line.own_usd_per_month, std::llround(*row.hours_mid * 1e4), hours * 10'000);
  line.unused_gpus = line.gpus_bought - row.layout.gpus;
  line.unused_usd_per_month = scaled(line.own_usd_per_month, line.unused_gpus, line.gpus_bought);
  break_even(line, row, options);
  row.own = line;
  add_own_terms(row);
}

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
  choice.break_even_hours_per_month = own.break_even_hours_per_month;
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
  own.price_as_of = "2026-10";
  own.measured = row.speed_measured.value_or(false);
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
  own.usd_per_run_low = scaled(own.usd_per_run, 4, 5);
  own.usd_per_run_high = scaled(own.usd_per_run, 5, 4);
  own.planned_runs_per_month = to_usd(own.usd_per_month) / to_usd(own.usd_per_run);
  own.advice_at_hours = own.planned_runs_per_month * own.hours.mid;
  if (rented == nullptr || !rented->usd_per_run()) return own;
  own.rent_usd_per_run = rented->usd_per_run();
  if (const RunCandidate* run = rented->set_up()) {
    own.rent_set_up = RentSetUp{rented->gpu, run->gpus, run->provider, run->price_key, run->usd};
  }
  own.advice = own.usd_per_run < *own.rent_usd_per_run ? "buy" : "rent";
  if (own.advice == "buy") {
    own.break_even_runs_per_month = 12.5;
    own.break_even_hours_per_month = 12.5 * own.hours.mid;
  }
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

namespace {

constexpr double kHeadroom = 0.10;

SheetResized resized(const Row& row, std::int64_t saved, double hours_added, bool in_use) {
  SheetResized made;
  made.device = in_use ? row.memory.device + saved : row.memory.device - saved;
  made.verdict = verdict_of(made.device, kHeadroom, row.memory.capacity);
  made.saved = saved;
  made.hours_added = hours_added;
  if (!row.hours_mid) return made;
  made.hours = in_use ? *row.hours_mid / (1 + hours_added) : *row.hours_mid * (1 + hours_added);
  return made;
}

SheetLever lever(const Row& row, const char* id, const char* title, double share, double time) {
  const double device = static_cast<double>(row.memory.device);
  SheetLever made{id, title, "made-up", "optimizer", false, {}};
  made.resized = resized(row, std::llround(device * share), time, false);
  made.resized.change = {{id, "changed"}};
  made.resized.rentable = row.layout.gpus > 1 ? row.layout.gpus / 2 : row.layout.gpus;
  return made;
}

}  // namespace

SheetWhatIf what_if_of(const Row& row) {
  SheetWhatIf made;
  made.row_key = row.key();
  made.device = row.memory.device;
  made.hours = row.hours_mid;
  made.levers.push_back(lever(row, "optimizer", "an 8-bit optimizer", 0.25, -0.004));
  made.levers.push_back(lever(row, "offload", "optimizer states in host memory", 0.125, 0.5));
  made.levers.back().resized.host = row.memory.host + made.device / 8;
  made.levers.push_back(lever(row, "allocator", "expandable allocator segments", 0.005, 0));
  made.levers.back().resized.hours_added = std::nullopt;
  made.levers.back().resized.rentable = row.layout.gpus;
  SheetLever used{"recompute", "full recompute", "nothing", "activations", true, {}};
  used.resized = resized(row, 2 * row.memory.device, 0.25, true);
  used.resized.change = {{"kernels.recompute", "none"}};
  made.levers.push_back(used);
  SheetCombination both{{"optimizer", "offload"}, made.levers[0].resized};
  both.resized.saved = made.device * 3 / 8;
  both.resized.device = made.device - *both.resized.saved;
  both.resized.change = {{"offload", "changed"}, {"optimizer", "changed"}};
  made.combination = both;
  return made;
}

SheetZeroStages zero_stages_of(const Row& row) {
  SheetZeroStages made{row.model, row.method, row.gpu, true, row.layout, {}};
  const std::int64_t gpus = row.layout.gpus;
  int stage = 0;
  for (const char* shard : {"none", "zero1", "zero2", "zero3"}) {
    MemoryBill bill = row.memory;
    for (const Term term : {Term::kWeights, Term::kGradients, Term::kOptimizer}) {
      if (stage < facts_of(term).shared_from) bill.terms[term] *= gpus;
    }
    const std::int64_t more = bill.terms.sum() - row.memory.terms.sum();
    bill.allocated += more;
    bill.reserved += more;
    bill.device += more;
    SheetZeroStage made_stage{
        shard, bill, verdict_of(bill.device, kHeadroom, bill.capacity), {}, {}};
    made_stage.wire = 4e9 * (stage == 3 ? 1.5 : 1);
    if (made_stage.verdict != Verdict::kNo) made_stage.hours = row.hours_mid;
    made.stages.push_back(made_stage);
    ++stage;
  }
  return made;
}

SheetAdapterRanks adapter_ranks_of(const Row& row, const SheetModel& model) {
  SheetAdapterRanks made{row.model, row.method, row.key(), 16, {}};
  for (const std::int64_t rank : {8, 16, 32}) {
    SheetAdapterRank one;
    one.rank = rank;
    one.trainable = row.parameters_trainable * rank / 16;
    one.share = static_cast<double>(one.trainable) / static_cast<double>(model.parameters);
    one.weights = one.gradients = one.file = 4 * one.trainable;
    one.optimizer = 8 * one.trainable;
    one.device = row.memory.device + 16 * (one.trainable - row.parameters_trainable);
    one.verdict = verdict_of(*one.device, kHeadroom, row.memory.capacity);
    made.ranks.push_back(one);
  }
  return made;
}

}  // namespace sizesheet::sample
