// SPDX-License-Identifier: Apache-2.0
#include "cost/commitment.h"

#include <algorithm>
#include <stdexcept>

namespace sizesheet {

MicroUsd billed_over_term(const Commitment& commitment) {
  return commitment.upfront + commitment.usd_per_hour * commitment.hours;
}

MicroUsd effective_per_hour(const Commitment& commitment) {
  if (commitment.hours < 1) throw std::invalid_argument("commitment: at least one hour");
  return scaled(billed_over_term(commitment), 1, commitment.hours);
}

CommitmentHour commitment_hour(MicroUsd effective_per_hour, double demand, MicroUsd on_demand) {
  if (!(demand >= 0)) throw std::invalid_argument("commitment: demand must be at least 0");
  CommitmentHour hour;
  hour.used = rounded_usd(to_usd(effective_per_hour) * std::min(demand, 1.0));
  hour.unused = effective_per_hour - hour.used;
  hour.overage = rounded_usd(to_usd(on_demand) * std::max(demand - 1, 0.0));
  return hour;
}

MicroUsd forward_rate(const TermPrice& short_term, const TermPrice& long_term) {
  if (short_term.years < 1 || long_term.years <= short_term.years) {
    throw std::invalid_argument("forward rate: the second term must be the longer one");
  }
  const MicroUsd between =
      long_term.usd_per_hour * long_term.years - short_term.usd_per_hour * short_term.years;
  return scaled(between, 1, long_term.years - short_term.years);
}

std::optional<double> commitment_break_even(MicroUsd committed, MicroUsd on_demand) {
  if (on_demand.value <= 0 || committed >= on_demand) return std::nullopt;
  return to_usd(committed) / to_usd(on_demand);
}

MicroUsd price_of_parts(const std::vector<PricePart>& parts) {
  MicroUsd sum;
  for (const PricePart& part : parts) sum += part.usd_per_hour * part.count;
  return sum;
}

std::vector<double> times_the_least(const std::vector<MicroUsd>& totals) {
  if (totals.empty()) return {};
  const MicroUsd least = *std::min_element(totals.begin(), totals.end());
  if (least.value <= 0) throw std::invalid_argument("options: expected totals above 0");
  std::vector<double> ratios;
  for (const MicroUsd total : totals) ratios.push_back(to_usd(total) / to_usd(least));
  return ratios;
}

}  // namespace sizesheet
