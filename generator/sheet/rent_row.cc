// SPDX-License-Identifier: Apache-2.0
#include "sheet/rent_row.h"

#include <stdexcept>

#include "cost/commitment.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kThreeDays = 72;
constexpr std::int64_t kWeekend = 48;

bool is_reserved(const std::string& tier) { return tier.starts_with("reserved"); }

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

RentLine rent_line(const RentQuote& quote, const RentTerms& terms) {
  RentLine line;
  line.price_key = quote.price->key();
  line.tier = quote.price->tier;
  line.instances = quote.instances;
  line.usd_per_hour = quote.usd_per_hour;
  if (terms.hours) {
    const auto paid = paid_hours(line.tier, *terms.hours);
    if (paid) line.usd_per_run = run_cost(quote.usd_per_hour, *paid);
    if (line.tier == "spot" && terms.interruption_share) {
      line.usd_per_run_interrupted =
          run_cost(quote.usd_per_hour, interrupted_hours(*terms.hours, *terms.interruption_share));
    }
  }
  line.usd_per_3_days = quote.usd_per_hour * kThreeDays;
  line.usd_per_weekend = quote.usd_per_hour * kWeekend;
  line.usd_per_full_month = reserved_month(quote.usd_per_hour, terms.hours_per_month);
  if (is_reserved(line.tier)) line.usd_per_month = line.usd_per_full_month;
  return line;
}

template <typename R>
auto& line_in(R& row, const std::string& tier) {
  if (tier == "on_demand") return row.list;
  if (tier == "spot") return row.spot;
  if (tier == "reserved_1y") return row.reserved_1y;
  if (tier == "reserved_3y") return row.reserved_3y;
  if (tier == "capacity_block") return row.capacity_block;
  throw std::out_of_range("no such tier in a sheet: " + tier);
}

/// Prefix of a tier's cost lines; the contract's word for on demand is "list".
std::string prefix_of(const std::string& tier) {
  return (tier == "on_demand" ? "list" : tier) + "_";
}

}  // namespace

const std::vector<std::string>& sheet_tiers() {
  static const std::vector<std::string> kTiers{"on_demand", "spot", "reserved_1y", "reserved_3y",
                                               "capacity_block"};
  return kTiers;
}

const std::optional<RentLine>& rent_of(const Row& row, const std::string& tier) {
  return line_in(row, tier);
}

std::optional<RentLine>& rent_of(Row& row, const std::string& tier) { return line_in(row, tier); }

std::int64_t AgeLimits::of(const std::string& tier) const {
  if (is_reserved(tier)) return reserved;
  return tier == "capacity_block" ? block.value_or(plain) : plain;
}

PricePolicy policy_of(const SheetSpec& spec, const std::string& tier) {
  PricePolicy policy;
  policy.tier = tier;
  const PriceRules& rules = spec.price_rules;
  policy.max_age_days =
      AgeLimits{spec.price_max_age_days, spec.reserved_max_age_days, rules.block_max_age_days}.of(
          tier);
  policy.offers = spec.price_offers;
  policy.as_of = spec.as_of;
  policy.providers = rules.providers;
  policy.exclude_providers = rules.exclude_providers;
  policy.regions = rules.regions;
  policy.jurisdictions = rules.jurisdictions;
  policy.locations = rules.locations;
  policy.tenancies = rules.tenancies;
  return policy;
}

std::optional<HoursTenThousandths> hours_of(const Row& row) {
  if (!row.hours_mid) return std::nullopt;
  return round_hours(*row.hours_mid);
}

void add_cost_lines(const std::vector<CostLine>& lines, const std::string& prefix, Row& row) {
  for (const CostLine& line : lines) {
    row.cost_terms.push_back(
        {prefix + line.name, line.title, line.usd, line.unit, line.formula, line.source});
  }
}

std::optional<RentLine> lowest_rent(const Catalog& catalog, const SheetSpec& spec,
                                    const std::vector<Price>& prices, const PricePolicy& policy,
                                    const Row& row) {
  const RentTerms terms = terms_of(catalog, spec, row);
  const auto quote = cheapest_rent(prices, catalog.gpu(row.gpu), terms.gpus, policy);
  return quote ? std::optional(rent_line(*quote, terms)) : std::nullopt;
}

void add_rent(const Catalog& catalog, const SheetSpec& spec, Row& row) {
  const Gpu& gpu = catalog.gpu(row.gpu);
  const RentTerms terms = terms_of(catalog, spec, row);
  for (const std::string& tier : sheet_tiers()) {
    const PricePolicy policy = policy_of(spec, tier);
    const auto quote = cheapest_rent(catalog.prices, gpu, terms.gpus, policy);
    if (!quote) continue;
    RentLine line = rent_line(*quote, terms);
    if (is_reserved(tier) && row.list) {
      line.break_even_use = commitment_break_even(line.usd_per_hour, row.list->usd_per_hour);
    }
    rent_of(row, tier) = std::move(line);
    add_cost_lines(explain_rent(*quote, terms), prefix_of(tier), row);
  }
  if (!row.list) return;
  const auto range = spread(catalog.prices, gpu, terms.gpus, policy_of(spec, "on_demand"));
  if (range) row.spread = PriceSpread{range->low, range->median, range->high, range->providers};
}

}  // namespace sizesheet
