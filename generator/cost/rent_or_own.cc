// SPDX-License-Identifier: Apache-2.0
#include "cost/rent_or_own.h"

#include <algorithm>
#include <cstdint>

#include "support/trace.h"

namespace sizesheet {

std::optional<EvenRuns> even_runs(const WayToRun& first, const WayToRun& second) {
  const double before_a_run = second.usd_per_month - first.usd_per_month;
  const double each_run = first.usd_per_run - second.usd_per_run;
  if (each_run == 0) return std::nullopt;
  const double runs = before_a_run / each_run;
  // Lines that meet below zero runs never meet in a month.
  if (!(runs >= 0)) return std::nullopt;
  return EvenRuns{runs, each_run > 0};
}

bool is_close(MicroUsd one, MicroUsd other) {
  constexpr std::int64_t kParts = 10;  // 10 %
  const MicroUsd dearer = std::max(one, other);
  return (dearer - std::min(one, other)) * kParts <= dearer;
}

RentOrOwn rent_or_own(MicroUsd rented, MicroUsd owned) {
  if (is_close(rented, owned)) return RentOrOwn::kClose;
  return owned < rented ? RentOrOwn::kBuy : RentOrOwn::kRent;
}

WayToRun way_of(const OwnedMachine& machine) {
  const double fixed = to_usd(machine.fixed_usd_per_month);
  const double drawn = (to_usd(machine.full_use_usd_per_month) - fixed) / machine.hours_per_month *
                       machine.hours_per_run;
  return {fixed, drawn};
}

std::vector<QuantityLine> run_break_even(const OwnedMachine& machine, MicroUsd rent_usd_per_run) {
  const auto even = even_runs({0, to_usd(rent_usd_per_run)}, way_of(machine));
  if (!even || !even->second_is_less_above) return {};
  const Traced fixed = Traced::input("fixed_usd_per_month", to_usd(machine.fixed_usd_per_month));
  const Traced full =
      Traced::input("full_use_usd_per_month", to_usd(machine.full_use_usd_per_month));
  const Traced month = Traced::input("hours_per_month", machine.hours_per_month);
  const Traced run = Traced::input("hours_per_run", machine.hours_per_run);
  const Traced rent = Traced::input("rent_usd_per_run", to_usd(rent_usd_per_run));
  // What one more run saves: its rent, less the power it draws here.
  const Traced drawn = Traced::step("energy_usd_per_run", (full - fixed) / month * run);
  const Traced saved = Traced::step("saved_usd_per_run", rent - drawn);
  const Traced runs = Traced::step("break_even_runs_per_month", fixed / saved);
  const Traced hours = runs * run;
  if (!(hours.value() <= machine.hours_per_month)) return {};
  return {{"break_even_runs_per_month", "Break-even runs per month", runs.value(), "runs/month",
           formula_of(runs), kDefinition},
          {"break_even_hours_per_month", "Break-even hours per month", hours.value(), "h/month",
           formula_of(hours), kDefinition}};
}

}  // namespace sizesheet
