// SPDX-License-Identifier: Apache-2.0
#include "evidence/quantities.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catalog/files/loader.h"
#include "catalog/published/convention.h"
#include "evidence/guide_memory.h"
#include "evidence/guides.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kMillionsPerBn = 1000;

GuideValue guide_value(double number) { return {{number}, {}}; }
GuideValue guide_value(bool answer) { return {{}, answer}; }
GuideValue guide_value(std::vector<double> numbers) { return {std::move(numbers), {}}; }

/// A quantity and what gives it: a number, several of them, or yes or no.
struct Quantity {
  template <typename Function>
  constexpr Quantity(const char* id, Function)
      : name(id), value([](const GuideInputs& q) { return guide_value(Function{}(q)); }) {}

  const char* name;
  GuideValue (*value)(const GuideInputs&);
};

// ---- Bytes, and parameters they are bytes of.

GuideRange asked_memory(const GuideJob& job) {
  return guide_memory_gb(job, job.inputs.texts("terms"));
}

/// The low figures of the same terms under two methods or two stages.
std::vector<double> memory_twice(const GuideInputs& q) {
  GuideJob job = job_of(q);
  std::vector<double> figures;
  if (q.inputs.has("methods")) {
    for (const std::string& method : q.inputs.texts("methods")) {
      job.method = method;
      figures.push_back(asked_memory(job).low);
    }
  } else {
    for (const double stage : q.numbers("stages")) {
      job.stage = stage;
      figures.push_back(asked_memory(job).low);
    }
  }
  if (figures.size() == 2) return figures;
  q.inputs.fault("", "expected two methods or two stages");
  return {1, 1};
}

/// The part of the model that is asked for.
double part_bn(const GuideInputs& q) {
  return hybrid_parameters_bn(q.hybrid(), q.inputs.text("part"));
}

constexpr Quantity kOfMemory[] = {
    {"memory",
     [](auto& q) {
       const GuideRange gb = asked_memory(job_of(q));
       return gb.low == gb.high ? std::vector{gb.low} : std::vector{gb.low, gb.high};
     }},
    // One figure for each group of terms: "28 + 10.5".
    {"memory-by-group",
     [](auto& q) {
       const GuideJob job = job_of(q);
       std::vector<double> figures;
       for (ObjectReader& group : q.inputs.objects("groups")) {
         figures.push_back(guide_memory_gb(job, group.texts("terms")).low);
         group.done();
       }
       return figures;
     }},
    {"memory-pair", [](auto& q) { return memory_twice(q); }},
    {"memory-ratio",
     [](auto& q) {
       const auto both = memory_twice(q);
       return both[0] / both[1];
     }},
    {"memory-difference",
     [](auto& q) {
       const auto both = memory_twice(q);
       return both[0] - both[1];
     }},
    {"bytes-per-parameter",
     [](auto& q) {
       double sum = 0;
       for (const std::string& name : q.inputs.texts("terms")) sum += q.constant(name);
       return sum;
     }},
    {"trainable-millions", [](auto& q) { return kMillionsPerBn * guide_adapters_bn(job_of(q)); }},
    {"trainable-percent",
     [](auto& q) {
       const GuideJob job = job_of(q);
       return kPercent * guide_adapters_bn(job) / guide_parameters_bn(job);
     }},
    // True when the adapters of every rank are below a share of the model.
    {"adapters-below",
     [](auto& q) {
       const double limit = q.number("percent", {0, kPercent}) / kPercent;
       const HybridShape& shape = q.hybrid();
       const double total = hybrid_parameters_bn(shape, "total");
       bool below = true;
       for (const double rank : q.numbers("ranks")) {
         below =
             below && hybrid_adapters_bn(shape, rank, q.inputs.texts("targets")) < limit * total;
       }
       return below;
     }},
    // Share of the model that adapters of this rank on all seven projections of a dense block are.
    {"dense-adapter-percent",
     [](auto& q) {
       const double hidden = q.number("hidden", kAtLeastOne);
       const double key_value = q.number("key_value_width", kAtLeastOne);
       const double ffn = q.number("ffn", kAtLeastOne);
       const double attention = 2 * (hidden + hidden) + 2 * (hidden + key_value);
       const double per_layer = attention + 3 * (hidden + ffn);
       const double adapters =
           q.number("rank", kAtLeastOne) * q.number("layers", kAtLeastOne) * per_layer;
       return kPercent * adapters / (q.number("params_bn", kNotNegative) * kGigabyte);
     }},
    {"adapter-file-mb",
     [](auto& q) { return kMillionsPerBn * guide_memory_gb(job_of(q), {"adapters"}).low; }},
    // Optimizer state beside adapters of a known size, by the ratio of the bytes of the two.
    {"optimizer-for-adapters",
     [](auto& q) {
       return q.number("adapters_gb", kNotNegative) * q.constant("optimizer") /
              q.constant("weights");
     }},
    {"parameters", [](auto& q) { return part_bn(q); }},
    {"active-parameters", [](auto& q) { return hybrid_active_bn(q.hybrid()); }},
    {"parameter-percent",
     [](auto& q) { return kPercent * part_bn(q) / hybrid_parameters_bn(q.hybrid(), "total"); }},
    // 16-bit bytes of one part of the model, whole or split over "ep".
    {"part-memory", [](auto& q) { return q.constant("weights") * part_bn(q) / q.degree("ep"); }},
    // What the layers of one kind keep of a sequence, GB.
    {"layer-memory",
     [](auto& q) {
       const std::string kind = q.inputs.text("layers_of");
       const auto found = q.rules.layer_activations.find(kind);
       if (found == q.rules.layer_activations.end()) {
         throw InputError("the convention has no activations for layers of " + in_quotes(kind));
       }
       const LayerActivation& layer = found->second;
       const double bytes = layer.hidden_multiples * q.hybrid().hidden + layer.extra_bytes;
       return q.number("seq_len", kAtLeastOne) * layer.layers * bytes / kGigabyte;
     }},
    // Percent that checkpointing takes off the activations.
    {"checkpoint-saving", [](auto& q) { return kPercent * (1 - q.constant("checkpoint_keep")); }},
};

// ---- How many GPUs, what fits, how long a sequence: each guide's own rounding and headroom.

double up_to_multiple(double value, double step) { return std::ceil(value / step) * step; }

double power_of_two_below(double value) {
  return value < 1 ? 0 : std::exp2(std::floor(std::log2(value)));
}

/// `quotient` is need / card, not rounded.
double rounded_count(const ConventionRules& rules, const std::string& purpose, double quotient) {
  const GuideRule& rule = entry_of(rules.rounding, purpose, "the convention has no rounding for");
  const double grown = std::floor((1 + rule.share) * quotient);
  if (rule.rule == "ceil") return std::ceil(quotient);
  if (rule.rule == "even") return up_to_multiple(quotient, 2);
  if (rule.rule == "grown-floor") return grown;
  const double node = constant_of(rules, "gpus_per_node").low;
  return up_to_multiple(rule.rule == "nodes" ? quotient : grown, node);
}

/// Need in GB: given, or by the convention for a job and its terms.
double need_of(const GuideInputs& q) {
  return q.inputs.has("need_gb") ? q.sum("need_gb") : asked_memory(job_of(q)).high;
}

std::vector<double> needs_of(const GuideInputs& q) {
  if (q.inputs.has("needs_gb")) return q.numbers("needs_gb");
  if (!q.inputs.has("methods")) return {need_of(q)};
  std::vector<double> needs;
  GuideJob job = job_of(q);
  for (const std::string& method : q.inputs.texts("methods")) {
    job.method = method;
    needs.push_back(asked_memory(job).high);
  }
  return needs;
}

/// One number for each purpose, which a single one is for all of them.
std::vector<double> stretched(const GuideInputs& q, const std::string& key,
                              std::vector<double> numbers, std::size_t purposes) {
  if (numbers.size() == 1) numbers.resize(purposes, numbers.front());
  if (numbers.size() >= purposes) return numbers;
  q.inputs.mismatch(key, "1 or " + std::to_string(purposes) + " numbers", numbers.size());
  numbers.resize(purposes, 1);
  return numbers;
}

const GuideRule& headroom_of(const GuideInputs& q, const std::string& place) {
  return entry_of(q.rules.headroom, place, "the convention has no headroom for");
}

double with_uplift(const GuideRule& rule, double need) {
  return rule.rule == "uplift" ? need * (1 + rule.share) : need;
}

double usable(const GuideRule& rule, double card) {
  return rule.rule == "reserve" ? card * (1 - rule.share) : card;
}

/// Of one card, or of so many.
double cards_gb(const GuideInputs& q) {
  return q.degree("cards") * q.number("card_gb", kNotNegative);
}

double static_gb(const GuideJob& job) {
  if (job.inputs.has("static_gb")) return job.sum("static_gb");
  return guide_memory_gb(job, job.inputs.texts("static_terms")).high;
}

/// What a card has left beside what does not grow with the sequences.
double left_gb(const GuideJob& job) { return job.number("card_gb", kNotNegative) - static_gb(job); }

constexpr Quantity kOfCounts[] = {
    // One count for each purpose.
    {"gpus",
     [](auto& q) {
       const std::vector<std::string> purposes = q.inputs.texts("rounded_for");
       const auto needs = stretched(q, "needs_gb", needs_of(q), purposes.size());
       const auto cards = stretched(q, "card_gb", q.numbers("card_gb"), purposes.size());
       const double taken = q.inputs.has("taken_gb") ? q.sum("taken_gb") : 0;
       std::vector<double> counts;
       for (std::size_t i = 0; i < purposes.size(); ++i) {
         counts.push_back(rounded_count(q.rules, purposes[i], needs[i] / (cards[i] - taken)));
       }
       return counts;
     }},
    // How many cards the need fills, not rounded.
    {"cards-filled", [](auto& q) { return need_of(q) / q.number("card_gb", kNotNegative); }},
    {"nodes",
     [](auto& q) {
       std::vector<double> counts = q.numbers("gpus");
       for (double& count : counts) count = std::ceil(count / q.constant("gpus_per_node"));
       return counts;
     }},
    // EP ranks are the least, as long as DP x CP is a multiple of them.
    {"expert-parallel-gpus",
     [](auto& q) {
       const double ep = q.number("ep", kAtLeastOne);
       const double ranks = q.number("dp", kAtLeastOne) * q.number("cp", kAtLeastOne);
       if (std::fmod(ranks, ep) != 0) {
         q.inputs.fault("dp", "expected dp x cp to be a multiple of ep");
       }
       return ep;
     }},
    // True when every need fits into the cards under the headroom of the named place.
    {"fits",
     [](auto& q) {
       const GuideRule& rule = headroom_of(q, q.inputs.text_or("headroom", "table"));
       const double cards = cards_gb(q);
       bool all = true;
       for (const double need : needs_of(q)) {
         all = all && with_uplift(rule, need) <= usable(rule, cards);
       }
       return all;
     }},
    {"exceeds", [](auto& q) { return cards_gb(q) < need_of(q); }},
    // State is shared out, activations are every GPU's own.
    {"fits-per-gpu",
     [](auto& q) {
       const double shared = q.number("shared_gb", kNotNegative) / q.number("cards", kAtLeastOne);
       const double own = q.number("own_gb", kNotNegative) * q.number("micro_batch", kAtLeastOne);
       return shared + own <= q.number("card_gb", kNotNegative);
     }},
    {"usable-gb",
     [](auto& q) {
       std::vector<double> all;
       for (const std::string& place : q.inputs.texts("headroom")) {
         all.push_back(usable(headroom_of(q, place), q.number("card_gb")));
       }
       return all;
     }},
    // Memory of so many cards, and what the need exceeds it by.
    {"shortfall",
     [](auto& q) {
       const double cards = q.number("cards", kAtLeastOne) * q.number("card_gb", kNotNegative);
       return std::vector{cards, need_of(q) - cards};
     }},
    // A tier of memory, (above_gb, up_to_gb]: what it holds, what exceeds its floor only with
    // headroom, and what it refuses.
    {"tier",
     [](auto& q) {
       const double above = q.inputs.number_or("above_gb", 0, kNotNegative);
       const double up_to =
           q.inputs.number_or("up_to_gb", std::numeric_limits<double>::max(), kNotNegative);
       const GuideRule& rule = headroom_of(q, "prose");
       bool right = true;
       const auto each = [&](const char* key, auto&& holds) {
         if (!q.inputs.has(key)) return;
         for (const double need : q.numbers(key)) right = right && holds(need);
       };
       each("holds_gb", [&](double need) { return above < need && need <= up_to; });
       each("holds_with_headroom_gb", [&](double need) { return with_uplift(rule, need) > above; });
       each("refuses_gb", [&](double need) { return need > up_to; });
       return right;
     }},
    // The largest power of two of sequences that fits beside what does not grow with them.
    {"largest-micro-batch",
     [](auto& q) {
       const GuideJob job = job_of(q);
       return power_of_two_below(left_gb(job) / guide_activations_gb(job));
     }},
    {"longest-sequence",
     [](auto& q) {
       return power_of_two_below(left_gb(job_of(q)) * kGigabyte / q.constant("token_bytes"));
     }},
    // Tokens at which activations weigh as much as the named terms.
    {"crossover-sequence",
     [](auto& q) { return static_gb(job_of(q)) * kGigabyte / q.constant("token_bytes"); }},
};

// ---- Plain arithmetic between figures of a guide: sums, products, shares, prices times hours.

constexpr Quantity kPlain[] = {
    {"sum", [](auto& q) { return q.sum("parts"); }},
    // The rows a table shows, and the overhead that has no row.
    {"sum-of-rows", [](auto& q) { return q.sum("parts") + q.constant("overhead_gb"); }},
    // The product of the factors, of each end when "range" is given.
    {"product",
     [](auto& q) {
       double all = 1;
       for (const double factor : q.numbers("factors")) all *= factor;
       if (!q.inputs.has("range")) return std::vector{all};
       std::vector<double> ends = q.numbers("range");
       for (double& end : ends) end *= all;
       return ends;
     }},
    {"difference", [](auto& q) { return q.number("of") - q.sum("less"); }},
    {"ratio", [](auto& q) { return q.sum("of") / q.number("to"); }},
    // One share for each number of parts.
    {"divided",
     [](auto& q) {
       std::vector<double> shares = q.numbers("by");
       for (double& share : shares) share = q.number("of") / share;
       return shares;
     }},
    // Growth of something that goes with the square.
    {"squared-ratio",
     [](auto& q) {
       const double once = q.number("of") / q.number("to");
       return once * once;
     }},
    {"percent", [](auto& q) { return kPercent * q.number("of") / q.sum("in"); }},
    {"percent-less", [](auto& q) { return kPercent * (1 - q.number("of") / q.number("than")); }},
    // So many GPUs at the lowest of the prices.
    {"cheapest",
     [](auto& q) {
       const std::vector<double> prices = q.numbers("usd_per_gpu_hour");
       return q.number("gpus") * *std::ranges::min_element(prices);
     }},
    {"below",
     [](auto& q) {
       const std::vector<double> figures = q.numbers("figures");
       return *std::ranges::max_element(figures) < q.number("limit");
     }},
    // Another figure of the same guide, where the guide says a thing twice.
    {"said-elsewhere", [](auto& q) { return q.numbers("figure"); }},
    // What each GPU sends in a ring all-reduce, as a multiple of the message.
    {"ring-volume",
     [](auto& q) {
       const double gpus = q.number("gpus", kAtLeastOne);
       return 2 * (gpus - 1) / gpus;
     }},
    // The largest finite number of a binary format.
    {"largest-number",
     [](auto& q) {
       const double mantissa = q.number("mantissa_bits", kNotNegative);
       return (2 - std::exp2(-mantissa)) * std::exp2(q.number("largest_exponent"));
     }},
};

}  // namespace

GuideValue guide_quantity(const std::string& name, const GuideInputs& inputs) {
  static const std::map<std::string, const Quantity*> known = [] {
    std::map<std::string, const Quantity*> all;
    for (const Quantity& one : kOfMemory) all.emplace(one.name, &one);
    for (const Quantity& one : kOfCounts) all.emplace(one.name, &one);
    for (const Quantity& one : kPlain) all.emplace(one.name, &one);
    return all;
  }();
  return entry_of(known, name, "no quantity")->value(inputs);
}

}  // namespace sizesheet
