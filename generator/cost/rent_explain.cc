// SPDX-License-Identifier: Apache-2.0
// The printed lines of a rent: every amount with the formula that gives it.
#include "cost/rent.h"

namespace sizesheet {

namespace {

Traced hourly_rent(const RentQuote& quote, std::int64_t gpus) {
  const Price& row = *quote.price;
  const Traced price = Traced::input("usd_per_instance_hour", to_usd(row.usd_per_instance_hour));
  const Traced wanted = Traced::input("gpus", static_cast<double>(gpus));
  const Traced per_instance = Traced::input("gpus_per_instance", static_cast<double>(row.gpus));
  const Traced instances = Traced::step("instances", ceiling(wanted / per_instance));
  return Traced::step("usd_per_hour", instances * price);
}

/// The hours a run pays: its own, or the whole days or weeks of a block.
Traced run_hours(const std::string& tier, HoursTenThousandths hours) {
  const Traced own = Traced::input("hours", to_hours(hours));
  const auto paid = paid_hours(tier, hours);
  if (tier != "capacity_block" || !paid) return own;
  constexpr double kHoursOfWeek = 168;
  const bool days = to_hours(*paid) <= 2 * kHoursOfWeek;
  const Traced unit =
      Traced::input(days ? "hours_per_day" : "hours_per_week", days ? 24 : kHoursOfWeek);
  return Traced::step("paid_hours", ceiling(own / unit) * unit);
}

/// "Rent per run", "Spot rent per run" …
std::string title_of(const std::string& tier, const std::string& unit) {
  if (tier == "spot") return "Spot rent " + unit;
  if (tier == "capacity_block") return "Rent of a capacity block " + unit;
  if (tier.starts_with("reserved_")) return "Rent on a term of " + tier.substr(9) + " " + unit;
  return "Rent " + unit;
}

std::string source_of(const Price& price) {
  if (!price.asked) return price.source;
  return price.source + "; rate of exchange: " + price.asked->rate.source + ", " +
         price.asked->rate.date;
}

}  // namespace

std::vector<CostLine> explain_rent(const RentQuote& quote, const RentTerms& terms) {
  const Traced per_hour = hourly_rent(quote, terms.gpus);
  const std::string source = source_of(*quote.price);
  const std::string& tier = quote.price->tier;
  std::vector<CostLine> lines;
  const auto add = [&](const std::string& name, const std::string& title, MicroUsd usd,
                       const std::string& unit, const Traced& amount) {
    lines.push_back({name, title, usd, unit, formula_of(amount), source});
  };
  add("usd_per_hour", title_of(tier, "per hour"), quote.usd_per_hour, "$/h", per_hour);
  if (terms.hours) {
    if (const auto paid = paid_hours(tier, *terms.hours)) {
      add("usd_per_run", title_of(tier, "per run"), run_cost(quote.usd_per_hour, *paid), "$/run",
          per_hour * run_hours(tier, *terms.hours));
    }
    if (tier == "spot" && terms.interruption_share) {
      const auto hours = interrupted_hours(*terms.hours, *terms.interruption_share);
      add("usd_per_run_interrupted", title_of(tier, "per run, interruptions counted"),
          run_cost(quote.usd_per_hour, hours), "$/run",
          per_hour * Traced::input("hours_with_interruptions", to_hours(hours)));
    }
  }
  if (tier.starts_with("reserved")) {
    add("usd_per_month", title_of(tier, "per month, used or not"),
        reserved_month(quote.usd_per_hour, terms.hours_per_month), "$/month",
        per_hour * Traced::input("hours_per_month", terms.hours_per_month));
  }
  return lines;
}

}  // namespace sizesheet
