// SPDX-License-Identifier: Apache-2.0
// What a commitment costs and when it pays: upfront and hourly parts spread over its hours, used
// and unused shares of an hour, the rate that two terms imply for the years between them, and the
// use from which a reserved price beats an on-demand one. The words are those of FOCUS v1.2 (FinOps
// Foundation, 2025-05-29).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "support/money.h"

namespace sizesheet {

/// A promise to pay for every hour of a term.
struct Commitment {
  MicroUsd upfront;       ///< billed on the day of purchase
  MicroUsd usd_per_hour;  ///< billed every hour, used or not
  std::int64_t hours = 0;
};

/// All that is billed over the term.
MicroUsd billed_over_term(const Commitment& commitment);

/// What an hour costs with the upfront part spread evenly. Throws std::invalid_argument without
/// hours.
MicroUsd effective_per_hour(const Commitment& commitment);

/// One hour's effective cost by what became of it.
struct CommitmentHour {
  MicroUsd used;
  MicroUsd unused;   ///< paid for nothing; used + unused is the committed hour, to the micro-dollar
  MicroUsd overage;  ///< beyond the commitment, at the on-demand price
};

/// An hour in which `demand` commitments' worth was asked for (0.75, 1.5). Throws
/// std::invalid_argument below 0.
CommitmentHour commitment_hour(MicroUsd effective_per_hour, double demand, MicroUsd on_demand);

/// A price held for whole years.
struct TermPrice {
  std::int64_t years = 0;
  MicroUsd usd_per_hour;
};

/// The price that a longer term implies for the years after a shorter one:
/// (long years x long price - short years x short price) / years between. Throws
/// std::invalid_argument unless the long term is longer.
MicroUsd forward_rate(const TermPrice& short_term, const TermPrice& long_term);

/// The share of all hours from which a price paid for every hour beats one paid for used hours;
/// nullopt where it never does.
std::optional<double> commitment_break_even(MicroUsd committed, MicroUsd on_demand);

/// One part of a price that is quoted in parts: GPU, processors, memory.
struct PricePart {
  MicroUsd usd_per_hour;  ///< each
  std::int64_t count = 1;
};

MicroUsd price_of_parts(const std::vector<PricePart>& parts);

/// Each option's total over the least of them. Throws std::invalid_argument unless all are above 0.
std::vector<double> times_the_least(const std::vector<MicroUsd>& totals);

}  // namespace sizesheet
