// SPDX-License-Identifier: Apache-2.0
// Memory as a published guide counts it.

#include <functional>
#include <map>

#include "catalog/method.h"
#include "evidence/guides.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

GuideRange times(double factor, const GuideConstant& constant) {
  return {factor * constant.low, factor * constant.high};
}

GuideRange times(double factor, const GuideJob& job, const std::string& constant) {
  return times(factor, constant_of(job.rules, constant));
}

double degree(const GuideJob& job, const std::string& key) {
  return job.inputs.number_or(key, 1, kAtLeastOne);
}

/// What a part that ZeRO splits from `stage` on is divided by.
double zero_division(const GuideJob& job, double stage) {
  if (rule_of(job.rules, "shard").rule != "zero-stages") return 1;
  const double gpus = job.stage > 0 ? job.inputs.number("gpus", kAtLeastOne) : degree(job, "gpus");
  return job.stage < stage ? 1 : gpus;
}

/// Weights of a mixture of experts on one GPU: experts over EP, the rest over TP or DP.
double expert_parallel_bn(const GuideJob& job, const std::string& rest_over) {
  const HybridShape& shape = hybrid_of(job.rules);
  return hybrid_parameters_bn(shape, "nonexpert") / degree(job, rest_over) +
         hybrid_parameters_bn(shape, "routed") / degree(job, "ep");
}

double resident_bn(const GuideJob& job) {
  const std::string& shard = rule_of(job.rules, "shard").rule;
  if (shard == "megatron") return expert_parallel_bn(job, "tp");
  if (shard == "fsdp2") return expert_parallel_bn(job, "dp");
  return guide_parameters_bn(job);
}

bool trains_adapters(const GuideJob& job) { return job.method != "full"; }

std::vector<std::string> targets_of(const GuideJob& job) {
  if (!job.inputs.has("targets")) return {"experts", "attention", "shared", "in_proj", "out_proj"};
  return job.inputs.texts("targets");
}

/// Adapters on one GPU where the experts may be split.
double placed_adapters_bn(const GuideJob& job) {
  const auto placement = job.rules.rules.find("placement");
  if (placement == job.rules.rules.end() || placement->second.rule == "replicated") {
    return guide_adapters_bn(job);
  }
  const double ep = degree(job, "ep");
  if (placement->second.rule == "all-over-ep") return guide_adapters_bn(job) / ep;
  const double rank = job.inputs.number("rank", kAtLeastOne);
  const double experts = hybrid_adapters_bn(hybrid_of(job.rules), rank, {"experts"});
  const double split = experts / ep + guide_adapters_bn(job) - experts;
  return placement->second.rule == "experts-split" ? split : split / degree(job, "tp");
}

/// What gradients and optimizer state are counted on, thousand millions on one GPU, before ZeRO.
double trained_bn(const GuideJob& job) {
  if (trains_adapters(job)) return placed_adapters_bn(job);
  if (rule_of(job.rules, "trainable").rule == "active" && job.inputs.has("active_bn")) {
    return job.inputs.number("active_bn", kNotNegative);
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
      return {cell.gb, cell.gb};
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
  const double divided = zero_division(job, 1) * degree(job, "replicas");
  return times(trained_bn(job) / divided, job, own ? "optimizer_4bit" : "optimizer");
}

double tokens_of(const GuideJob& job) {
  return job.inputs.number("seq_len", kAtLeastOne) * degree(job, "micro_batch");
}

/// What one layer keeps, summed: hidden values of every token in every layer.
double layer_values(const GuideJob& job) {
  return tokens_of(job) * job.inputs.number("layers", kAtLeastOne) *
         job.inputs.number("hidden", kAtLeastOne);
}

double shape_factor_gb(const GuideJob& job) {
  return layer_values(job) * constant_of(job.rules, "activation_bytes").low *
         constant_of(job.rules, "checkpoint_keep").low / kGigabyte;
}

GuideRange activations(const GuideJob& job) {
  const std::string& rule = rule_of(job.rules, "activations").rule;
  if (rule == "none") return {};
  if (rule == "per-parameter") {
    return times(guide_parameters_bn(job), job,
                 trains_adapters(job) ? "activations_peft" : "activations_full");
  }
  if (rule == "table") return table_cell(job, "activations");
  const double gb = rule == "per-token" ? guide_activations_gb(job) : shape_factor_gb(job);
  return {gb, gb};
}

/// 34 bytes a hidden value and the attention scores: no recomputation, no flash attention.
GuideRange activations_by_shape(const GuideJob& job) {
  if (rule_of(job.rules, "shape_activations").rule == "block-inputs") {
    return times(layer_values(job) / kGigabyte, job, "activation_bytes");
  }
  const double scores = 5 * job.inputs.number("heads", kAtLeastOne) *
                        job.inputs.number("seq_len", kAtLeastOne) /
                        job.inputs.number("hidden", kAtLeastOne);
  const double gb = layer_values(job) * (34 + scores) / kGigabyte;
  return {gb, gb};
}

GuideRange activations_given(const GuideJob& job) {
  const Json& given = job.inputs.raw("activations_gb");
  if (!given.is_array()) {
    const double gb = job.inputs.number("activations_gb", kNotNegative);
    return {gb, gb};
  }
  if (given.size() != 2 || !given[0].is_number() || !given[1].is_number()) {
    job.inputs.fault("activations_gb", "expected a low and a high number, got " + shown(given));
    return {};
  }
  return {given[0].get<double>(), given[1].get<double>()};
}

using Term = GuideRange (*)(const GuideJob&);

const std::map<std::string, Term>& known_terms() {
  static const std::map<std::string, Term> known = {
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
  return known;
}

}  // namespace

const GuideConstant& constant_of(const ConventionRules& rules, const std::string& name) {
  const auto found = rules.constants.find(name);
  if (found != rules.constants.end()) return found->second;
  throw InputError("the convention has no constant " + in_quotes(name));
}

const GuideRule& rule_of(const ConventionRules& rules, const std::string& name) {
  const auto found = rules.rules.find(name);
  if (found != rules.rules.end()) return found->second;
  throw InputError("the convention has no rule " + in_quotes(name));
}

const HybridShape& hybrid_of(const ConventionRules& rules) {
  if (rules.hybrid) return *rules.hybrid;
  throw InputError("the convention has no hybrid model");
}

GuideJob job_of(const ConventionRules& rules, ObjectReader& inputs) {
  return {rules, inputs, inputs.one_of_or("method", kDescribedKinds, "full"),
          inputs.number_or("stage", 0, {0, 3})};
}

double guide_parameters_bn(const GuideJob& job) {
  if (job.rules.hybrid && !job.inputs.has("params_bn")) {
    return hybrid_parameters_bn(*job.rules.hybrid, "total");
  }
  return job.inputs.number("params_bn", kNotNegative);
}

double guide_adapters_bn(const GuideJob& job) {
  if (rule_of(job.rules, "adapter").rule == "rank") {
    return hybrid_adapters_bn(hybrid_of(job.rules), job.inputs.number("rank", kAtLeastOne),
                              targets_of(job));
  }
  const double percent = job.inputs.has("trainable_percent")
                             ? job.inputs.number("trainable_percent", {0, kPercent})
                             : constant_of(job.rules, "adapter_percent").low;
  const bool active =
      rule_of(job.rules, "trainable").rule == "active" && job.inputs.has("active_bn");
  const double counted =
      active ? job.inputs.number("active_bn", kNotNegative) : guide_parameters_bn(job);
  return counted * percent / kPercent;
}

double guide_activations_gb(const GuideJob& job) {
  const double all = constant_of(job.rules, "token_bytes").low;
  const double whole = constant_of(job.rules, "token_bytes_not_split").low;
  const double tokens = tokens_of(job) / degree(job, "cp");
  return ((all - whole) * tokens / degree(job, "tp") + whole * tokens) / kGigabyte;
}

GuideRange guide_memory_gb(const GuideJob& job, const std::vector<std::string>& terms) {
  GuideRange sum;
  for (const std::string& name : terms) {
    const auto term = known_terms().find(name);
    if (term == known_terms().end()) {
      std::vector<std::string> known;
      for (const auto& [key, unused] : known_terms()) known.push_back(key);
      throw InputError("no term " + in_quotes(name) + did_you_mean(name, known));
    }
    const GuideRange part = term->second(job);
    sum.low += part.low;
    sum.high += part.high;
  }
  return sum;
}

}  // namespace sizesheet
