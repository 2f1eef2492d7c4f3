// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/candidates.h"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/cost_line.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "cost/rent_or_own.h"
#include "sheet/decision.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sizing/answer/estimate.h"
#include "sizing/search/search.h"
#include "sizing/time/throughput.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

CountOffers count_offers(std::vector<RentQuote> quotes, double exposure_share) {
  CountOffers found{std::move(quotes), 0, false};
  const RentQuote& lowest = found.quotes.front();
  std::set<std::string> providers;
  std::optional<MicroUsd> second;  // of another seller
  for (const RentQuote& quote : found.quotes) {
    const bool other = quote.price->provider != lowest.price->provider;
    if (other && !second) second = quote.usd_per_hour;
    providers.insert(quote.price->provider);
  }
  found.providers = static_cast<std::int64_t>(providers.size());
  found.exposed = !second || to_usd(*second) > to_usd(lowest.usd_per_hour) * (1 + exposure_share);
  return found;
}

MicroUsd cost_of(MicroUsd usd_per_hour, double hours) {
  return run_cost(usd_per_hour, round_hours(hours));
}

/// A month's dollars with the machine at another price, over those at its typical one.
double month_ratio(OwnershipTerms terms, MicroUsd typical, double usd_per_node) {
  terms.capex_usd_per_node = rounded_usd(usd_per_node);
  const MicroUsd month = cost_of_owning(terms).own_usd_per_month;
  return typical.value > 0 && month.value > 0 ? to_usd(month) / to_usd(typical) : 1;
}

/// Hours of the machine's month that are planned: those of the sheet, or of the runs asked for.
double planned_hours(const SpecOwnership& plan, const Timed& way) {
  return plan.planned_runs_per_month ? *plan.planned_runs_per_month * way.hours->mid
                                     : plan.planned_hours_per_month;
}

OwnPick own_pick(const PurchaseNode& node, OwnershipTerms terms, const Timed& way,
                 double planned_hours) {
  terms.utilisation = planned_hours / terms.hours_per_month;
  const OwnLine own = cost_of_owning(terms);
  OwnPick pick;
  pick.gpu = node.gpu;
  pick.machine = node.id;
  pick.machine_title = node.title;
  pick.used = node.used();
  pick.price_as_of = node.usd.date;
  pick.price_kind = node.price_kind;
  pick.lead_time_weeks = node.lead_time_weeks;
  pick.machines = own.nodes;
  pick.gpus = terms.gpus;
  pick.unused_gpus = own.unused_gpus;
  pick.layout = shape_of(way.candidate.job);
  pick.certain = way.candidate.certain();
  pick.hours = *way.hours;
  pick.measured = way.speed.measured;
  pick.capex_usd = own.capex_usd;
  pick.usd_per_month = own.own_usd_per_month;
  pick.fixed_usd_per_month = own.fixed_usd_per_month;
  pick.full_use_usd_per_month = own.full_use_usd_per_month;
  pick.usd_per_run = scaled(own.own_usd_per_month, round_hours(way.hours->mid).value,
                            round_hours(planned_hours).value);
  const UsdRange range = own_range(pick.usd_per_run, pick.hours,
                                   month_ratio(terms, own.own_usd_per_month, node.usd.low),
                                   month_ratio(terms, own.own_usd_per_month, node.usd.high));
  pick.usd_per_run_low = range.low;
  pick.usd_per_run_high = range.high;
  pick.planned_runs_per_month = planned_hours / way.hours->mid;
  pick.advice_at_hours = planned_hours;
  return pick;
}

/// Over the expected dollars, of the upper end.
double upper_factor(double ln_width, const Hours& hours) {
  return std::exp(std::hypot(std::log(hours.high / hours.mid), ln_width));
}

/// Of the expected hours, before the first step.
double startup_share(const Job& job, const Hours& hours) {
  return std::min(1.0, job.whole_startup_hours() / hours.mid);
}

RunCandidate candidate_of(const std::string& gpu, const Timed& way, const CountOffers& offers,
                          const RentQuote& quote) {
  const Job& job = way.candidate.job;
  const Price& price = *quote.price;
  RunCandidate run;
  run.gpu = gpu;
  run.gpus = job.layout.gpus();
  run.layout = shape_of(job);
  run.hours = *way.hours;
  run.usd = run_range(quote.usd_per_hour, quote.ln_width, run.hours);
  run.price_key = price.key();
  run.provider = price.provider;
  run.price_as_of = price.as_of;
  run.old = quote.old;
  run.offers = offers.providers;
  run.exposed = offers.exposed;
  run.measured = way.speed.measured;
  run.batch = job.batch();
  run.keeps_batch = job.keeps_batch();
  run.nodes = job.nodes();
  run.startup_share = startup_share(job, run.hours);
  run.device_high = way.candidate.bill.device_high;
  run.certain = way.candidate.certain();
  run.price_ln_width = quote.ln_width;
  return run;
}

}  // namespace

Offers::Offers(const Catalog& catalog, const CurrentPrices& prices,
               const std::vector<std::string>& gpus, std::int64_t max_gpus, const PickRules& rules)
    : rules_(rules) {
  for (const std::string& id : gpus) {
    const Gpu& gpu = catalog.gpu(id);
    const std::int64_t most = gpu.max_gpus > 0 ? std::min(gpu.max_gpus, max_gpus) : max_gpus;
    for (const std::int64_t n : gpu.counts_up_to(most)) {
      std::vector<RentQuote> quotes = rent_quotes(prices, gpu, n);
      if (quotes.empty()) continue;
      offers_[id].emplace(n, count_offers(std::move(quotes), rules.exposure_share));
    }
  }
}

const CountOffers* Offers::of(const std::string& gpu, std::int64_t gpus) const {
  const auto counts = offers_.find(gpu);
  if (counts == offers_.end()) return nullptr;
  const auto offer = counts->second.find(gpus);
  return offer == counts->second.end() ? nullptr : &offer->second;
}

UsdRange run_range(MicroUsd hourly, double ln_width, const Hours& hours) {
  UsdRange usd{cost_of(hourly, hours.low), cost_of(hourly, hours.mid), cost_of(hourly, hours.high)};
  if (ln_width > 0) usd.high = rounded_usd(to_usd(usd.mid) * upper_factor(ln_width, hours));
  return usd;
}

UsdRange own_range(MicroUsd usd_per_run, const Hours& hours, double ratio_low, double ratio_high) {
  const double down = std::hypot(std::log(hours.mid / hours.low), std::log(ratio_low));
  const double up = std::hypot(std::log(hours.high / hours.mid), std::log(ratio_high));
  const double usd = to_usd(usd_per_run);
  return {rounded_usd(usd * std::exp(-down)), usd_per_run, rounded_usd(usd * std::exp(up))};
}

const RentQuote& best_quote(const std::vector<RentQuote>& quotes, const Hours& hours,
                            const PickRules& rules) {
  return *std::ranges::min_element(quotes, {}, [&](const RentQuote& quote) {
    return ranked_usd(run_range(quote.usd_per_hour, quote.ln_width, hours), rules);
  });
}

std::vector<RunCandidate> candidates_of(const std::string& gpu, const std::vector<Timed>& ways,
                                        const Offers& offers) {
  std::vector<RunCandidate> all;
  for (const Timed& way : ways) {
    const CountOffers* found = offers.of(gpu, way.candidate.job.layout.gpus());
    if (found == nullptr || !way.hours) continue;
    const RentQuote& quote = best_quote(found->quotes, *way.hours, offers.rules());
    all.push_back(candidate_of(gpu, way, *found, quote));
  }
  return all;
}

std::vector<RunCandidate> best_by_seller(const std::string& gpu, const std::vector<Timed>& ways,
                                         const Offers& offers,
                                         std::optional<double> deadline_hours) {
  std::map<std::string_view, std::vector<RunCandidate>> of_seller;
  for (const Timed& way : ways) {
    const CountOffers* found = offers.of(gpu, way.candidate.job.layout.gpus());
    if (found == nullptr || !way.hours || !meets(*way.hours, deadline_hours)) continue;
    std::map<std::string_view, std::vector<RentQuote>> quotes;
    for (const RentQuote& quote : found->quotes) quotes[quote.price->provider].push_back(quote);
    for (const auto& [seller, own] : quotes) {
      const RentQuote& best = best_quote(own, *way.hours, offers.rules());
      of_seller[seller].push_back(candidate_of(gpu, way, *found, best));
    }
  }
  PickRules of_row = offers.rules();
  of_row.measured = false;
  of_row.min_offers = 1;
  std::vector<RunCandidate> best;
  for (const auto& [seller, runs] : of_seller) {
    std::vector<const RunCandidate*> all;
    for (const RunCandidate& one : runs) all.push_back(&one);
    if (const RunCandidate* one = picked(all, of_row, deadline_hours)) best.push_back(*one);
  }
  return best;
}

std::vector<CostLine> explain_candidate(const Offers& offers, const RunCandidate& run) {
  const RentQuote& quote =
      best_quote(offers.of(run.gpu, run.gpus)->quotes, run.hours, offers.rules());
  const auto lines_of = [&](double hours) {
    RentTerms terms;
    terms.gpus = run.gpus;
    terms.hours = round_hours(hours);
    return explain_rent(quote, terms);
  };
  std::vector<CostLine> lines = lines_of(run.hours.mid);
  const auto add_end = [&](double hours, const char* name, const char* words) {
    const std::vector<CostLine> all = lines_of(hours);
    CostLine end = *std::ranges::find(all, "usd_per_run", &CostLine::name);
    end.name += name;
    end.title += words;
    lines.push_back(std::move(end));
  };
  add_end(run.hours.low, "_low", ", the lower end");
  add_end(run.hours.high, "_high", ", the upper end");
  if (quote.ln_width > 0) {  // of hours and price alike
    lines.back().usd = run.usd.high;
    lines.back().formula =
        formula_of(Traced::input("usd_per_run", to_usd(run.usd.mid)) *
                   Traced::input("upper_factor", upper_factor(quote.ln_width, run.hours)));
  }
  return lines;
}

std::vector<SmallerCount> smaller_counts(std::int64_t gpus, const std::vector<Timed>& ways,
                                         const std::vector<RunCandidate>& candidates,
                                         const PickRules& rules,
                                         std::optional<double> deadline_hours) {
  std::vector<SmallerCount> smaller;
  for (const Timed& way : ways) {
    const std::int64_t count = way.candidate.job.layout.gpus();
    if (count >= gpus) continue;
    SmallerCount& one = smaller.emplace_back();
    one.gpus = count;
    one.device = way.candidate.device();
    one.device_high = way.candidate.bill.device_high;
    one.certain = way.candidate.certain();
    one.hours = way.hours;
    if (way.hours) one.startup_share = startup_share(way.candidate.job, *way.hours);
    const RunCandidate* run = entry_with(candidates, &RunCandidate::gpus, count);
    if (run == nullptr) continue;
    one.usd = run->usd;
    one.provider = run->provider;
    one.price_key = run->price_key;
    one.allowed = rules_allow(*run, rules, deadline_hours);
  }
  return smaller;
}

void drop_dear(const PickRules& rules, std::int64_t gpus, std::vector<RunCandidate>& candidates) {
  const auto shown = std::ranges::find(candidates, gpus, &RunCandidate::gpus);
  if (shown == candidates.end()) return;
  const double most = to_usd(shown->usd.high) * (1 + rules.frontier_share);
  std::erase_if(candidates, [&](const RunCandidate& one) {
    return one.gpus != gpus && to_usd(one.usd.high) > most;
  });
}

const Timed* set_up_of(const std::vector<Timed>& ways, const std::vector<RunCandidate>& candidates,
                       const PickRules& rules, std::optional<double> deadline_hours) {
  if (ways.empty()) return nullptr;
  // Whether a GPU type may win at all is asked of the whole, not of a row.
  PickRules of_row = rules;
  of_row.measured = false;
  of_row.min_offers = 1;
  std::vector<const RunCandidate*> all;
  for (const RunCandidate& one : candidates) all.push_back(&one);
  const RunCandidate* best = picked(all, of_row, deadline_hours);
  if (best == nullptr) best = picked(all, of_row, std::nullopt);
  const auto chosen = std::ranges::find_if(ways, [&](const Timed& way) {
    return best != nullptr ? way.candidate.job.layout.gpus() == best->gpus
                           : way.hours && meets(*way.hours, deadline_hours);
  });
  return chosen != ways.end() ? &*chosen : &ways.front();
}

std::optional<OwnPick> cheapest_to_own(const Catalog& catalog, const SheetSpec& spec,
                                       std::optional<double> deadline_hours, const std::string& gpu,
                                       const std::vector<Timed>& ways) {
  std::optional<OwnPick> best;
  const SpecOwnership& plan = spec.ownership;
  if (plan.planned_hours_per_month <= 0 && !plan.planned_runs_per_month) return best;
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (node.gpu != gpu || !node.quoted) continue;
    for (const bool joined : {false, true}) {
      if (joined && !node.multi_node) continue;
      const auto inputs = ownership_inputs(catalog.purchase, plan, node, joined);
      for (const Timed& way : ways) {
        const std::int64_t gpus = way.candidate.job.layout.gpus();
        if ((gpus > node.gpus) != joined || !way.hours) continue;
        if (!meets(*way.hours, deadline_hours)) continue;
        const OwnershipTerms terms = typical_terms(inputs, node, gpus);
        const double planned = planned_hours(plan, way);
        if (planned > terms.hours_per_month) continue;
        OwnPick pick = own_pick(node, terms, way, planned);
        if (!best ||
            ranked_usd_to_own(pick, spec.pick_rules) < ranked_usd_to_own(*best, spec.pick_rules)) {
          best = std::move(pick);
        }
      }
    }
  }
  return best;
}

void compare_to_rent(const RunCandidate& rented, double hours_per_month, OwnPick& own) {
  const MicroUsd rent_usd_per_run = rented.usd.mid;
  own.rent_set_up =
      RentSetUp{rented.gpu, rented.gpus, rented.provider, rented.price_key, rented.usd};
  own.rent_price_key = rented.price_key;
  const OwnedMachine machine{own.fixed_usd_per_month, own.full_use_usd_per_month, hours_per_month,
                             own.hours.mid};
  own.rent_usd_per_run = rent_usd_per_run;
  own.quantity_terms = run_break_even(machine, rent_usd_per_run);
  own.break_even_runs_per_month = own.break_even_hours_per_month = std::nullopt;
  if (!own.quantity_terms.empty()) {
    own.break_even_runs_per_month = own.quantity_terms.front().value;
    own.break_even_hours_per_month = own.quantity_terms.back().value;
  }
  own.advice = advice(own.usd_per_run, rent_usd_per_run);
  own.close = is_close(own.usd_per_run, rent_usd_per_run);
}

}  // namespace sizesheet
