// SPDX-License-Identifier: Apache-2.0
#include "evidence/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sizesheet {

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<ErrorStats> stats_of(const std::vector<double>& errors) {
  if (errors.empty()) return std::nullopt;
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  std::sort(sizes.begin(), sizes.end());
  const auto n = static_cast<double>(errors.size());
  ErrorStats stats;
  stats.n = static_cast<std::int64_t>(errors.size());
  stats.median = *median_of(sizes);
  stats.mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / n;
  stats.p90 = sizes[std::min(sizes.size() - 1, sizes.size() * 9 / 10)];
  stats.worst = *std::max_element(errors.begin(), errors.end(),
                                  [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
  stats.low = *low;
  stats.high = *high;
  stats.bias = std::accumulate(errors.begin(), errors.end(), 0.0) / n;
  return stats;
}

}  // namespace sizesheet
