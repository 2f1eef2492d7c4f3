// SPDX-License-Identifier: Apache-2.0
#include "evidence/hybrid_model.h"

#include <map>

#include "support/error.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

constexpr double kThousandMillion = 1e9;

using Parts = std::map<std::string, double>;

double look_up(const Parts& parts, const std::string& name, const std::string& what) {
  const auto found = parts.find(name);
  if (found != parts.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, unused] : parts) known.push_back(key);
  throw InputError("no " + what + " " + in_quotes(name) + did_you_mean(name, known));
}

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

double hybrid_parameters_bn(const HybridShape& shape, const std::string& part) {
  return look_up(parts_of(shape), part, "part of the model") / kThousandMillion;
}

double hybrid_active_bn(const HybridShape& shape) {
  return hybrid_parameters_bn(shape, "nonexpert") +
         hybrid_parameters_bn(shape, "routed") * shape.experts_per_token / shape.experts;
}

double hybrid_adapters_bn(const HybridShape& shape, double rank,
                          const std::vector<std::string>& targets) {
  const Parts widths = adapter_widths(shape);
  double total = 0;
  for (const std::string& target : targets) total += look_up(widths, target, "adapter target");
  return rank * total / kThousandMillion;
}

}  // namespace sizesheet
