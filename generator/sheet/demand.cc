// SPDX-License-Identifier: Apache-2.0
#include "sheet/demand.h"

#include <set>

#include "catalog/catalog.h"
#include "catalog/prices/purchase.h"
#include "sheet/plan.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMostMonths = 60;
constexpr Bounds<double> kRunsAMonth{0, 1e6};
constexpr Bounds<std::int64_t> kUnits{1, 100000};

/// A month of a contract, or the book value of a machine: as much as a machine may cost anywhere.
constexpr MicroUsd kMostUsd{100'000'000'000'000};
constexpr double kLeastYears = 0.01;  // of depreciation that is left

/// Faults an amount that the dollars of a plan could not be counted with.
void check_usd(ObjectReader& reader, const char* key, MicroUsd usd) {
  if (reader.sound(key) && usd > kMostUsd) {
    reader.fault(key, "expected dollars up to 100000000, got " + shortest(to_usd(usd)));
  }
}

/// A number, or low, expected and high.
DemandRange read_range(ObjectReader& reader, const char* key, Bounds<double> bounds) {
  if (!reader.raw(key).is_object()) {
    const double all = reader.number(key, bounds);
    return {all, all, all};
  }
  ObjectReader range = reader.object(key);
  const DemandRange read{range.number("low", bounds), range.number("expected", bounds),
                         range.number("high", bounds)};
  range.done();
  if (reader.sound(key) && !(read.low <= read.expected && read.expected <= read.high)) {
    reader.mismatch(key, "low <= expected <= high");
  }
  return read;
}

/// One of the names that the sheet has.
std::string read_of_sheet(ObjectReader& reader, const char* key, const std::string& what,
                          const std::vector<std::string>& names) {
  const std::string name = reader.text(key);
  if (reader.sound(key) && !contains(names, name)) {
    reader.fault(key, "expected a " + what + " of this sheet, got " + in_quotes(name) +
                          did_you_mean(name, names));
  }
  return name;
}

PlannedRuns read_runs(ObjectReader& reader, const SheetSpec& spec, const Catalog& catalog) {
  PlannedRuns runs;
  runs.model = read_of_sheet(reader, "model", "model", each_of(spec.models, &SpecModel::id));
  std::vector<std::string> methods = spec.methods;
  if (!spec.scenarios.empty() && !spec.scenarios.front().methods.empty()) {
    methods = spec.scenarios.front().methods;
  }
  runs.method = read_of_sheet(reader, "method", "method", methods);
  runs.runs_per_month = read_range(reader, "runs_per_month", kRunsAMonth);
  const auto tokens = reader.optional_integer("tokens", {1, 100'000'000'000'000});
  const auto method = catalog.methods.find(runs.method);
  if (method != catalog.methods.end()) {
    runs.tokens = tokens.value_or(tokens_of(spec, method->second));
  }
  runs.deadline_hours = reader.optional_number("deadline_hours", {0.001, 1e6});
  if (!runs.deadline_hours) runs.deadline_hours = spec.deadline_hours;
  reader.done();
  return runs;
}

/// Machines on sale with a GPU type of the sheet.
std::vector<std::string> machines_of(const SheetSpec& spec, const Catalog& catalog) {
  std::vector<std::string> ids;
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (contains(spec.gpus, node.gpu)) ids.push_back(node.id);
  }
  return ids;
}

void read_machines(ObjectReader& reader, const std::vector<std::string>& known, PlanDemand& plan) {
  if (!reader.has("machines")) return;
  for (ObjectReader& one : reader.objects("machines")) {
    MachinesThere there;
    there.machine = read_of_sheet(one, "machine", "machine with a GPU", known);
    there.count = one.integer("count", kUnits);
    there.book_usd = one.optional_usd("book_usd").value_or(MicroUsd{});
    there.years_left = one.number_or("years_left", 0, {0, 100});
    check_usd(one, "book_usd", there.book_usd);
    if (one.sound("years_left") && there.years_left > 0 && there.years_left < kLeastYears) {
      one.fault("years_left", "expected years from 0.01 to 100, got " + shortest(there.years_left));
    }
    if (one.sound("book_usd") && one.sound("years_left") &&
        (there.book_usd.value > 0) != (there.years_left > 0)) {
      one.fault("years_left", "expected it beside book_usd, both above 0, or neither of them");
    }
    there.until_month = one.optional_integer("until_month", {1, kMostMonths});
    one.done();
    plan.machines.push_back(std::move(there));
  }
}

void read_contracts(ObjectReader& reader, const SheetSpec& spec, PlanDemand& plan) {
  if (!reader.has("contracts")) return;
  for (ObjectReader& one : reader.objects("contracts")) {
    RunningContract contract;
    contract.gpu = read_of_sheet(one, "gpu", "GPU", spec.gpus);
    contract.gpus = one.integer("gpus", kUnits);
    contract.instances = one.integer("instances", kUnits);
    contract.usd_per_month = one.usd("usd_per_month");
    check_usd(one, "usd_per_month", contract.usd_per_month);
    contract.until_month = one.integer("until_month", {1, kMostMonths});
    contract.connected = one.flag_or("connected", false);
    one.done();
    plan.contracts.push_back(std::move(contract));
  }
}

void read_lead_months(ObjectReader& reader, const std::vector<std::string>& known,
                      PlanDemand& plan) {
  constexpr Bounds<double> kMonths{0, kMostMonths};
  plan.lead_months = reader.number_or("lead_months", plan.lead_months, kMonths);
  auto of = reader.optional_object("lead_months_of");
  if (!of) return;
  for (const std::string& machine : of->keys()) {
    plan.lead_months_of[machine] = of->number(machine, kMonths);
    if (contains(known, machine)) continue;
    of->fault(machine,
              "expected a machine with a GPU of this sheet" + did_you_mean(machine, known));
  }
  of->done();
}

}  // namespace

std::optional<PlanDemand> read_plan_demand(std::optional<ObjectReader> given, const SheetSpec& spec,
                                           const Catalog& catalog) {
  if (!given) return std::nullopt;
  ObjectReader& reader = *given;
  PlanDemand plan;
  const std::vector<std::string> machines = machines_of(spec, catalog);
  plan.example = reader.flag_or("example", false);
  plan.months = reader.integer_or("months", plan.months, {1, kMostMonths});
  if (reader.has("growth_per_quarter")) {
    plan.growth_per_quarter = read_range(reader, "growth_per_quarter", {-0.9, 4});
  }
  std::set<std::string> seen;
  for (ObjectReader& one : reader.objects("runs")) {
    plan.runs.push_back(read_runs(one, spec, catalog));
    const PlannedRuns& runs = plan.runs.back();
    if (!seen.insert(runs.model + "/" + runs.method + "/" + std::to_string(runs.tokens)).second) {
      one.fault("", "expected each model, method and tokens once, got " + runs.model + " by " +
                        runs.method + " again");
    }
  }
  if (plan.runs.empty() && reader.sound("runs")) {
    reader.fault("runs", "expected runs of at least one kind, got []");
  }
  read_machines(reader, machines, plan);
  read_contracts(reader, spec, plan);
  plan.budget_usd = reader.optional_usd("budget_usd");
  plan.kw = reader.optional_number("kw", {0, 1e8});
  plan.owned_use = reader.number_or("owned_use", plan.owned_use, {0.01, 1});
  plan.reserved_use = reader.number_or("reserved_use", plan.reserved_use, {0.01, 1});
  plan.spot = reader.flag_or("spot", plan.spot);
  if (plan.spot && !spec.price_rules.prices_spot()) {
    reader.fault("spot",
                 "expected prices.spot_interruption beside it: without the hours lost to "
                 "interruptions per run on spot has no price");
  }
  plan.blocks = reader.flag_or("blocks", plan.blocks);
  read_lead_months(reader, machines, plan);
  reader.done();
  return plan;
}

}  // namespace sizesheet
