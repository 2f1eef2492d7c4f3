// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/price_row.h"

#include <stdexcept>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/cost_line.h"
#include "cost/offer_filter.h"
#include "cost/ownership.h"
#include "cost/ownership_answer.h"
#include "cost/rent.h"
#include "sheet/money.h"
#include "sheet/rows/spot_row.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sizing/memory/verdict.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kThreeDays = 72;

constexpr std::int64_t kWeekend = 48;

RentTerms terms_of(const Catalog& catalog, const SheetSpec& spec, const Row& row) {
  RentTerms terms;
  terms.gpus = row.layout.gpus;
  terms.hours = hours_of(row);
  if (!spec.price_rules.spot_interruption_basis.empty()) {
    terms.interruption_share = spec.price_rules.spot_interruption_share;
  }
  terms.hours_per_month = catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
  return terms;
}

RentLine rent_line(const RentQuote& quote, const RentTerms& terms, std::int64_t run_tokens) {
  const RentTier& tier = price_tier(quote.price->tier);
  RentLine line;
  line.price_key = quote.price->key();
  line.tier = tier.key;
  line.old = quote.old;
  line.instances = quote.instances;
  line.gpus_paid = quote.instances * quote.price->gpus;
  line.usd_per_hour = quote.usd_per_hour;
  line.seen_usd_per_hour = quote.list_usd_per_hour;
  line.age_days = quote.aged.days;
  line.ln_width = quote.ln_width;
  if (terms.hours) {
    const auto paid = paid_hours(tier, *terms.hours);
    if (paid) {
      line.usd_per_run = run_cost(quote.usd_per_hour, *paid);
      line.usd_per_million_tokens = usd_per_million_tokens(*line.usd_per_run, run_tokens);
    }
    if (tier.interrupted && terms.interruption_share) {
      line.usd_per_run_interrupted =
          run_cost(quote.usd_per_hour, interrupted_hours(*terms.hours, *terms.interruption_share));
    }
  }
  line.usd_per_3_days = quote.usd_per_hour * kThreeDays;
  line.usd_per_weekend = quote.usd_per_hour * kWeekend;
  line.usd_per_full_month = reserved_month(quote.usd_per_hour, terms.hours_per_month);
  if (tier.by_month()) line.usd_per_month = line.usd_per_full_month;
  return line;
}

void add_own_run_line(const OwnLine& own, double planned_hours, Row& row) {
  if (!own.own_usd_per_run) return;
  const Traced cost = Traced::input("own_usd_per_month", to_usd(own.own_usd_per_month)) *
                      Traced::input("hours", *row.hours_mid) /
                      Traced::input("planned_hours_per_month", planned_hours);
  row.cost_terms.push_back({"own_usd_per_run", "Own, one run", *own.own_usd_per_run, "$/run",
                            formula_of(cost), "method.html#own"});
}

/// Each name behind the prefix.
void add_cost_lines(const std::vector<CostLine>& lines, const std::string& prefix, Row& row) {
  for (const CostLine& line : lines) {
    row.cost_terms.push_back(line);
    row.cost_terms.back().name = prefix + line.name;
  }
}

/// After the row's rent, which it is compared with.
void add_ownership(const Catalog& catalog, const SheetSpec& spec, Row& row) {
  const PurchaseNode* node = cheapest_nodes(catalog.purchase, row.gpu, row.layout.gpus);
  if (node == nullptr) return;
  const OwnershipTerms terms = row_terms(catalog.purchase, spec, *node, row);
  OwnLine own = cost_of_owning(terms);
  own.node = node->id;
  own.node_title = node->title;
  const double planned = spec.ownership.planned_hours_per_month;
  if (const auto hours = hours_of(row)) {
    // One run's share of the machine: own $/month spread over the planned hours.
    own.own_usd_per_run = scaled(own.own_usd_per_month, hours->value, round_hours(planned).value);
  }
  add_cost_lines(explain_ownership(terms), "", row);
  for (const QuantityLine& line : explain_break_even(terms)) row.quantity_terms.push_back(line);
  add_own_run_line(own, planned, row);
  row.own = std::move(own);
}

/// On demand the offer of the row's set-up, else the lowest.
std::optional<RentQuote> quote_of(const CurrentPrices& prices, const Gpu& gpu, const Row& row) {
  const bool on_demand = prices.policy().tier == kOnDemand.key;
  const RunCandidate* set_up = on_demand ? row.set_up() : nullptr;
  if (set_up == nullptr) return cheapest_rent(prices, gpu, row.layout.gpus);
  for (const RentQuote& quote : rent_quotes(prices, gpu, row.layout.gpus)) {
    if (quote.price->key() == set_up->price_key) return quote;
  }
  throw std::logic_error(row.key() + ": no offer " + set_up->price_key);
}

}  // namespace

PricePolicy policy_of(const SheetSpec& spec, const std::string& tier) {
  const PriceRules& rules = spec.price_rules;
  PricePolicy policy;
  static_cast<OfferFilter&>(policy) = rules;
  policy.tier = tier;
  policy.max_age_days = spec.age_limit_days(tier, "");
  policy.max_age_days_of = rules.max_age_days_of;
  if (tier == kOnDemand.key) policy.fallback_age_days = rules.fallback_age_days;
  policy.connected = rules.connected();
  policy.stock = rules.stock;
  policy.offers = spec.price_offers;
  policy.as_of = spec.as_of;
  return policy;
}

SheetPrices::SheetPrices(const Catalog& catalog, const SheetSpec& spec) {
  for (const SheetTier& tier : kRentTiers) {
    tiers_.try_emplace(tier.key, catalog.prices, policy_of(spec, tier.key), catalog.price_age);
  }
  PricePolicy any_stock = policy_of(spec, kOnDemand.key);
  any_stock.stock = {"in stock", "some", "unknown", "low", kSales.front()};
  any_stock_.emplace(catalog.prices, std::move(any_stock), catalog.price_age);
  offers_.emplace(catalog, in(kOnDemand.key), spec.gpus, spec.max_gpus, spec.pick_rules);
  offers_of_any_stock_.emplace(catalog, *any_stock_, spec.gpus, spec.max_gpus, spec.pick_rules);
  offers_->set_any_stock(&*offers_of_any_stock_);
}

std::optional<HoursTenThousandths> hours_of(const Row& row) {
  if (!row.hours_mid) return std::nullopt;
  return round_hours(*row.hours_mid);
}

std::optional<double> billed_hours(const SheetOptions& options, const Row& row,
                                   const RentTier& tier) {
  if (tier.by_month()) return options.hours_per_month;
  const auto hours = hours_of(row);
  const auto paid = hours ? paid_hours(tier, *hours) : std::nullopt;
  return paid ? std::optional(to_hours(*paid)) : std::nullopt;
}

std::optional<RentLine> lowest_rent(const Catalog& catalog, const SheetSpec& spec,
                                    const CurrentPrices& prices, const Row& row) {
  const RentTerms terms = terms_of(catalog, spec, row);
  const auto quote = quote_of(prices, catalog.gpu(row.gpu), row);
  return quote
             ? std::optional(rent_line(*quote, terms, tokens_of(spec, catalog.method(row.method))))
             : std::nullopt;
}

void add_rent(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row) {
  const Gpu& gpu = catalog.gpu(row.gpu);
  const RentTerms terms = terms_of(catalog, spec, row);
  for (const SheetTier& tier : kRentTiers) {
    const auto quote = quote_of(prices.in(tier.key), gpu, row);
    if (!quote) continue;
    RentLine line = rent_line(*quote, terms, tokens_of(spec, catalog.method(row.method)));
    if (tier.by_month() && row.rents[kOnDemand]) {
      line.break_even_use =
          commitment_break_even(line.usd_per_hour, row.rents[kOnDemand]->usd_per_hour);
      if (line.break_even_use) {
        line.break_even_hours_per_month = *line.break_even_use * terms.hours_per_month;
      }
    }
    add_cost_lines(explain_rent(*quote, terms), std::string(tier.name) + "_", row);
    if (tier.interrupted) add_spot_run(catalog, spec, *quote, row, line);
    row.rents[tier] = std::move(line);
  }
  if (!row.rents[kOnDemand]) return;
  row.spread = spread(prices.in("on_demand"), gpu, terms.gpus);
}

const PurchaseNode* cheapest_nodes(const Purchase& purchase, const std::string& gpu,
                                   std::int64_t gpus) {
  const PurchaseNode* best = nullptr;
  double least = 0;
  for (const PurchaseNode& node : purchase.nodes) {
    const std::int64_t count = (gpus + node.gpus - 1) / node.gpus;
    if (node.gpu != gpu || !node.quoted || (count > 1 && !node.multi_node)) continue;
    const double price = static_cast<double>(count) * node.usd.typical;
    if (best != nullptr && price >= least) continue;
    best = &node;
    least = price;
  }
  return best;
}

OwnershipTerms row_terms(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                         const Row& row) {
  const std::int64_t gpus = row.layout.gpus;
  const auto inputs = ownership_inputs(purchase, spec.ownership, node, gpus > node.gpus);
  OwnershipTerms terms = typical_terms(inputs, node, gpus);
  // Rounding the rent to a GPU-hour loses at most half a micro-dollar an hour.
  if (row.rents[kOnDemand])
    terms.rent_usd_per_gpu_hour = scaled(row.rents[kOnDemand]->usd_per_hour, 1, gpus);
  const auto hours = hours_of(row);
  if (hours && hours->value > 0) terms.hours_per_run = to_hours(*hours);
  return terms;
}

void price_row(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row) {
  if (!row.modelled || row.verdict == Verdict::kNo) return;
  add_rent(catalog, spec, prices, row);
  add_ownership(catalog, spec, row);
}

}  // namespace sizesheet
