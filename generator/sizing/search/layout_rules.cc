// SPDX-License-Identifier: Apache-2.0
// Which layouts are possible, and the faults of a request's own.

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "sizing/search/search.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "" when `ranks` divides `count`, else the sentence that says so.
std::string indivisible(std::int64_t count, const char* what, std::int64_t ranks) {
  if (count % ranks == 0) return "";
  return std::to_string(count) + " " + what + " are not divisible by " + std::to_string(ranks) +
         " " + nearest_divisors(count, ranks);
}

std::string first_of(std::initializer_list<std::string> faults) {
  for (const std::string& fault : faults) {
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string block_fault(const Block& block, std::int64_t tp) {
  std::string fault;
  if (block.attention) {
    fault = indivisible(block.attention->heads, "attention heads", tp);
    // Fewer key-value heads than ranks are repeated, one a rank; more must divide.
    const std::int64_t heads = block.attention->kv_heads;
    const bool repeated = block.attention->latent || (heads < tp && tp % heads == 0);
    if (fault.empty() && !repeated) fault = indivisible(heads, "key-value heads", tp);
  }
  if (fault.empty() && block.mlp) fault = indivisible(block.mlp->width, "MLP columns", tp);
  if (fault.empty() && block.moe && block.moe->shared_width > 0) {
    fault = indivisible(block.moe->shared_width, "shared-expert columns", tp);
  }
  if (fault.empty() && block.mamba) {
    fault = first_of({indivisible(block.mamba->heads, "Mamba heads", tp),
                      indivisible(block.mamba->groups, "Mamba groups", tp)});
  }
  if (fault.empty() && block.linear) {
    fault =
        first_of({indivisible(block.linear->key_heads, "key heads of linear attention", tp),
                  indivisible(block.linear->value_heads, "value heads of linear attention", tp)});
  }
  if (fault.empty() && block.convolution && tp > 1) {
    fault = "no documented trainer divides the model's short convolutions over ranks";
  }
  return fault;
}

std::string tensor_parallel_fault(const Question& question, std::int64_t tp) {
  const std::string fault = tensor_split_fault(*question.model, tp);
  if (!fault.empty()) return fault;
  const Job& job = question.single();
  if (job.layout.sequence_parallel && job.seq_len % tp != 0) {
    return "sequence parallelism splits workload.seq_len, and " + std::to_string(job.seq_len) +
           " is not divisible by " + std::to_string(tp) + " " + nearest_divisors(job.seq_len, tp);
  }
  const std::int64_t node = question.gpu != nullptr ? question.gpu->gpus_per_node : tp;
  if (tp > node) {
    return "tensor parallelism stays inside a node of " + std::to_string(node) + " GPUs, got " +
           std::to_string(tp);
  }
  return "";
}

/// A value model goes through the policy's stages.
std::string value_model_fault(const Job& job, std::int64_t pp) {
  if (!job.grpo || !job.grpo->value_model) return "";
  const std::int64_t layers = job.grpo->value_model->layers();
  if (layers == job.model->layers()) return "";
  if (job.layout.first_layers + job.layout.last_layers > 0) {
    return "layout.first_layers and layout.last_layers are of the policy's " +
           std::to_string(job.model->layers()) + " layers, and grpo.value_model has " +
           std::to_string(layers);
  }
  return indivisible(layers, "layers of grpo.value_model", pp * job.layout.vpp);
}

std::string pipeline_fault(const Question& question, std::int64_t pp) {
  const Job& job = question.single();
  const std::int64_t layers = question.model->layers();
  const std::int64_t vpp = job.layout.vpp;
  if (std::string fault = value_model_fault(job, pp); !fault.empty()) return fault;
  const bool shares = std::ranges::any_of(question.model->runs, [](const BlockRun& run) {
    return run.block.attention && run.block.attention->shares_kv;
  });
  if (shares && pp > 1) {
    return "the model's last layers read the keys and values of earlier ones, which no stage hands "
           "on";
  }
  const std::int64_t given = job.layout.first_layers + job.layout.last_layers;
  if (given > 0) {
    const std::int64_t ends =
        (job.layout.first_layers > 0 ? 1 : 0) + (job.layout.last_layers > 0 ? 1 : 0);
    const std::int64_t others = pp * vpp - ends;
    const std::int64_t left = layers - given;
    if (others >= 0 && left >= others && (others == 0 ? left == 0 : left % others == 0)) return "";
    return "layout.first_layers and layout.last_layers leave " + std::to_string(left) + " of " +
           std::to_string(layers) + " layers for " + std::to_string(others) +
           (others == 1 ? " other chunk" : " other chunks");
  }
  if (layers % pp != 0) return indivisible(layers, "layers", pp);
  if (vpp == 1) return "";
  const std::int64_t own = layers / pp;
  if (own % vpp != 0) {
    return "layout.vpp " + std::to_string(vpp) + " does not divide the " + std::to_string(own) +
           " layers of a stage " + nearest_divisors(own, vpp);
  }
  if (job.grad_accum % pp == 0) return "";
  return "interleaved stages (layout.vpp " + std::to_string(vpp) +
         ") take micro-batches in groups of " + std::to_string(pp) +
         ", and workload.grad_accum is " + std::to_string(job.grad_accum) +
         " (nearest: " + std::to_string((job.grad_accum / pp + 1) * pp) + ")";
}

std::string context_fault(const Question& question, std::int64_t cp) {
  const Job& job = question.single();
  if (job.attention == AttentionKernel::kEager) {
    return "context parallelism needs a flash kernel, and kernels.attention is \"eager\"";
  }
  if (job.vision && cp > 1) {
    return "how trainers divide images over context-parallel ranks is not modelled";
  }
  for (const BlockRun& run : question.model->runs) {
    if (run.block.convolution) {
      return "no documented trainer divides the model's short convolutions over ranks";
    }
    if (!run.block.linear) continue;
    const std::string fault =
        indivisible(run.block.linear->key_heads, "key heads of linear attention", cp);
    if (!fault.empty()) return fault;
  }
  if (job.seq_len % (2 * cp) == 0) return "";
  return "each rank takes two slices of workload.seq_len, and " + std::to_string(job.seq_len) +
         " is not divisible by 2 * " + std::to_string(cp) + " " +
         nearest_divisors(job.seq_len, 2 * cp);
}

std::string expert_fault(const Question& question, std::int64_t ep) {
  const Job& job = question.single();
  bool experts = false;
  for (const BlockRun& run : question.model->runs) {
    if (!run.block.moe) continue;
    experts = true;
    const std::string fault =
        first_of({indivisible(run.block.moe->experts, "experts", ep),
                  indivisible(run.block.moe->expert_width, "expert columns", job.layout.etp)});
    if (!fault.empty()) return fault;
  }
  return experts ? "" : "needs routed experts; the model has none";
}

std::string stack_fault(const Question& question, const std::string& key) {
  if (question.stack == nullptr) return "";
  for (const std::string& what : {key, question.kind + "+" + key}) {
    const auto entry = question.stack->refused.find(what);
    if (entry != question.stack->refused.end()) {
      return question.stack->id + " refuses it: " + entry->second;
    }
  }
  return "";
}

/// Why the model or the workload cannot be divided over so many ranks; "" where they can.
std::string split_fault(const Question& question, const std::string& key, std::int64_t ranks) {
  return key == "tp"   ? tensor_parallel_fault(question, ranks)
         : key == "pp" ? pipeline_fault(question, ranks)
         : key == "cp" ? context_fault(question, ranks)
                       : expert_fault(question, ranks);
}

/// Colocated generation engines take whole groups of GPUs.
bool engines_stand(const Question& question, std::int64_t gpus) {
  const std::optional<GrpoSpec>& grpo = question.single().grpo;
  return !grpo || !grpo->colocated() || gpus % grpo->generation_tp == 0;
}

/// A rule on what the dimensions are to one another. Its words are made where it is broken and
/// somebody asks.
struct MeshRule {
  const char* key;
  bool (*holds)(const Question&, const Layout&);
  std::string (*words)(const Question&, const Layout&);
};

std::int64_t ranks_with_experts(const Layout& layout) { return layout.replicas() * layout.tp; }

/// Why colocated generation engines cannot stand on `gpus` GPUs; "" where they can, or are none.
std::string engines_fault(const Question& question, std::int64_t gpus) {
  if (engines_stand(question, gpus)) return "";
  const std::optional<GrpoSpec>& grpo = question.single().grpo;
  return "colocated engines take grpo.generation_tp = " + std::to_string(grpo->generation_tp) +
         " GPUs each, and " + std::to_string(gpus) + " is not a multiple of that";
}

constexpr MeshRule kMeshRules[] = {
    {"first_layers",
     [](const Question&, const Layout& layout) {
       return layout.pp > 1 || layout.first_layers + layout.last_layers == 0;
     },
     [](const Question&, const Layout&) -> std::string {
       return "first_layers and last_layers are of a pipeline, and layout.pp is 1";
     }},
    {"vpp", [](const Question&, const Layout& layout) { return layout.vpp == 1 || layout.pp > 1; },
     [](const Question&, const Layout&) -> std::string {
       return "interleaving needs pipeline stages, and layout.pp is 1";
     }},
    {"etp",
     [](const Question& question, const Layout& layout) {
       return layout.etp == 1 || expert_fault(question, 1).empty();
     },
     [](const Question& question, const Layout&) { return expert_fault(question, 1); }},
    {"shard_group",
     [](const Question&, const Layout& layout) {
       return layout.shard_group == 0 || layout.replicas() % layout.shard_group == 0;
     },
     [](const Question&, const Layout& layout) {
       return indivisible(layout.replicas(), "data-parallel ranks", layout.shard_group);
     }},
    {"gpus",
     [](const Question& question, const Layout& layout) {
       return engines_stand(question, layout.gpus());
     },
     [](const Question& question, const Layout& layout) {
       return engines_fault(question, layout.gpus());
     }},
    {"ep",
     [](const Question&, const Layout& layout) {
       return ranks_with_experts(layout) % layout.expert_split() == 0;
     },
     [](const Question&, const Layout& layout) {
       const std::int64_t ranks = ranks_with_experts(layout);
       return "ep * etp = " + std::to_string(layout.expert_split()) +
              " does not divide dp * cp * tp = " + std::to_string(ranks) + " " +
              nearest_divisors(ranks, layout.expert_split());
     }},
    {"sequence_parallel",
     [](const Question&, const Layout& layout) {
       return layout.ep == 1 || layout.tp == 1 || layout.sequence_parallel;
     },
     [](const Question&, const Layout& layout) {
       return "tensor and expert parallelism together need it: layout.tp is " +
              std::to_string(layout.tp) + ", layout.ep " + std::to_string(layout.ep);
     }},
};

/// What no layout goes beyond: a node, the layers, an expert each.
std::int64_t most_ranks(const Question& question, const std::string& key) {
  if (key == "tp") return question.gpu != nullptr ? question.gpu->gpus_per_node : 8;
  if (key == "pp") return question.model->layers();
  if (key == "cp") return question.single().seq_len;
  std::int64_t experts = 1;
  for (const BlockRun& run : question.model->runs) {
    if (run.block.moe) experts = std::max(experts, run.block.moe->experts);
  }
  return experts;
}

/// Faults that need every dimension: the product, and the rules between dimensions.
void check_given_layout(Faults& faults, const Question& question) {
  const Layout layout = question.given_layout();
  const auto fault = [&](const std::string& key, const std::string& words) {
    faults.add("", "/layout/" + key, words);
  };
  const LayoutPins& pins = question.pins();
  if (pins.gpus && *pins.gpus != layout.gpus()) {
    fault("gpus", std::to_string(*pins.gpus) + " is not dp * tp * pp * cp = " +
                      std::to_string(layout.dp) + " * " + std::to_string(layout.tp) + " * " +
                      std::to_string(layout.pp) + " * " + std::to_string(layout.cp));
    return;
  }
  if (const auto broken = layout_fault(question, layout)) fault(broken->key, broken->words);
}

/// Faults of the dimensions a request fixes while it leaves others to the search.
void check_pinned_dimensions(Faults& faults, const Question& question) {
  const LayoutPins& pins = question.pins();
  for (const Dimension& one : kSplits) {
    const std::string words = dimension_fault(question, one.key, (pins.*one.pin).value_or(1));
    if (!words.empty()) faults.add("", std::string("/layout/") + one.key, words);
  }
  const Layout& layout = question.single().layout;
  if (layout.vpp > 1 && pins.pp == 1) {
    faults.add("", "/layout/vpp", "interleaving needs pipeline stages, and layout.pp is 1");
  }
  const std::int64_t known =
      pins.dp.value_or(1) * pins.tp.value_or(1) * pins.pp.value_or(1) * pins.cp.value_or(1);
  if (pins.gpus && *pins.gpus % known != 0) {
    faults.add("", "/layout/gpus",
               std::to_string(*pins.gpus) +
                   " is not divisible by dp * tp * pp * cp = " + std::to_string(known));
  }
  const std::string engines = pins.gpus ? engines_fault(question, *pins.gpus) : "";
  if (!engines.empty()) faults.add("", "/layout/gpus", engines);
}

void check_offload(const Question& question, Faults& faults) {
  const LayoutPins& pins = question.pins();
  const Job& job = question.single();
  const bool shard_known = pins.shard || question.layout_given();
  const Shard shard = pins.shard.value_or(Shard::kNone);
  if (job.layout.offload_params && shard_known && shard != Shard::kZero3) {
    faults.add(
        "", "/layout/offload",
        "offloading parameters needs layout.shard \"zero3\", got " + in_quotes(name_of(shard)));
  }
  if (job.state.id == "deepspeed" && pins.pp.value_or(1) > 1 && shard >= Shard::kZero2) {
    faults.add("", "/layout/shard",
               "DeepSpeed's pipeline (layout.pp) works with zero1 at most, got " +
                   in_quotes(name_of(shard)));
  }
}

/// What describes sharding is ignored without it, so the user who writes both is told. A stack may
/// leave such keys in its practice.
void check_idle_keys(const Json& request, const Question& question, Faults& faults) {
  const Json& written = at_dotted(request, "layout");
  const std::optional<Shard>& shard = question.pins().shard;
  if (!written.is_object() || !shard || *shard == Shard::kZero3) return;
  const auto idle = [&](const char* key, std::initializer_list<Json> neutral) {
    if (!written.contains(key) || written.at(key).is_null()) return;
    if (std::find(neutral.begin(), neutral.end(), written.at(key)) != neutral.end()) return;
    faults.add(
        "", std::string("/layout/") + key,
        "describes what layout.shard \"zero3\" gathers; shard is " + in_quotes(name_of(*shard)));
  };
  idle("root_unsharded", {true, false, 0});  // nothing is gathered
  idle("gather_units", {2});
  if (*shard == Shard::kNone && written.contains("shard_group") && written.at("shard_group") != 0) {
    faults.add("", "/layout/shard_group", "groups ranks that shard; layout.shard is \"none\"");
  }
}

}  // namespace

std::string tensor_split_fault(const Architecture& model, std::int64_t tp) {
  for (const BlockRun& run : model.runs) {
    if (std::string fault = block_fault(run.block, tp); !fault.empty()) return fault;
  }
  return "";
}

std::string dimension_fault(const Question& question, const std::string& key, std::int64_t ranks) {
  if (ranks == 1) return "";
  return first_of({split_fault(question, key, ranks), stack_fault(question, key)});
}

std::optional<LayoutFault> layout_fault(const Question& question, const Layout& layout) {
  for (const Dimension& one : kSplits) {
    std::string words = dimension_fault(question, one.key, layout.*one.ranks);
    if (!words.empty()) return LayoutFault{one.key, std::move(words)};
  }
  for (const MeshRule& rule : kMeshRules) {
    if (!rule.holds(question, layout)) return LayoutFault{rule.key, rule.words(question, layout)};
  }
  return std::nullopt;
}

bool mesh_holds(const Question& question, const Layout& layout) {
  return std::all_of(std::begin(kMeshRules), std::end(kMeshRules),
                     [&](const MeshRule& rule) { return rule.holds(question, layout); });
}

std::vector<std::int64_t> degrees(const Question& question, const std::string& key,
                                  std::int64_t gpus) {
  if (!stack_fault(question, key).empty()) return {1};
  const std::int64_t most = std::min(gpus, most_ranks(question, key));
  std::vector<std::int64_t> found;
  for (std::int64_t ranks = 1; ranks <= most; ranks *= 2) {
    if (key != "ep" && gpus % ranks != 0) continue;
    if (ranks == 1 || split_fault(question, key, ranks).empty()) found.push_back(ranks);
  }
  return found;
}

bool refuses_several(const Question& question) {
  return question.stack != nullptr &&
         question.stack->refused.contains(question.kind + "+multi-gpu");
}

void check_layout(const Json& request, const Question& question, Faults& faults) {
  if (question.layout_given()) {
    check_given_layout(faults, question);
  } else {
    check_pinned_dimensions(faults, question);
  }
  if (question.gpu == nullptr && !question.layout_given()) {
    faults.add("", "/layout", "without a gpu the layout must be given (gpus and tp, or dp and tp)");
  }
  check_offload(question, faults);
  check_idle_keys(request, question, faults);
}

}  // namespace sizesheet
