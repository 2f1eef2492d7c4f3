// SPDX-License-Identifier: Apache-2.0
// The one comparison of a run rented with a run on machines that are owned.
#pragma once

#include <optional>
#include <vector>

#include "cost/cost_line.h"
#include "support/money.h"
#include "support/named.h"

namespace sizesheet {

/// What a stated demand decides. It is printed only where somebody states one.
enum class RentOrOwn { kRent, kClose, kBuy };

inline constexpr NameTable<RentOrOwn, 3> kRentOrOwn{
    {{RentOrOwn::kRent, "rent"}, {RentOrOwn::kClose, "close"}, {RentOrOwn::kBuy, "buy"}}};

constexpr const auto& table_of(RentOrOwn /*of*/) { return kRentOrOwn; }

/// A way to run a job: what a month costs before its first run, and what each run adds.
struct WayToRun {
  double usd_per_month = 0;
  double usd_per_run = 0;
};

/// The runs per month at which two ways cost the same.
struct EvenRuns {
  double runs_per_month = 0;
  bool second_is_less_above = false;  ///< of the two, the one that costs less beyond
};

/// Empty where one way costs less, or as much, for any number of runs. With the ways exchanged the
/// runs stay, and the side that costs less beyond is the other one.
std::optional<EvenRuns> even_runs(const WayToRun& first, const WayToRun& second);

/// Whether two amounts differ by at most 10 % of the dearer one.
bool is_close(MicroUsd one, MicroUsd other);

/// Of two expected amounts for the same runs: kClose where they are close, else the lower side.
/// With the amounts exchanged rent and buy are exchanged.
RentOrOwn rent_or_own(MicroUsd rented, MicroUsd owned);

/// An owned machine as a line over its hours, and one run of a job on it.
struct OwnedMachine {
  MicroUsd fixed_usd_per_month;     ///< own cost at zero hours
  MicroUsd full_use_usd_per_month;  ///< own cost at every hour of the month
  double hours_per_month = 730;
  double hours_per_run = 0;
};

/// Its month without runs, and the energy of each.
WayToRun way_of(const OwnedMachine& machine);

/// Runs and hours per month at which the machine costs what the same runs cost elsewhere, at
/// `rent_usd_per_run` each. Empty when more runs never pay, or when those that would do not fit
/// into the month.
std::vector<QuantityLine> run_break_even(const OwnedMachine& machine, MicroUsd rent_usd_per_run);

}  // namespace sizesheet
