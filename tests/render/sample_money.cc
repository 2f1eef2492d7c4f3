// SPDX-License-Identifier: Apache-2.0
// Money of a row of the sample sheets: rent from the made-up prices, owning from made-up rates.
#include <cmath>

#include "render/sample_facts.h"
#include "render/sample_rows.h"
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
  row.cost_terms.push_back({"own_usd_per_month", "Own, a month", row.own->own_usd_per_month,
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

}  // namespace sizesheet::sample
