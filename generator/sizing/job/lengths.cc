// SPDX-License-Identifier: Apache-2.0
#include "sizing/job/lengths.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>

namespace sizesheet {
namespace {

/// Enough that the tail no longer moves what batches cost.
constexpr std::int64_t kSamples = 4096;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double squares(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// The longest of each group of so many neighbours, once for each of them.
std::vector<double> group_widths(const std::vector<double>& lengths, std::int64_t rows) {
  std::vector<double> widths(lengths.size());
  const std::size_t group = std::min(static_cast<std::size_t>(rows), lengths.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = lengths[std::min((i / group + 1) * group, lengths.size()) - 1];
  }
  return widths;
}

/// Tokens computed for each that is trained. The emptiest pack is the end of the data, which a
/// longer one would fill.
double packing_cost(const std::vector<double>& lengths, double size) {
  const std::vector<double> room = free_after_packing(lengths, size);
  const double emptiest = std::ranges::max(room);
  const double full = size * static_cast<double>(room.size() - 1);
  return full > 0 ? full / (full - (sum(room) - emptiest)) : 1;
}

BatchCost batch_cost(const SampleBatches& batches) {
  const std::vector<double>& lengths = *batches.lengths;
  const double longest = batches.spread.longest;
  const double mean = sum(lengths) / static_cast<double>(lengths.size());
  const double own = squares(lengths) / sum(lengths);
  const auto rows = static_cast<double>(batches.rows);
  switch (batches.batching) {
    case Batching::kPacked:
      return {longest, own, packing_cost(lengths, longest)};
    case Batching::kPaddingFree:
      return {mean, own, 1};
    case Batching::kFixed:
      return {longest, longest, longest / mean};
    case Batching::kPadded: {
      const double row = expected_longest(lengths, rows);
      return {row, expected_longest(lengths, rows, 2) / row, row / mean};
    }
    case Batching::kGrouped:
      break;
  }
  const std::vector<double> widths = group_widths(lengths, batches.rows);
  return {sum(widths) / static_cast<double>(widths.size()), squares(widths) / sum(widths),
          sum(widths) / sum(lengths)};
}

/// See `waiting`.
double slowest_over_mean(const SampleBatches& batches, std::int64_t ranks) {
  const auto& [batching, spread, rows, lengths, cost, known] = batches;
  const auto drawn = static_cast<double>(ranks);
  switch (batching) {
    case Batching::kPadded:
      return expected_longest(*lengths, static_cast<double>(rows) * drawn) / cost.row;
    case Batching::kGrouped:
      return sum(group_widths(*lengths, rows * ranks)) / sum(group_widths(*lengths, rows));
    case Batching::kPaddingFree: {
      // The mean of several samples spreads less, by the root of their number.
      LengthSpread row = spread;
      row.variation /= std::sqrt(static_cast<double>(rows));
      return expected_longest(sorted_lengths(row, kSamples), drawn) / spread.mean;
    }
    case Batching::kPacked:
    case Batching::kFixed:
      break;
  }
  return 1;
}

/// Nine digits of it, 32 bits: the last ones of exponentials and logarithms differ from one C
/// library, and from one processor, to the next. Half rounds away from 0; of normal numbers.
double steady(double value) {
  constexpr std::uint64_t kDropped = (std::uint64_t{1} << 21U) - 1;  // of 53 bits
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);  // the library of the calculator has no bit_cast yet
  bits = (bits + (kDropped + 1) / 2) & ~kDropped;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

/// Quantiles (i + 1/2) / count of the standard normal distribution.
std::vector<double> standard_quantiles(std::int64_t count) {
  // In double all the way: what is wider than that differs from machine to machine.
  using Double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::normal_distribution<double, Double> standard;
  std::vector<double> quantiles(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    quantiles[i] = steady(boost::math::quantile(standard, share));
  }
  return quantiles;
}

}  // namespace

std::vector<double> sorted_lengths(const LengthSpread& spread, std::int64_t count) {
  const double sigma = steady(std::sqrt(std::log1p(spread.variation * spread.variation)));
  static const std::vector<double> kUsual = standard_quantiles(kSamples);
  std::vector<double> factors = count == kSamples ? kUsual : standard_quantiles(count);
  for (double& factor : factors) factor = steady(std::exp(sigma * factor));
  std::vector<double> lengths(factors.size());
  const auto fill = [&](double median) {
    std::ranges::transform(factors, lengths.begin(), [&](double factor) {
      return std::max(1.0, std::min(spread.longest, median * factor));
    });
    return sum(lengths) / static_cast<double>(count);
  };
  // The mean grows with the median, so halving the interval of its logarithm finds it.
  double low = 0;
  double high = steady(std::log(spread.longest)) + 6 * sigma;
  constexpr int kHalvings = 80;
  for (int i = 0; i < kHalvings; ++i) {
    if (steady(std::exp(low)) == steady(std::exp(high))) break;  // and so is all between them
    const double middle = (low + high) / 2;
    (fill(steady(std::exp(middle))) < spread.mean ? low : high) = middle;
  }
  fill(steady(std::exp((low + high) / 2)));
  return lengths;
}

double expected_longest(const std::vector<double>& lengths, double drawn, double power) {
  const auto count = static_cast<double>(lengths.size());
  double mean = 0;
  double below = 0;  // the chance that all that are drawn are shorter
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double up_to = steady(std::pow(static_cast<double>(i + 1) / count, drawn));
    mean += steady(std::pow(lengths[i], power)) * (up_to - below);
    below = up_to;
  }
  return mean;
}

std::vector<double> free_after_packing(const std::vector<double>& lengths, double size) {
  std::multiset<double> room;
  std::for_each(lengths.rbegin(), lengths.rend(), [&](double length) {
    const auto pack = room.lower_bound(length);
    const double left = pack != room.end() ? room.extract(pack).value() : size;
    room.insert(left - length);
  });
  return {room.begin(), room.end()};
}

SampleBatches batches_of(Batching batching, const LengthSpread& spread, std::int64_t rows) {
  constexpr double kRounding = 1e-9;  // of the mean that is solved for
  std::vector<double> lengths = sorted_lengths(spread, kSamples);
  for (double& length : lengths) length = std::ceil(length - kRounding);
  SampleBatches batches{batching, spread,
                        rows,     std::make_shared<const std::vector<double>>(std::move(lengths)),
                        {},       std::make_shared<KnownByRanks>()};
  batches.cost = batch_cost(batches);
  return batches;
}

double KnownByRanks::of(std::int64_t ranks, const std::function<double()>& work_out) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(ranks);
  return found != known_.end() ? found->second : known_.emplace(ranks, work_out()).first->second;
}

double SampleBatches::waiting(std::int64_t ranks) const {
  return known->of(ranks, [&] { return slowest_over_mean(*this, ranks); });
}

}  // namespace sizesheet
