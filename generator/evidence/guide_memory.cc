// SPDX-License-Identifier: Apache-2.0
#include "evidence/guide_memory.h"

#include "catalog/facts/method.h"
#include "catalog/files/loader.h"
#include "catalog/published/convention.h"
#include "evidence/guides.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

GuideRange times(double factor, const GuideJob& job, const std::string& name) {
  const GuideConstant& constant = constant_of(job.rules, name);
  return {factor * constant.low, factor * constant.high};
}

GuideRange exactly(double gb) { return {gb, gb}; }

/// What a part that ZeRO splits from `stage` on is divided by.
double zero_division(const GuideJob& job, double stage) {
  if (job.rule("shard") != "zero-stages") return 1;
  const double gpus = job.stage > 0 ? job.number("gpus", kAtLeastOne) : job.degree("gpus");
  return job.stage < stage ? 1 : gpus;
}

/// Weights of a mixture of experts on one GPU: experts over EP, the rest over TP or DP.
double expert_parallel_bn(const GuideJob& job, const std::string& rest_over) {
  const HybridShape& shape = job.hybrid();
  return hybrid_parameters_bn(shape, "nonexpert") / job.degree(rest_over) +
         hybrid_parameters_bn(shape, "routed") / job.degree("ep");
}

double resident_bn(const GuideJob& job) {
  const std::string& shard = job.rule("shard");
  if (shard == "megatron") return expert_parallel_bn(job, "tp");
  if (shard == "fsdp2") return expert_parallel_bn(job, "dp");
  return guide_parameters_bn(job);
}

bool trains_adapters(const GuideJob& job) { return job.method != "full"; }

/// Adapters on one GPU where the experts may be split.
double placed_adapters_bn(const GuideJob& job) {
  const auto placement = job.rules.rules.find("placement");
  if (placement == job.rules.rules.end() || placement->second.rule == "replicated") {
    return guide_adapters_bn(job);
  }
  const double ep = job.degree("ep");
  if (placement->second.rule == "all-over-ep") return guide_adapters_bn(job) / ep;
  const double rank = job.number("rank", kAtLeastOne);
  const double experts = hybrid_adapters_bn(job.hybrid(), rank, {"experts"});
  const double split = experts / ep + guide_adapters_bn(job) - experts;
  return placement->second.rule == "experts-split" ? split : split / job.degree("tp");
}

/// What gradients and optimizer state are counted on, thousand millions on one GPU, before ZeRO.
double trained_bn(const GuideJob& job) {
  if (trains_adapters(job)) return placed_adapters_bn(job);
  if (job.rule("trainable") == "active" && job.inputs.has("active_bn")) {
    return job.number("active_bn", kNotNegative);
  }
  return resident_bn(job);
}

bool from_table(const GuideJob& job) {
  return job.inputs.one_of_or("accounting", {"stated", "table"}, "stated") == "table";
}

GuideRange table_cell(const GuideJob& job, const std::string& term) {
  const std::string model = job.inputs.text("model");
  for (const GuideCell& cell : job.rules.table) {
    if (cell.model == model && cell.method == job.method && cell.term == term) {
      return exactly(cell.gb);
    }
  }
  throw InputError("the table has no " + term + " of " + model + " " + job.method);
}

GuideRange weights(const GuideJob& job) {
  const char* bytes = job.method == "qlora" ? "weights_4bit" : "weights";
  return times(resident_bn(job) / zero_division(job, 3), job, bytes);
}

GuideRange adapters(const GuideJob& job) {
  if (!trains_adapters(job)) return {};
  if (from_table(job)) return table_cell(job, "adapters");
  return times(placed_adapters_bn(job), job, "weights");
}

GuideRange gradients(const GuideJob& job) {
  if (trains_adapters(job) && from_table(job)) return table_cell(job, "gradients");
  return times(trained_bn(job) / zero_division(job, 2), job, "gradients");
}

GuideRange optimizer(const GuideJob& job) {
  if (trains_adapters(job) && from_table(job)) return table_cell(job, "optimizer");
  const bool own = job.method == "qlora" && job.rules.constants.contains("optimizer_4bit");
  const double divided = zero_division(job, 1) * job.degree("replicas");
  return times(trained_bn(job) / divided, job, own ? "optimizer_4bit" : "optimizer");
}

double tokens_of(const GuideJob& job) {
  return job.number("seq_len", kAtLeastOne) * job.degree("micro_batch");
}

/// What one layer keeps, summed: hidden values of every token in every layer.
double layer_values(const GuideJob& job) {
  return tokens_of(job) * job.number("layers", kAtLeastOne) * job.number("hidden", kAtLeastOne);
}

GuideRange activations(const GuideJob& job) {
  const std::string& rule = job.rule("activations");
  if (rule == "none") return {};
  if (rule == "per-parameter") {
    return times(guide_parameters_bn(job), job,
                 trains_adapters(job) ? "activations_peft" : "activations_full");
  }
  if (rule == "table") return table_cell(job, "activations");
  if (rule == "per-token") return exactly(guide_activations_gb(job));
  return exactly(layer_values(job) * job.constant("activation_bytes") *
                 job.constant("checkpoint_keep") / kGigabyte);
}

/// 34 bytes a hidden value and the attention scores: no recomputation, no flash attention.
GuideRange activations_by_shape(const GuideJob& job) {
  if (job.rule("shape_activations") == "block-inputs") {
    return times(layer_values(job) / kGigabyte, job, "activation_bytes");
  }
  const double scores = 5 * job.number("heads", kAtLeastOne) * job.number("seq_len", kAtLeastOne) /
                        job.number("hidden", kAtLeastOne);
  return exactly(layer_values(job) * (34 + scores) / kGigabyte);
}

GuideRange activations_given(const GuideJob& job) {
  const Json& given = job.inputs.raw("activations_gb");
  if (!given.is_array()) {
    return exactly(job.number("activations_gb", kNotNegative));
  }
  if (given.size() != 2 || !given[0].is_number() || !given[1].is_number()) {
    job.inputs.mismatch("activations_gb", "a low and a high number", given);
    return {};
  }
  return {given[0].get<double>(), given[1].get<double>()};
}

using Parts = std::map<std::string, double>;

/// Width of what a Mamba-2 layer convolves: its input and the two state projections.
double convolved(const HybridShape& s) {
  return s.mamba_inner + 2 * s.mamba_groups * s.mamba_state;
}

/// Outputs of a Mamba-2 in_proj: gate, input, two state projections, one step size a head.
double in_proj_width(const HybridShape& s) { return s.mamba_inner + convolved(s) + s.mamba_heads; }

double mamba_layer(const HybridShape& s) {
  const double convolution = convolved(s) * s.mamba_kernel + convolved(s);
  const double head_vectors = 3 * s.mamba_heads;
  return s.hidden * in_proj_width(s) + s.mamba_inner * s.hidden + convolution + head_vectors +
         s.mamba_inner;
}

Parts parts_of(const HybridShape& s) {
  const double layers = s.mamba_layers + s.moe_layers + s.attention_layers;
  Parts parts;
  parts["routed"] = s.moe_layers * s.experts * 2 * s.hidden * s.expert_ffn;
  parts["shared"] = s.moe_layers * 2 * s.hidden * s.shared_ffn;
  parts["mamba"] = s.mamba_layers * mamba_layer(s);
  parts["attention"] = s.attention_layers * s.hidden * 2 * (s.query_width + s.key_value_width);
  parts["embeddings"] = 2 * s.vocab * s.hidden;
  parts["misc"] = s.moe_layers * s.experts * s.hidden + (layers + 1) * s.hidden;
  double nonexpert = -parts["routed"];
  for (const auto& [name, count] : parts) nonexpert += count;
  parts["nonexpert"] = nonexpert;
  parts["total"] = nonexpert + parts["routed"];
  return parts;
}

/// Inputs + outputs of every adapted matrix: what one rank costs.
Parts adapter_widths(const HybridShape& s) {
  const double qkv = s.hidden + s.query_width + 2 * s.key_value_width;
  const double output = s.query_width + s.hidden;
  return {{"experts", s.moe_layers * s.experts * 2 * (s.hidden + s.expert_ffn)},
          {"attention", s.attention_layers * (qkv + output)},
          {"shared", s.moe_layers * 2 * (s.hidden + s.shared_ffn)},
          {"in_proj", s.mamba_layers * (s.hidden + in_proj_width(s))},
          {"out_proj", s.mamba_layers * (s.mamba_inner + s.hidden)}};
}

}  // namespace

GuideJob job_of(const GuideInputs& inputs) {
  return {inputs, inputs.inputs.one_of_or("method", described_kinds(), "full"),
          inputs.inputs.number_or("stage", 0, {0, 3})};
}

double guide_parameters_bn(const GuideJob& job) {
  if (job.rules.hybrid && !job.inputs.has("params_bn")) {
    return hybrid_parameters_bn(*job.rules.hybrid, "total");
  }
  return job.number("params_bn", kNotNegative);
}

double guide_adapters_bn(const GuideJob& job) {
  if (job.rule("adapter") == "rank") {
    std::vector<std::string> targets{"experts", "attention", "shared", "in_proj", "out_proj"};
    const double rank = job.number("rank", kAtLeastOne);
    if (job.inputs.has("targets")) targets = job.inputs.texts("targets");
    return hybrid_adapters_bn(job.hybrid(), rank, targets);
  }
  const double percent = job.inputs.has("trainable_percent")
                             ? job.number("trainable_percent", {0, kPercent})
                             : job.constant("adapter_percent");
  const bool active = job.rule("trainable") == "active" && job.inputs.has("active_bn");
  const double counted = active ? job.number("active_bn", kNotNegative) : guide_parameters_bn(job);
  return counted * percent / kPercent;
}

double guide_activations_gb(const GuideJob& job) {
  const double all = job.constant("token_bytes");
  const double whole = job.constant("token_bytes_not_split");
  const double tokens = tokens_of(job) / job.degree("cp");
  return ((all - whole) * tokens / job.degree("tp") + whole * tokens) / kGigabyte;
}

GuideRange guide_memory_gb(const GuideJob& job, const std::vector<std::string>& terms) {
  static const std::map<std::string, GuideRange (*)(const GuideJob&)> known = {
      {"weights", weights},
      {"adapters", adapters},
      {"gradients", gradients},
      {"optimizer", optimizer},
      {"activations", activations},
      {"activations-by-shape", activations_by_shape},
      {"activations-given", activations_given},
      {"scratch",
       [](const GuideJob& j) { return times(guide_parameters_bn(j), j, "scratch_4bit"); }},
      {"master", [](const GuideJob& j) { return times(resident_bn(j), j, "master"); }},
      {"optimizer-8bit",
       [](const GuideJob& j) { return times(trained_bn(j), j, "optimizer_8bit"); }},
      {"adapter-state",
       [](const GuideJob& j) { return times(placed_adapters_bn(j), j, "adapter_bytes"); }},
      {"overhead", [](const GuideJob& j) { return times(1, j, "overhead_gb"); }},
  };
  GuideRange sum;
  for (const std::string& name : terms) {
    const GuideRange part = entry_of(known, name, "no term")(job);
    sum.low += part.low;
    sum.high += part.high;
  }
  return sum;
}

double hybrid_parameters_bn(const HybridShape& shape, const std::string& part) {
  return entry_of(parts_of(shape), part, "no part of the model") / kGigabyte;
}

double hybrid_active_bn(const HybridShape& shape) {
  return hybrid_parameters_bn(shape, "nonexpert") +
         hybrid_parameters_bn(shape, "routed") * shape.experts_per_token / shape.experts;
}

double hybrid_adapters_bn(const HybridShape& shape, double rank,
                          const std::vector<std::string>& targets) {
  const Parts widths = adapter_widths(shape);
  double total = 0;
  for (const std::string& target : targets) total += entry_of(widths, target, "no adapter target");
  return rank * total / kGigabyte;
}

}  // namespace sizesheet
