// SPDX-License-Identifier: Apache-2.0
// Plain arithmetic between figures of a guide: sums, products, shares, prices times hours.
#include <algorithm>
#include <cmath>

#include "evidence/guide_memory.h"
#include "evidence/quantity_sets.h"

namespace sizesheet {
namespace {

GuideValue sum(const GuideQuestion& q) { return guide_value(sum_at(q.inputs, "parts")); }

/// The rows a table shows, and the overhead that has no row.
GuideValue sum_of_rows(const GuideQuestion& q) {
  return guide_value(sum_at(q.inputs, "parts") + constant_of(q.rules, "overhead_gb").low);
}

/// The product of the factors, of each end when "range" is given.
GuideValue product(const GuideQuestion& q) {
  double all = 1;
  for (const double factor : numbers_at(q.inputs, "factors")) all *= factor;
  if (!q.inputs.has("range")) return guide_value(all);
  std::vector<double> ends = numbers_at(q.inputs, "range");
  for (double& end : ends) end *= all;
  return guide_value(ends);
}

GuideValue difference(const GuideQuestion& q) {
  return guide_value(q.inputs.number("of") - sum_at(q.inputs, "less"));
}

GuideValue ratio(const GuideQuestion& q) {
  return guide_value(sum_at(q.inputs, "of") / q.inputs.number("to"));
}

/// One share for each number of parts.
GuideValue divided(const GuideQuestion& q) {
  std::vector<double> shares;
  for (const double parts : numbers_at(q.inputs, "by")) {
    shares.push_back(q.inputs.number("of") / parts);
  }
  return guide_value(shares);
}

/// Growth of something that goes with the square.
GuideValue squared_ratio(const GuideQuestion& q) {
  const double once = q.inputs.number("of") / q.inputs.number("to");
  return guide_value(once * once);
}

GuideValue percent(const GuideQuestion& q) {
  return guide_value(kPercent * q.inputs.number("of") / sum_at(q.inputs, "in"));
}

GuideValue percent_less(const GuideQuestion& q) {
  return guide_value(kPercent * (1 - q.inputs.number("of") / q.inputs.number("than")));
}

/// So many GPUs at the lowest of the prices.
GuideValue cheapest(const GuideQuestion& q) {
  const std::vector<double> prices = numbers_at(q.inputs, "usd_per_gpu_hour");
  return guide_value(q.inputs.number("gpus") * *std::min_element(prices.begin(), prices.end()));
}

GuideValue below(const GuideQuestion& q) {
  const std::vector<double> figures = numbers_at(q.inputs, "figures");
  return guide_value(*std::max_element(figures.begin(), figures.end()) < q.inputs.number("limit"));
}

/// Another figure of the same guide, where the guide says a thing twice.
GuideValue said_elsewhere(const GuideQuestion& q) {
  return guide_value(numbers_at(q.inputs, "figure"));
}

/// What each GPU sends in a ring all-reduce, as a multiple of the message.
GuideValue ring_volume(const GuideQuestion& q) {
  const double gpus = q.inputs.number("gpus", {1});
  return guide_value(2 * (gpus - 1) / gpus);
}

/// The largest finite number of a binary format.
GuideValue largest_number(const GuideQuestion& q) {
  const double mantissa = q.inputs.number("mantissa_bits", {0});
  return guide_value((2 - std::exp2(-mantissa)) * std::exp2(q.inputs.number("largest_exponent")));
}

}  // namespace

Quantities plain_quantities() {
  return {
      {"sum", sum},
      {"sum-of-rows", sum_of_rows},
      {"product", product},
      {"difference", difference},
      {"ratio", ratio},
      {"divided", divided},
      {"squared-ratio", squared_ratio},
      {"percent", percent},
      {"percent-less", percent_less},
      {"cheapest", cheapest},
      {"below", below},
      {"said-elsewhere", said_elsewhere},
      {"ring-volume", ring_volume},
      {"largest-number", largest_number},
  };
}

}  // namespace sizesheet
