// SPDX-License-Identifier: Apache-2.0
// Quantities that count parameters, tokens, hours and dollars.

#include <algorithm>
#include <cmath>
#include <limits>

#include "evidence/guides.h"
#include "support/text.h"

namespace sizesheet {

// ---- How many GPUs, what fits, how long a sequence: each guide's own rounding and headroom.

namespace {

const GuideRule& named(const std::map<std::string, GuideRule>& rules, const std::string& name,
                       const std::string& what) {
  const auto found = rules.find(name);
  if (found != rules.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, unused] : rules) known.push_back(key);
  throw InputError("the convention has no " + what + " for " + in_quotes(name) +
                   did_you_mean(name, known));
}

double up_to_multiple(double value, double step) { return std::ceil(value / step) * step; }

double power_of_two_below(double value) {
  return value < 1 ? 0 : std::exp2(std::floor(std::log2(value)));
}

/// `quotient` is need / card, not rounded.
double rounded_count(const ConventionRules& rules, const std::string& purpose, double quotient) {
  const GuideRule& rule = named(rules.rounding, purpose, "rounding");
  const double grown = std::floor((1 + rule.share) * quotient);
  if (rule.rule == "ceil") return std::ceil(quotient);
  if (rule.rule == "even") return up_to_multiple(quotient, 2);
  if (rule.rule == "grown-floor") return grown;
  const double node = constant_of(rules, "gpus_per_node").low;
  return up_to_multiple(rule.rule == "nodes" ? quotient : grown, node);
}

/// Need in GB: given, or by the convention for a job and its terms.
double need_of(const GuideQuestion& q) {
  if (q.inputs.has("need_gb")) return sum_at(q.inputs, "need_gb");
  return guide_memory_gb(job_of(q.rules, q.inputs), q.inputs.texts("terms")).high;
}

std::vector<double> needs_of(const GuideQuestion& q) {
  if (q.inputs.has("needs_gb")) return numbers_at(q.inputs, "needs_gb");
  if (!q.inputs.has("methods")) return {need_of(q)};
  std::vector<double> needs;
  GuideJob job = job_of(q.rules, q.inputs);
  for (const std::string& method : q.inputs.texts("methods")) {
    job.method = method;
    needs.push_back(guide_memory_gb(job, q.inputs.texts("terms")).high);
  }
  return needs;
}

/// One number for each purpose, which a single one is for all of them.
std::vector<double> stretched(const GuideQuestion& q, const std::string& key,
                              std::vector<double> numbers, std::size_t purposes) {
  if (numbers.size() == 1) numbers.resize(purposes, numbers.front());
  if (numbers.size() >= purposes) return numbers;
  q.inputs.fault(key, "expected 1 or " + std::to_string(purposes) + " numbers, got " +
                          std::to_string(numbers.size()));
  numbers.resize(purposes, 1);
  return numbers;
}

/// One count for each purpose.
GuideValue gpus(const GuideQuestion& q) {
  const std::vector<std::string> purposes = q.inputs.texts("rounded_for");
  const std::vector<double> needs = stretched(q, "needs_gb", needs_of(q), purposes.size());
  const std::vector<double> cards =
      stretched(q, "card_gb", numbers_at(q.inputs, "card_gb"), purposes.size());
  const double taken = q.inputs.has("taken_gb") ? sum_at(q.inputs, "taken_gb") : 0;
  std::vector<double> counts;
  for (std::size_t i = 0; i < purposes.size(); ++i) {
    counts.push_back(rounded_count(q.rules, purposes[i], needs[i] / (cards[i] - taken)));
  }
  return guide_value(counts);
}

/// How many cards the need fills, not rounded.
GuideValue cards_filled(const GuideQuestion& q) {
  return guide_value(need_of(q) / q.inputs.number("card_gb", kNotNegative));
}

GuideValue nodes(const GuideQuestion& q) {
  std::vector<double> counts;
  for (const double count : numbers_at(q.inputs, "gpus")) {
    counts.push_back(std::ceil(count / constant_of(q.rules, "gpus_per_node").low));
  }
  return guide_value(counts);
}

/// EP ranks are the least, as long as DP x CP is a multiple of them.
GuideValue expert_parallel_gpus(const GuideQuestion& q) {
  const double ep = q.inputs.number("ep", kAtLeastOne);
  const double ranks = q.inputs.number("dp", kAtLeastOne) * q.inputs.number("cp", kAtLeastOne);
  if (std::fmod(ranks, ep) != 0) q.inputs.fault("dp", "expected dp x cp to be a multiple of ep");
  return guide_value(ep);
}

double with_uplift(const GuideRule& rule, double need) {
  return rule.rule == "uplift" ? need * (1 + rule.share) : need;
}

double usable(const GuideRule& rule, double card) {
  return rule.rule == "reserve" ? card * (1 - rule.share) : card;
}

/// True when every need fits into the cards under the headroom of the named place.
GuideValue fits(const GuideQuestion& q) {
  const GuideRule& rule =
      named(q.rules.headroom, q.inputs.text_or("headroom", "table"), "headroom");
  const double cards =
      q.inputs.number_or("cards", 1, kAtLeastOne) * q.inputs.number("card_gb", kNotNegative);
  bool all = true;
  for (const double need : needs_of(q)) {
    all = all && with_uplift(rule, need) <= usable(rule, cards);
  }
  return guide_value(all);
}

GuideValue exceeds(const GuideQuestion& q) {
  const double cards =
      q.inputs.number_or("cards", 1, kAtLeastOne) * q.inputs.number("card_gb", kNotNegative);
  return guide_value(need_of(q) > cards);
}

/// State is shared out, activations are every GPU's own.
GuideValue fits_per_gpu(const GuideQuestion& q) {
  const double shared =
      q.inputs.number("shared_gb", kNotNegative) / q.inputs.number("cards", kAtLeastOne);
  const double own =
      q.inputs.number("own_gb", kNotNegative) * q.inputs.number("micro_batch", kAtLeastOne);
  return guide_value(shared + own <= q.inputs.number("card_gb", kNotNegative));
}

GuideValue usable_gb(const GuideQuestion& q) {
  std::vector<double> all;
  for (const std::string& place : q.inputs.texts("headroom")) {
    all.push_back(usable(named(q.rules.headroom, place, "headroom"), q.inputs.number("card_gb")));
  }
  return guide_value(all);
}

/// Memory of so many cards, and what the need exceeds it by.
GuideValue shortfall(const GuideQuestion& q) {
  const double cards =
      q.inputs.number("cards", kAtLeastOne) * q.inputs.number("card_gb", kNotNegative);
  return guide_value({cards, need_of(q) - cards});
}

/// A tier of memory, (above_gb, up_to_gb]: what it holds, what exceeds its floor only with
/// headroom, and what it refuses.
GuideValue tier(const GuideQuestion& q) {
  const double above = q.inputs.number_or("above_gb", 0, kNotNegative);
  const double up_to =
      q.inputs.number_or("up_to_gb", std::numeric_limits<double>::max(), kNotNegative);
  const GuideRule& rule = named(q.rules.headroom, "prose", "headroom");
  bool right = true;
  const auto each = [&](const char* key, auto&& holds) {
    if (!q.inputs.has(key)) return;
    for (const double need : numbers_at(q.inputs, key)) right = right && holds(need);
  };
  each("holds_gb", [&](double need) { return above < need && need <= up_to; });
  each("holds_with_headroom_gb", [&](double need) { return with_uplift(rule, need) > above; });
  each("refuses_gb", [&](double need) { return need > up_to; });
  return guide_value(right);
}

double static_gb(const GuideQuestion& q, const GuideJob& job) {
  if (q.inputs.has("static_gb")) return sum_at(q.inputs, "static_gb");
  return guide_memory_gb(job, q.inputs.texts("static_terms")).high;
}

/// The largest power of two of sequences that fits beside what does not grow with them.
GuideValue largest_micro_batch(const GuideQuestion& q) {
  const GuideJob job = job_of(q.rules, q.inputs);
  const double left = q.inputs.number("card_gb", kNotNegative) - static_gb(q, job);
  return guide_value(power_of_two_below(left / guide_activations_gb(job)));
}

GuideValue longest_sequence(const GuideQuestion& q) {
  const GuideJob job = job_of(q.rules, q.inputs);
  const double left = q.inputs.number("card_gb", kNotNegative) - static_gb(q, job);
  const double per_token = constant_of(q.rules, "token_bytes").low;
  return guide_value(power_of_two_below(left * kGigabyte / per_token));
}

/// Tokens at which activations weigh as much as the named terms.
GuideValue crossover_sequence(const GuideQuestion& q) {
  return guide_value(static_gb(q, job_of(q.rules, q.inputs)) * kGigabyte /
                     constant_of(q.rules, "token_bytes").low);
}

}  // namespace

Quantities count_quantities() {
  return {
      {"gpus", gpus},
      {"cards-filled", cards_filled},
      {"nodes", nodes},
      {"expert-parallel-gpus", expert_parallel_gpus},
      {"fits", fits},
      {"exceeds", exceeds},
      {"fits-per-gpu", fits_per_gpu},
      {"usable-gb", usable_gb},
      {"shortfall", shortfall},
      {"tier", tier},
      {"largest-micro-batch", largest_micro_batch},
      {"longest-sequence", longest_sequence},
      {"crossover-sequence", crossover_sequence},
  };
}

// ---- Plain arithmetic between figures of a guide: sums, products, shares, prices times hours.

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
