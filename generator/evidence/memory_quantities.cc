// SPDX-License-Identifier: Apache-2.0
// Quantities that are bytes.

#include "evidence/guides.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kMillionsPerBn = 1000;

GuideValue range_value(const GuideRange& range) {
  if (range.low == range.high) return guide_value(range.low);
  return guide_value(std::vector<double>{range.low, range.high});
}

GuideRange asked_memory(const GuideQuestion& q, const GuideJob& job) {
  return guide_memory_gb(job, q.inputs.texts("terms"));
}

GuideValue memory(const GuideQuestion& q) {
  return range_value(asked_memory(q, job_of(q.rules, q.inputs)));
}

/// One figure for each group of terms: "28 + 10.5".
GuideValue memory_by_group(const GuideQuestion& q) {
  const GuideJob job = job_of(q.rules, q.inputs);
  std::vector<double> figures;
  for (ObjectReader& group : q.inputs.objects("groups")) {
    figures.push_back(guide_memory_gb(job, group.texts("terms")).low);
    group.done();
  }
  return guide_value(figures);
}

/// The low figures of the same terms under two methods or two stages.
std::vector<double> memory_twice(const GuideQuestion& q) {
  GuideJob job = job_of(q.rules, q.inputs);
  std::vector<double> figures;
  if (q.inputs.has("methods")) {
    for (const std::string& method : q.inputs.texts("methods")) {
      job.method = method;
      figures.push_back(asked_memory(q, job).low);
    }
  } else {
    for (const double stage : numbers_at(q.inputs, "stages")) {
      job.stage = stage;
      figures.push_back(asked_memory(q, job).low);
    }
  }
  if (figures.size() == 2) return figures;
  q.inputs.fault("", "expected two methods or two stages");
  return {1, 1};
}

GuideValue memory_pair(const GuideQuestion& q) { return guide_value(memory_twice(q)); }

GuideValue memory_ratio(const GuideQuestion& q) {
  const std::vector<double> both = memory_twice(q);
  return guide_value(both[0] / both[1]);
}

GuideValue memory_difference(const GuideQuestion& q) {
  const std::vector<double> both = memory_twice(q);
  return guide_value(both[0] - both[1]);
}

GuideValue bytes_per_parameter(const GuideQuestion& q) {
  double sum = 0;
  for (const std::string& name : q.inputs.texts("terms")) sum += constant_of(q.rules, name).low;
  return guide_value(sum);
}

GuideValue trainable_millions(const GuideQuestion& q) {
  return guide_value(kMillionsPerBn * guide_adapters_bn(job_of(q.rules, q.inputs)));
}

GuideValue trainable_percent(const GuideQuestion& q) {
  const GuideJob job = job_of(q.rules, q.inputs);
  return guide_value(kPercent * guide_adapters_bn(job) / guide_parameters_bn(job));
}

/// True when the adapters of every rank are below a share of the model.
GuideValue adapters_below(const GuideQuestion& q) {
  const double limit = q.inputs.number("percent", {0, kPercent}) / kPercent;
  const HybridShape& shape = hybrid_of(q.rules);
  const double total = hybrid_parameters_bn(shape, "total");
  bool below = true;
  for (const double rank : numbers_at(q.inputs, "ranks")) {
    below = below && hybrid_adapters_bn(shape, rank, q.inputs.texts("targets")) < limit * total;
  }
  return guide_value(below);
}

/// Share of the model that adapters of this rank on all seven projections of a dense block are.
GuideValue dense_adapter_percent(const GuideQuestion& q) {
  const double hidden = q.inputs.number("hidden", {1});
  const double key_value = q.inputs.number("key_value_width", {1});
  const double ffn = q.inputs.number("ffn", {1});
  const double attention = 2 * (hidden + hidden) + 2 * (hidden + key_value);
  const double per_layer = attention + 3 * (hidden + ffn);
  const double adapters = q.inputs.number("rank", {1}) * q.inputs.number("layers", {1}) * per_layer;
  return guide_value(kPercent * adapters / (q.inputs.number("params_bn", {0}) * 1e9));
}

GuideValue adapter_file_mb(const GuideQuestion& q) {
  return guide_value(kMillionsPerBn * guide_memory_gb(job_of(q.rules, q.inputs), {"adapters"}).low);
}

/// Optimizer state beside adapters of a known size, by the ratio of the bytes of the two.
GuideValue optimizer_for_adapters(const GuideQuestion& q) {
  return guide_value(q.inputs.number("adapters_gb", {0}) * constant_of(q.rules, "optimizer").low /
                     constant_of(q.rules, "weights").low);
}

GuideValue parameters(const GuideQuestion& q) {
  return guide_value(hybrid_parameters_bn(hybrid_of(q.rules), q.inputs.text("part")));
}

GuideValue active_parameters(const GuideQuestion& q) {
  return guide_value(hybrid_active_bn(hybrid_of(q.rules)));
}

GuideValue parameter_percent(const GuideQuestion& q) {
  const HybridShape& shape = hybrid_of(q.rules);
  return guide_value(kPercent * hybrid_parameters_bn(shape, q.inputs.text("part")) /
                     hybrid_parameters_bn(shape, "total"));
}

/// 16-bit bytes of one part of the model, whole or split over "ep".
GuideValue part_memory(const GuideQuestion& q) {
  return guide_value(constant_of(q.rules, "weights").low *
                     hybrid_parameters_bn(hybrid_of(q.rules), q.inputs.text("part")) /
                     q.inputs.number_or("ep", 1, {1}));
}

/// What the layers of one kind keep of a sequence, GB.
GuideValue layer_memory(const GuideQuestion& q) {
  const std::string kind = q.inputs.text("layers_of");
  const auto found = q.rules.layer_activations.find(kind);
  if (found == q.rules.layer_activations.end()) {
    throw InputError("the convention has no activations for layers of " + in_quotes(kind));
  }
  const LayerActivation& layer = found->second;
  const double bytes = layer.hidden_multiples * hybrid_of(q.rules).hidden + layer.extra_bytes;
  return guide_value(q.inputs.number("seq_len", {1}) * layer.layers * bytes / 1e9);
}

/// Percent that checkpointing takes off the activations.
GuideValue checkpoint_saving(const GuideQuestion& q) {
  return guide_value(kPercent * (1 - constant_of(q.rules, "checkpoint_keep").low));
}

}  // namespace

Quantities memory_quantities() {
  return {
      {"memory", memory},
      {"memory-by-group", memory_by_group},
      {"memory-pair", memory_pair},
      {"memory-ratio", memory_ratio},
      {"memory-difference", memory_difference},
      {"bytes-per-parameter", bytes_per_parameter},
      {"trainable-millions", trainable_millions},
      {"trainable-percent", trainable_percent},
      {"adapters-below", adapters_below},
      {"dense-adapter-percent", dense_adapter_percent},
      {"adapter-file-mb", adapter_file_mb},
      {"optimizer-for-adapters", optimizer_for_adapters},
      {"parameters", parameters},
      {"active-parameters", active_parameters},
      {"parameter-percent", parameter_percent},
      {"part-memory", part_memory},
      {"layer-memory", layer_memory},
      {"checkpoint-saving", checkpoint_saving},
  };
}

}  // namespace sizesheet
