// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/lengths.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

namespace sizesheet {

std::vector<double> sorted_lengths(const LengthSpread& spread, std::int64_t count) {
  const double sigma = std::sqrt(std::log1p(spread.variation * spread.variation));
  const boost::math::normal standard;
  std::vector<double> factors(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    factors[i] = std::exp(sigma * boost::math::quantile(standard, share));
  }
  std::vector<double> lengths(factors.size());
  const auto fill = [&](double median) {
    std::ranges::transform(factors, lengths.begin(), [&](double factor) {
      return std::max(1.0, std::min(spread.longest, median * factor));
    });
    return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(count);
  };
  // The mean grows with the median, so halving the interval of its logarithm finds it.
  double low = 0;
  double high = std::log(spread.longest) + 6 * sigma;
  constexpr int kHalvings = 80;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (fill(std::exp(middle)) < spread.mean ? low : high) = middle;
  }
  fill(std::exp((low + high) / 2));
  return lengths;
}

}  // namespace sizesheet
