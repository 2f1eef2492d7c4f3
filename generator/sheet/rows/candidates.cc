// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/candidates.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/cost_line.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sizing/answer/estimate.h"
#include "sizing/search/search.h"
#include "sizing/time/throughput.h"
#include "support/money.h"

namespace sizesheet {
namespace {

/// The lowest offer of so many GPUs, and how many providers stand behind it.
LowestOffer lowest_offer(const std::vector<RentQuote>& quotes, double exposure_share) {
  LowestOffer offer;
  offer.quote = quotes.front();
  std::set<std::string> providers;
  std::optional<MicroUsd>& second = offer.second_usd_per_hour;
  for (const RentQuote& quote : quotes) {
    const bool other = quote.price->provider != offer.quote.price->provider;
    if (other && !second) second = quote.usd_per_hour;
    providers.insert(quote.price->provider);
  }
  offer.providers = static_cast<std::int64_t>(providers.size());
  offer.exposed =
      !second || to_usd(*second) > to_usd(offer.quote.usd_per_hour) * (1 + exposure_share);
  return offer;
}

MicroUsd cost_of(MicroUsd usd_per_hour, double hours) {
  return run_cost(usd_per_hour, round_hours(hours));
}

OwnPick own_pick(const PurchaseNode& node, const OwnershipTerms& terms, const OwnLine& own,
                 const Timed& way, const SpecOwnership& plan) {
  OwnPick pick;
  pick.gpu = node.gpu;
  pick.machine = node.id;
  pick.machine_title = node.title;
  pick.machines = own.nodes;
  pick.gpus = terms.gpus;
  pick.unused_gpus = own.unused_gpus;
  pick.layout = shape_of(way.candidate.job);
  pick.certain = way.candidate.certain();
  pick.hours = *way.hours;
  pick.capex_usd = own.capex_usd;
  pick.usd_per_month = own.own_usd_per_month;
  pick.fixed_usd_per_month = own.fixed_usd_per_month;
  pick.full_use_usd_per_month = own.full_use_usd_per_month;
  pick.usd_per_run = scaled(own.own_usd_per_month, round_hours(way.hours->mid).value,
                            round_hours(plan.planned_hours_per_month).value);
  pick.planned_runs_per_month = plan.planned_hours_per_month / way.hours->mid;
  return pick;
}

}  // namespace

LowestOffers::LowestOffers(const Catalog& catalog, const CurrentPrices& prices,
                           const std::vector<std::string>& gpus, std::int64_t max_gpus,
                           double exposure_share) {
  for (const std::string& id : gpus) {
    const Gpu& gpu = catalog.gpu(id);
    const std::int64_t most = gpu.max_gpus > 0 ? std::min(gpu.max_gpus, max_gpus) : max_gpus;
    for (const std::int64_t n : gpu.counts_up_to(most)) {
      const std::vector<RentQuote> quotes = rent_quotes(prices, gpu, n);
      if (!quotes.empty()) offers_[id].emplace(n, lowest_offer(quotes, exposure_share));
    }
  }
}

const LowestOffer* LowestOffers::of(const std::string& gpu, std::int64_t gpus) const {
  const auto counts = offers_.find(gpu);
  if (counts == offers_.end()) return nullptr;
  const auto offer = counts->second.find(gpus);
  return offer == counts->second.end() ? nullptr : &offer->second;
}

std::vector<RunCandidate> candidates_of(const std::string& gpu, const std::vector<Timed>& ways,
                                        const LowestOffers& offers) {
  std::vector<RunCandidate> all;
  for (const Timed& way : ways) {
    const std::int64_t gpus = way.candidate.job.layout.gpus();
    const LowestOffer* offer = offers.of(gpu, gpus);
    if (offer == nullptr || !way.hours) continue;
    const MicroUsd hourly = offer->quote.usd_per_hour;
    const Hours& hours = *way.hours;
    const UsdRange usd{cost_of(hourly, hours.low), cost_of(hourly, hours.mid),
                       cost_of(hourly, hours.high)};
    const Price& price = *offer->quote.price;
    all.push_back({gpu, gpus, shape_of(way.candidate.job), hours, usd, price.key(), price.provider,
                   price.as_of, offer->quote.old, offer->providers, offer->exposed,
                   way.speed.measured, way.candidate.job.batch(), way.candidate.job.keeps_batch(),
                   way.candidate.bill.device_high, way.candidate.certain()});
    if (const auto& second = offer->second_usd_per_hour) {
      all.back().usd_high_elsewhere = cost_of(*second, hours.high);
    }
  }
  return all;
}

std::vector<CostLine> explain_candidate(const RentQuote& quote, const RunCandidate& run) {
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
  return lines;
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
  if (spec.ownership.planned_hours_per_month <= 0) return best;
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (node.gpu != gpu) continue;
    for (const bool joined : {false, true}) {
      if (joined && !node.multi_node) continue;
      const auto inputs = ownership_inputs(catalog.purchase, spec.ownership, node, joined);
      for (const Timed& way : ways) {
        const std::int64_t gpus = way.candidate.job.layout.gpus();
        if ((gpus > node.gpus) != joined || !way.hours) continue;
        if (!meets(*way.hours, deadline_hours)) continue;
        const OwnershipTerms terms = typical_terms(inputs, node, gpus);
        OwnPick pick = own_pick(node, terms, cost_of_owning(terms), way, spec.ownership);
        if (!best ||
            ranked_usd_to_own(pick, spec.pick_rules) < ranked_usd_to_own(*best, spec.pick_rules)) {
          best = std::move(pick);
        }
      }
    }
  }
  return best;
}

void compare_to_rent(MicroUsd rent_usd_per_run, double hours_per_month, OwnPick& own) {
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
