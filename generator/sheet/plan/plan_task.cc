// SPDX-License-Identifier: Apache-2.0
#include "sheet/plan/plan_task.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "cost/plan/plan.h"
#include "cost/plan/programme.h"
#include "cost/plan/study.h"
#include "cost/rent.h"
#include "cost/spot_cost.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/plan/delivery.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/rows/spot_row.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/parallel.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMonthsOfQuarter = 3;
constexpr std::int64_t kManyUnits = 64;  ///< that one network joins
constexpr double kSolverSeconds = 60;

/// A count of a GPU type in its fastest layout.
struct CountedRun {
  std::int64_t gpus = 0;
  Hours hours;
  PlanSetUp set_up;
};

/// One kind of run on one GPU type: the counts, and those on offer.
struct RunOnType {
  std::vector<CountedRun> counts;
  std::vector<RunCandidate> offered;
};

/// "Civo" of a seller's id; the id where the catalog has no such entry.
std::string seller_title(const Catalog& catalog, const std::string& id) {
  const auto* provider = entry_with(catalog.providers, &Provider::id, id);
  if (provider == nullptr) return id;
  const std::string brief =
      provider->raw.is_object() ? provider->raw.value("short_title", "") : std::string();
  if (!brief.empty()) return brief;
  return provider->title.empty() ? id : provider->title;
}

bool is_late(double hours_high, const PlannedRuns& runs) {
  return runs.deadline_hours && hours_high > *runs.deadline_hours;
}

RunOnType run_on_type(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                      const PlannedRuns& runs, const std::string& gpu) {
  RunOnType found;
  const auto cell = main_cell(spec, runs.model, runs.method, gpu);
  if (!cell) return found;
  Json request = request_of(catalog, spec, *cell);
  ask_run(catalog.method(runs.method), runs.tokens, request);
  Faults faults;
  const Question question = question_of(catalog, spec, request, faults);
  if (!faults.empty()) return found;
  std::vector<Timed> ways = fastest_by_count(question, search_counts(question));
  std::erase_if(ways, [&](const Timed& way) {
    const bool guessed = spec.pick_rules.measured && !way.speed.measured;
    return !way.hours || guessed;
  });
  for (const Timed& way : ways) {
    const Candidate& one = way.candidate;
    found.counts.push_back(
        {one.job.layout.gpus(), *way.hours, {choices_of(one.job), one.certain()}});
  }
  found.offered = candidates_of(gpu, ways, prices.offers());
  return found;
}

class TaskBuilder {
 public:
  TaskBuilder(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices)
      : catalog_(catalog), spec_(spec), plan_(*spec.plan), prices_(prices) {
    PlanProblem& problem = task_.question.problem;
    problem.months = plan_.months;
    problem.hours_per_month = catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
    problem.limits = {plan_.budget_usd, plan_.kw};
    task_.question.options.seconds = kSolverSeconds;
  }

  /// `found`: of each GPU type of the sheet its kinds of runs.
  PlanTask build(const std::vector<std::vector<RunOnType>>& found) {
    add_jobs();
    for (std::size_t gpu = 0; gpu < found.size(); ++gpu) {
      for (std::size_t job = 0; job < found[gpu].size(); ++job) {
        for (const CountedRun& run : found[gpu][job].counts) {
          task_.set_ups[{job, spec_.gpus[gpu], run.gpus}] = run.set_up;
        }
      }
      add_units_of(catalog_.gpu(spec_.gpus[gpu]), found[gpu]);
    }
    for (std::size_t job = 0; job < plan_.runs.size(); ++job) {
      add_on_demand(job, found);
      if (plan_.spot) add_cheapest(job, price_tier("spot"), PoolKind::kRentedSpot, found);
      if (plan_.blocks) add_cheapest(job, price_tier("capacity_block"), PoolKind::kBlock, found);
    }
    return std::move(task_);
  }

 private:
  void add_jobs() {
    std::vector<PlanDemandCase>& cases = task_.question.demands;
    const std::pair<const char*, double DemandRange::*> ends[] = {
        {"low", &DemandRange::low},
        {"expected", &DemandRange::expected},
        {"high", &DemandRange::high}};
    for (const auto& [id, end] : ends) {
      PlanDemandCase demand{id, {}};
      for (const PlannedRuns& runs : plan_.runs) {
        std::vector<double> months;
        for (std::int64_t month = 0; month < plan_.months; ++month) {
          const std::int64_t quarters = month / kMonthsOfQuarter;
          months.push_back(runs.runs_per_month.*end *
                           std::pow(1 + plan_.growth_per_quarter.*end, as_double(quarters)));
        }
        demand.runs.push_back(std::move(months));
      }
      cases.push_back(std::move(demand));
    }
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
      const PlannedRuns& runs = plan_.runs[i];
      task_.question.problem.jobs.push_back({runs.model + "/" + runs.method, cases[1].runs[i]});
    }
  }

  /// `machine` and `price_key`: what it is made of, "" of others.
  std::size_t add_pool(PlanPool pool, const std::string& machine = "",
                       const std::string& price_key = "") {
    PlanPoolLine line;
    line.machine = machine;
    line.joined = pool.kind == PoolKind::kBought && pool.connected_units > 1;
    line.price_key = price_key;
    if (pool.kind == PoolKind::kBought) {
      const Delivery delivery =
          delivery_of(plan_, *entry_with(catalog_.purchase.nodes, &PurchaseNode::id, machine));
      line.lead_months = delivery.months;
      line.lead_time_weeks = delivery.weeks;
    }
    line.id = pool.id;
    line.title = pool.title;
    line.kind = id_of(pool.kind);
    line.gpu = pool.gpu;
    line.gpus_per_unit = is_by_the_hour(pool.kind) ? 0 : pool.gpus_per_unit;
    line.from_month = pool.from_month;
    line.until_month = std::min(pool.until_month, plan_.months);
    line.usd_per_unit_month = pool.usd_per_unit_month;
    task_.pools.push_back(std::move(line));
    task_.question.problem.pools.push_back(std::move(pool));
    return task_.pools.size() - 1;
  }

  /// Into the problem at what the picks are ranked by, or beside it where it comes after the job's
  /// deadline.
  void add_way(std::size_t job, std::size_t pool, std::int64_t gpus, const Hours& hours,
               const UsdRange& usd, const std::string& key) {
    const PickRules& rules = spec_.pick_rules;
    const PlannedRuns& runs = plan_.runs[job];
    const PlanWay way{job, pool, gpus, planned_hours(hours, rules), planned_usd(usd, rules)};
    if (is_late(hours.high, runs)) {
      task_.question.late_ways.push_back({way, hours.high / *runs.deadline_hours});
      return;
    }
    task_.question.problem.ways.push_back(way);
    task_.question.middle_ways.push_back({job, pool, gpus, hours.mid, usd.mid});
    task_.question.upper_ways.push_back({job, pool, gpus, hours.high, usd.high});
    task_.price_keys.push_back(key);
  }

  /// All kinds of runs in units of a pool, in the layouts that no other beats in both the units and
  /// the GPU-hours that they take.
  void add_unit_ways(std::size_t pool, double usd_per_gpu_hour,
                     const std::vector<RunOnType>& runs) {
    const PlanPool& units = task_.question.problem.pools[pool];
    const auto needed = [&](const CountedRun& run) {
      return units_needed(units, {0, pool, run.gpus, 0, {}});
    };
    const auto gpu_hours = [&](const CountedRun& run) {
      return as_double(run.gpus) * planned_hours(run.hours, spec_.pick_rules);
    };
    for (std::size_t job = 0; job < runs.size(); ++job) {
      for (const CountedRun& run : runs[job].counts) {
        if (needed(run) > units.connected_units) continue;
        const bool beaten = std::ranges::any_of(runs[job].counts, [&](const CountedRun& other) {
          return !is_late(other.hours.high, plan_.runs[job]) && needed(other) <= needed(run) &&
                 gpu_hours(other) < gpu_hours(run);
        });
        if (beaten) continue;
        const auto usd = [&](double hours) {
          return rounded_usd(usd_per_gpu_hour * as_double(run.gpus) * hours);
        };
        const UsdRange energy{usd(run.hours.low), usd(run.hours.mid), usd(run.hours.high)};
        add_way(job, pool, run.gpus, run.hours, energy, "");
      }
    }
  }

  void add_units_of(const Gpu& gpu, const std::vector<RunOnType>& runs) {
    const bool some =
        std::ranges::any_of(runs, [](const RunOnType& one) { return !one.counts.empty(); });
    for (const PurchaseNode& node : catalog_.purchase.nodes) {
      if (node.gpu != gpu.id) continue;
      for (std::size_t i = 0; i < plan_.machines.size(); ++i) {
        if (plan_.machines[i].machine == node.id) add_machines_there(node, i, runs);
      }
      if (!some) continue;
      if (const std::string why = why_left_out(plan_, node); !why.empty()) {
        task_.left_out.push_back({node.id, node.title, why});
        continue;
      }
      for (const bool joined : {false, true}) {
        if (!joined || node.multi_node) add_machines_on_sale(node, joined, runs);
      }
    }
    for (std::size_t i = 0; i < plan_.contracts.size(); ++i) {
      if (plan_.contracts[i].gpu == gpu.id) add_contract(gpu, i, runs);
    }
    for (const SheetTier& tier : kRentTiers) {
      if (some && tier.by_month()) add_reservations(gpu, tier, runs);
    }
  }

  PlanPool machines(const PurchaseNode& node, const OwnLine& own, PoolKind kind) const {
    PlanPool pool;
    pool.id = node.id;
    pool.title = node.title;
    pool.kind = kind;
    pool.gpu = node.gpu;
    pool.gpus_per_unit = node.gpus;
    pool.highest_use = plan_.owned_use;
    pool.usd_per_unit_month = own.fixed_usd_per_month;
    pool.capex_usd_per_unit = own.capex_usd;
    pool.kw_per_unit = node.kw.typical;
    return pool;
  }

  OwnershipTerms terms_of(const PurchaseNode& node, bool joined) const {
    const auto inputs = ownership_inputs(catalog_.purchase, spec_.ownership, node, joined);
    OwnershipTerms terms = typical_terms(inputs, node, node.gpus);
    terms.least_fte_per_site = 0;  // a unit is no site
    if (terms.staff_fte_per_node == 0 && terms.least_fte_per_node == 0) terms.usd_per_fte_year = {};
    return terms;
  }

  /// What an hour of use of a GPU adds: energy.
  double usd_per_gpu_hour(const OwnLine& own, const PurchaseNode& node) const {
    return to_usd(own.full_use_usd_per_month - own.fixed_usd_per_month) /
           task_.question.problem.hours_per_month / as_double(node.gpus);
  }

  void add_machines_on_sale(const PurchaseNode& node, bool joined,
                            const std::vector<RunOnType>& runs) {
    const OwnLine own = cost_of_owning(terms_of(node, joined));
    PlanPool pool = machines(node, own, PoolKind::kBought);
    if (joined) {
      pool.id += "/joined";
      pool.title += ", joined";
      pool.connected_units = kManyUnits;
    }
    pool.from_month = delivery_of(plan_, node).from_month();
    add_unit_ways(add_pool(std::move(pool), node.id), usd_per_gpu_hour(own, node), runs);
  }

  /// Entry `place` of the demand's; its number keeps batches of one machine apart.
  void add_machines_there(const PurchaseNode& node, std::size_t place,
                          const std::vector<RunOnType>& runs) {
    const MachinesThere& there = plan_.machines[place];
    OwnershipTerms terms = terms_of(node, node.multi_node);
    const OwnLine own = cost_of_owning(terms);
    PlanPool pool = machines(node, own, PoolKind::kOwned);
    pool.id += "/owned/" + std::to_string(place + 1);
    pool.title += ", owned";
    pool.connected_units = node.multi_node ? there.count : 1;
    pool.least_units = there.count;
    pool.most_units = there.count;
    if (there.until_month) pool.until_month = *there.until_month;
    pool.capex_usd_per_unit = {};
    pool.usd_per_unit_month = pool.usd_per_unit_month - own.parts.depreciation - own.parts.capital;
    if (there.book_usd.value > 0) {
      terms.capex_usd_per_node = there.book_usd;
      terms.life_years = there.years_left;
      terms.network_usd_per_gpu = {};
      terms.cabling_share = terms.residual_share = 0;
      terms.value_decay_oom_per_year.reset();
      const OwnershipParts left = cost_of_owning(terms).parts;
      pool.usd_per_unit_month += left.depreciation + left.capital;
    }
    add_unit_ways(add_pool(std::move(pool), node.id), usd_per_gpu_hour(own, node), runs);
  }

  void add_contract(const Gpu& gpu, std::size_t place, const std::vector<RunOnType>& runs) {
    const RunningContract& contract = plan_.contracts[place];
    PlanPool pool;
    pool.id = "contract/" + gpu.id + "/" + std::to_string(place + 1);
    pool.title = format_integer(contract.gpus) + " × " + gpu.short_name + ", contract";
    pool.kind = PoolKind::kReserved;
    pool.gpu = gpu.id;
    pool.gpus_per_unit = contract.gpus;
    pool.connected_units = contract.connected ? contract.instances : 1;
    pool.highest_use = plan_.reserved_use;
    pool.until_month = contract.until_month;
    pool.least_units = contract.instances;
    pool.most_units = contract.instances;
    pool.usd_per_unit_month = contract.usd_per_month;
    add_unit_ways(add_pool(std::move(pool)), 0, runs);
  }

  /// Whether a run may span instances of this offer.
  bool joins(const Price& price, const Gpu& gpu) const {
    const bool said = price.interconnect || !spec_.price_rules.connected();
    return said && price.gpus >= gpu.gpus_per_node;
  }

  /// The lowest offer of a term for each size of instance, joined or not. A size stays where
  /// another has a lower price a GPU, since it may run what the other cannot.
  void add_reservations(const Gpu& gpu, const RentTier& tier, const std::vector<RunOnType>& runs) {
    std::map<std::pair<std::int64_t, bool>, const CurrentPrice*> lowest;
    for (const CurrentPrice& current : prices_.in(tier.key).of(gpu.id)) {
      const Price& price = *current.price;
      if (price.minimum_gpus.value_or(0) > price.gpus) continue;  // one is not sold alone
      const CurrentPrice*& least = lowest[{price.gpus, joins(price, gpu)}];
      if (least == nullptr || current.aged.expected < least->aged.expected) {
        least = &current;
      }
    }
    for (const auto& [size, price] : lowest) {
      const auto& [gpus, joined] = size;
      // What is joined does all that the same size alone does.
      const auto other = lowest.find({gpus, true});
      const bool beaten =
          !joined && other != lowest.end() && other->second->aged.expected <= price->aged.expected;
      if (!beaten) add_reservation(gpu, tier, *price, runs);
    }
  }

  void add_reservation(const Gpu& gpu, const RentTier& tier, const CurrentPrice& price,
                       const std::vector<RunOnType>& runs) {
    const Price& offer = *price.price;
    PlanPool pool;
    pool.id = std::string(tier.key) + "/" + gpu.id + "/" + std::to_string(offer.gpus);
    pool.title = format_integer(offer.gpus) + " × " + gpu.short_name + ", " + tier.words +
                 ", from " + seller_title(catalog_, offer.provider);
    pool.kind = PoolKind::kReserved;
    pool.gpu = gpu.id;
    pool.gpus_per_unit = offer.gpus;
    if (joins(offer, gpu)) {
      pool.id += "/joined";
      pool.connected_units = kManyUnits;
    }
    pool.highest_use = plan_.reserved_use;
    pool.usd_per_unit_month =
        reserved_month(price.aged.expected, task_.question.problem.hours_per_month);
    add_unit_ways(add_pool(std::move(pool), "", offer.key()), 0, runs);
  }

  void add_hourly(std::size_t job, const RentTier& tier, PoolKind kind, const RunCandidate& run) {
    PlanPool pool;
    pool.id = std::string(tier.key) + "/" + run.gpu;
    pool.title = catalog_.gpu(run.gpu).short_name + " " + tier.words;
    pool.kind = kind;
    pool.gpu = run.gpu;
    const auto known = std::ranges::find(task_.pools, pool.id, &PlanPoolLine::id);
    const std::size_t place = known == task_.pools.end()
                                  ? add_pool(std::move(pool))
                                  : static_cast<std::size_t>(known - task_.pools.begin());
    add_way(job, place, run.gpus, run.hours, run.usd, run.price_key);
  }

  /// The least of all types by the statistic that the picks are ranked by; and the one without the
  /// deadline. A faster one that ties, which a pick may be, would make a plan dearer for nothing.
  void add_on_demand(std::size_t job, const std::vector<std::vector<RunOnType>>& found) {
    std::vector<const RunCandidate*> all;
    for (const std::vector<RunOnType>& type : found) {
      for (const RunCandidate& one : type[job].offered) all.push_back(&one);
    }
    const auto& deadline = plan_.runs[job].deadline_hours;
    const RunCandidate* best = least_ranked(all, spec_.pick_rules, deadline);
    if (best != nullptr) add_hourly(job, kOnDemand, PoolKind::kRented, *best);
    const RunCandidate* undated =
        deadline ? least_ranked(all, spec_.pick_rules, std::nullopt) : nullptr;
    if (undated != nullptr && is_late(undated->hours.high, plan_.runs[job])) {
      add_hourly(job, kOnDemand, PoolKind::kRented, *undated);
    }
  }

  /// The hours of a run on a tier: on spot with those that are lost. nullopt where it hardly ends.
  std::optional<double> hours_on(const RentTier& tier, const RentQuote& quote, const Gpu& gpu,
                                 std::int64_t gpus, double hours) const {
    if (!tier.interrupted) return hours;
    if (!spec_.price_rules.spot_rule) {
      const double longer = 1 + spec_.price_rules.spot_interruption_share;
      return hours * longer;
    }
    const double restart = restart_hours(spec_, spec_.scenarios.front().id, gpu, gpus);
    const auto terms = spot_terms(catalog_, spec_, quote, hours, restart);
    const auto run = terms ? spot_run(*terms) : std::nullopt;
    return run ? std::optional(run->hours) : std::nullopt;
  }

  /// A run at the lowest offer of a tier, paid as the tier is.
  std::optional<RunCandidate> on_tier(const RentTier& tier, const CountedRun& run,
                                      const Gpu& gpu) const {
    const auto quote = cheapest_rent(prices_.in(tier.key), gpu, run.gpus);
    if (!quote) return std::nullopt;
    RunCandidate found;
    found.gpu = gpu.id;
    found.gpus = run.gpus;
    const auto on_it = [&](double hours) { return hours_on(tier, *quote, gpu, run.gpus, hours); };
    const auto most = on_it(run.hours.high);
    if (!most) return std::nullopt;
    found.hours = {on_it(run.hours.low).value_or(*most), on_it(run.hours.mid).value_or(*most),
                   *most};
    const auto paid = [&](double hours) { return paid_hours(tier, round_hours(hours)); };
    const auto high = paid(found.hours.high);
    if (!high) return std::nullopt;  // longer than any block
    const auto usd = [&](double hours) {
      return run_cost(quote->usd_per_hour, paid(hours).value_or(*high));
    };
    found.usd = {usd(found.hours.low), usd(found.hours.mid), run_cost(quote->usd_per_hour, *high)};
    found.price_key = quote->price->key();
    return found;
  }

  /// The least on a tier by the same statistic, on time, and of the late ones where that is less.
  void add_cheapest(std::size_t job, const RentTier& tier, PoolKind kind,
                    const std::vector<std::vector<RunOnType>>& found) {
    const auto ranked = [&](const RunCandidate& one) { return ranked_usd(one, spec_.pick_rules); };
    std::optional<RunCandidate> best;
    std::optional<RunCandidate> late;
    for (std::size_t type = 0; type < found.size(); ++type) {
      const Gpu& gpu = catalog_.gpu(spec_.gpus[type]);
      for (const CountedRun& run : found[type][job].counts) {
        const auto one = on_tier(tier, run, gpu);
        if (!one) continue;
        auto& least = is_late(one->hours.high, plan_.runs[job]) ? late : best;
        if (!least || ranked(*one) < ranked(*least)) least = one;
      }
    }
    if (best) add_hourly(job, tier, kind, *best);
    if (late && (!best || ranked(*late) < ranked(*best))) add_hourly(job, tier, kind, *late);
  }

  const Catalog& catalog_;
  const SheetSpec& spec_;
  const PlanDemand& plan_;
  const SheetPrices& prices_;
  PlanTask task_;
};

}  // namespace

PlanTask plan_task(const Catalog& catalog, const SheetSpec& spec, int jobs) {
  const SheetPrices prices(catalog, spec);
  const std::vector<PlannedRuns>& runs = spec.plan->runs;
  std::vector<std::vector<RunOnType>> found(spec.gpus.size(), std::vector<RunOnType>(runs.size()));
  for_each_index(spec.gpus.size() * runs.size(), jobs, [&](std::size_t i) {
    const std::size_t type = i / runs.size();
    const std::size_t job = i % runs.size();
    found[type][job] = run_on_type(catalog, spec, prices, runs[job], spec.gpus[type]);
  });
  return TaskBuilder(catalog, spec, prices).build(found);
}

}  // namespace sizesheet
