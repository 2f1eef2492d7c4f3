// SPDX-License-Identifier: Apache-2.0
#include "render/sample_plan.h"

#include <algorithm>

#include "sheet/quarterly.h"

namespace sizesheet {
namespace {

MicroUsd dollars_of(std::int64_t usd) { return {usd * 1'000'000}; }

const SheetPrice& some_price(const Sheet& sheet, const std::string& tier) {
  return *std::ranges::find(sheet.prices, tier, &SheetPrice::tier);
}

PlanPoolLine pool(const char* id, const char* title, const char* kind, std::int64_t units) {
  PlanPoolLine line;
  line.id = id;
  line.title = title;
  line.kind = kind;
  line.units = units;
  line.gpus_per_unit = units > 0 ? 8 : 0;
  line.until_month = 6;
  if (units > 0) line.used_share = 0;
  return line;
}

PlanPoolLine bought() {
  PlanPoolLine line = pool("8x-h200-sxm/joined", "8x H200, joined", "bought", 2);
  line.gpu = "h200-sxm";
  line.from_month = 3;
  line.machine = "8x-h200-sxm";
  line.joined = true;
  line.usd_per_unit_month = dollars_of(9'000);
  line.capex_usd = dollars_of(700'000);
  line.fixed_usd = dollars_of(54'000);
  line.runs_usd = dollars_of(20);
  line.used_gpu_hours = 100;
  line.used_share = 0.5;
  return line;
}

PlanPoolLine owned() {
  PlanPoolLine line = pool("8x-h100-sxm/owned/1", "8x H100, owned", "owned", 1);
  line.gpu = "h100-sxm";
  line.until_month = 2;
  line.machine = "8x-h100-sxm";
  line.usd_per_unit_month = dollars_of(4'000);
  line.fixed_usd = dollars_of(8'000);
  return line;
}

PlanPoolLine reserved(const SheetPrice& price) {
  PlanPoolLine line = pool("reserved_1y/x", "Reserved", "reserved", 1);
  line.gpu = price.gpu;
  line.gpus_per_unit = price.gpus;
  line.price_key = price.key;
  line.usd_per_unit_month = dollars_of(5'000);
  line.fixed_usd = dollars_of(30'000);
  return line;
}

PlanPoolLine by_the_hour(const SheetPrice& price) {
  PlanPoolLine line = pool("on_demand/x", "On demand", "on-demand", 0);
  line.gpu = price.gpu;
  line.runs_usd = dollars_of(600);
  line.used_gpu_hours = 60;
  return line;
}

void add_runs(const SheetPrice& hourly, SheetPlan& plan) {
  plan.kinds.push_back(
      {"llama-3.1-8b", "lora-r16", 8, 8.0 / 6, dollars_of(4), dollars_of(200), {}});
  plan.assignments = {
      {0, "llama-3.1-8b", "lora-r16", "8x-h200-sxm/joined", 8, 2.5, "", 3, 5, dollars_of(20)},
      {0, "llama-3.1-8b", "lora-r16", "on_demand/x", 2, 10, hourly.key, 0, 3, dollars_of(600)}};
  for (std::int64_t month = 0; month < plan.demand.months; ++month) {
    PlanMonthLine line;
    line.month = month;
    line.machines_usd = dollars_of(month >= 3 ? 18'000 : month < 2 ? 4'000 : 0);
    line.reserved_usd = dollars_of(5'000);
    line.energy_usd = dollars_of(month == 3 ? 20 : 0);
    line.on_demand_usd = dollars_of(month == 0 ? 600 : 0);
    line.usd = line.machines_usd + line.reserved_usd + line.energy_usd + line.on_demand_usd;
    plan.months.push_back(line);
  }
}

}  // namespace

Sheet planned_sheet() {
  Sheet sheet = quarterly_sheet();
  SheetPlan plan;
  plan.demand.months = 6;
  plan.demand.owned_use = 0.8;
  const SheetPrice& hourly = some_price(sheet, "on_demand");
  plan.pools = {bought(), owned(), reserved(some_price(sheet, "reserved_1y")), by_the_hour(hourly)};
  for (PlanPoolLine& line : plan.pools) line.usd = line.fixed_usd + line.runs_usd;
  add_runs(hourly, plan);
  plan.totals.status = "optimal";
  plan.totals.usd = dollars_of(92'620);
  plan.totals.fixed_usd = dollars_of(92'000);
  plan.totals.runs_usd = dollars_of(620);
  plan.totals.capex_usd = dollars_of(700'000);
  plan.all_rented = {"all rented", {}, dollars_of(101'882), 0.1, "", {}};
  plan.flips = {{"rents", 1.5, {}, {}, "", {{"8x-b200", "8x B200 node", 0, 2}}},
                {"rents", 0.8, {}, {}, "", {{"8x-h200-sxm/joined", "8x H200, joined", 2, 0}}},
                {"demand", 0.6, {}, {}, "", {{"8x-h200-sxm/joined", "8x H200, joined", 2, 1}}}};
  sheet.plan = std::move(plan);
  return sheet;
}

}  // namespace sizesheet
