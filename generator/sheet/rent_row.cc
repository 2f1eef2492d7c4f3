// SPDX-License-Identifier: Apache-2.0
#include "sheet/rent_row.h"

namespace sizesheet {
namespace {

RentLine rent_line(const RentQuote& quote, const Row& row, const SheetSpec& spec,
                   const Catalog& catalog) {
  RentLine line;
  line.price_key = quote.price->key();
  line.tier = quote.price->tier;
  line.instances = quote.instances;
  line.usd_per_hour = quote.usd_per_hour;
  if (const auto hours = hours_of(row)) line.usd_per_run = run_cost(quote.usd_per_hour, *hours);
  if (quote.price->tier.starts_with("reserved")) {
    const double month = catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
    line.usd_per_month = reserved_month(quote.usd_per_hour, month);
  }
  return line;
}

}  // namespace

PricePolicy policy_of(const SheetSpec& spec, const std::string& tier) {
  const bool reserved = tier.starts_with("reserved");
  return {tier, reserved ? spec.reserved_max_age_days : spec.price_max_age_days, spec.price_offers,
          spec.as_of};
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

void add_rent(const Catalog& catalog, const SheetSpec& spec, Row& row) {
  const Gpu& gpu = catalog.gpu(row.gpu);
  const std::int64_t gpus = row.layout.gpus;
  const auto quote_for = [&](const char* tier) {
    return cheapest_rent(catalog.prices, gpu, gpus, policy_of(spec, tier));
  };
  if (const auto quote = quote_for("on_demand")) {
    row.list = rent_line(*quote, row, spec, catalog);
    add_cost_lines(explain_rent(*quote, gpus, hours_of(row)), "list_", row);
    if (const auto range = spread(catalog.prices, gpu, gpus, policy_of(spec, "on_demand"))) {
      row.spread = PriceSpread{range->low, range->median, range->high, range->providers};
    }
  }
  if (const auto quote = quote_for("spot")) row.spot = rent_line(*quote, row, spec, catalog);
  if (const auto quote = quote_for("reserved_1y")) {
    row.reserved_1y = rent_line(*quote, row, spec, catalog);
  }
}

}  // namespace sizesheet
