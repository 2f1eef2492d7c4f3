// SPDX-License-Identifier: Apache-2.0
#include "cost/run_break_even.h"

namespace sizesheet {
namespace {

template <typename N>
struct Lines {
  Lines(const OwnedMachine& machine, MicroUsd rent_usd_per_run)
      : fixed(input<N>("fixed_usd_per_month", to_usd(machine.fixed_usd_per_month))),
        full(input<N>("full_use_usd_per_month", to_usd(machine.full_use_usd_per_month))),
        month(input<N>("hours_per_month", machine.hours_per_month)),
        run(input<N>("hours_per_run", machine.hours_per_run)),
        rent(input<N>("rent_usd_per_run", to_usd(rent_usd_per_run))) {}

  N fixed, full, month, run, rent;
};

/// What one more run saves: its rent, less the power it draws here.
template <typename N>
N saved_per_run(const Lines<N>& lines) {
  const N drawn = step("energy_usd_per_run", (lines.full - lines.fixed) / lines.month * lines.run);
  return step("saved_usd_per_run", lines.rent - drawn);
}

template <typename N>
N runs(const Lines<N>& lines) {
  return step("break_even_runs_per_month", lines.fixed / saved_per_run(lines));
}

}  // namespace

std::optional<RunBreakEven> run_break_even(const OwnedMachine& machine, MicroUsd rent_usd_per_run) {
  const Lines<double> lines(machine, rent_usd_per_run);
  if (!(saved_per_run(lines) > 0)) return std::nullopt;
  const double count = runs(lines);
  const double hours = count * lines.run;
  if (!(hours <= machine.hours_per_month)) return std::nullopt;
  return RunBreakEven{count, hours};
}

std::vector<QuantityLine> explain_run_break_even(const OwnedMachine& machine,
                                                 MicroUsd rent_usd_per_run) {
  const auto found = run_break_even(machine, rent_usd_per_run);
  if (!found) return {};
  const Lines<Traced> lines(machine, rent_usd_per_run);
  const Traced count = runs(lines);
  return {{"break_even_runs_per_month", "Break-even runs a month", found->runs_per_month,
           "runs/month", formula_of(count), kDefinition},
          {"break_even_hours_per_month", "Break-even hours a month", found->hours_per_month,
           "h/month", formula_of(count * lines.run), kDefinition}};
}

}  // namespace sizesheet
