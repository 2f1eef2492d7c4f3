// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/layout_rules.h"

#include <algorithm>
#include <initializer_list>

#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "sizing/job/degrees.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/model/parameters.h"
#include "sizing/model/projections.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr const char* kKeyHeads = "key heads of linear attention";

/// "" when `ranks` divides `count`, else the sentence that says so.
std::string indivisible(std::int64_t count, const char* what, std::int64_t ranks) {
  if (count % ranks == 0) return "";
  return std::to_string(count) + " " + what + " are not divisible by " + std::to_string(ranks) +
         " " + nearest_divisors(count, ranks);
}

constexpr const char* kWholeConvolutions =
    "no documented trainer divides the model's short convolutions over ranks";

std::string block_fault(const Block& block, std::int64_t tp) {
  boost::container::static_vector<std::pair<std::int64_t, const char*>, 8> divided;
  if (block.attention) {
    divided.emplace_back(block.attention->heads, "attention heads");
    // Fewer key-value heads than ranks are repeated, one a rank; more must divide.
    const std::int64_t heads = block.attention->kv_heads;
    const bool repeated = block.attention->latent || (heads < tp && tp % heads == 0);
    if (!repeated) divided.emplace_back(heads, "key-value heads");
  }
  if (block.mlp) divided.emplace_back(block.mlp->width, "MLP columns");
  if (block.moe) divided.emplace_back(block.moe->shared_width, "shared-expert columns");
  if (block.mamba) {
    divided.emplace_back(block.mamba->heads, "Mamba heads");
    divided.emplace_back(block.mamba->groups, "Mamba groups");
  }
  if (block.linear) {
    divided.emplace_back(block.linear->key_heads, kKeyHeads);
    divided.emplace_back(block.linear->value_heads, "value heads of linear attention");
  }
  for (const auto& [count, what] : divided) {
    if (count % tp != 0) return indivisible(count, what, tp);
  }
  return block.convolution && tp > 1 ? kWholeConvolutions : "";
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
  const bool shares = any_block(*question.model, [](const Block& block) {
    return block.attention && block.attention->shares_kv;
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
    if (run.block.convolution) return kWholeConvolutions;
    if (!run.block.linear) continue;
    const std::int64_t heads = run.block.linear->key_heads;
    if (heads % cp != 0) return indivisible(heads, kKeyHeads, cp);
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
    const Moe& moe = *run.block.moe;
    const std::int64_t etp = job.layout.etp;
    if (moe.experts % ep != 0) return indivisible(moe.experts, "experts", ep);
    if (moe.expert_width % etp != 0) return indivisible(moe.expert_width, "expert columns", etp);
  }
  return experts ? "" : "needs routed experts; the model has none";
}

/// Some layers read the whole sequence otherwise than by attention.
bool is_hybrid(const Architecture& model) {
  return any_block(model, [](const Block& block) {
    return block.mamba.has_value() || block.linear.has_value() || block.convolution;
  });
}

std::string stack_fault(const Question& question, const std::string& key) {
  if (question.stack == nullptr) return "";
  const Job& job = question.single();
  std::vector<std::string> refusable{key, question.kind + "+" + key};
  if (has_experts(*question.model)) refusable.push_back("routed+" + key);
  if (is_hybrid(*question.model)) refusable.push_back("hybrid+" + key);
  if (job.grpo) refusable.push_back("grpo+" + key);
  for (const std::string& what : refusable) {
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

/// Rules that one dimension breaks whatever the others are; "" if none.
std::string dimension_fault(const Question& question, const std::string& key, std::int64_t ranks) {
  if (ranks == 1) return "";
  const std::string fault = split_fault(question, key, ranks);
  return fault.empty() ? stack_fault(question, key) : fault;
}

/// A ring is hidden behind attention only over long slices, so short sequences are not cut.
bool hides_ring(const Job& job, std::int64_t cp) {
  const double least = job.constants->value("search.context_parallel_tokens");
  return as_double(job.seq_len) >= least * as_double(cp);
}

/// What no layout goes beyond: a node, the layers, an expert each.
std::int64_t most_ranks(const Question& question, const std::string& key) {
  if (key == "tp") return question.gpus_per_node();
  if (key == "pp") return question.model->layers();
  if (key == "cp") return question.single().seq_len;
  std::int64_t experts = 1;
  for (const BlockRun& run : question.model->runs) {
    if (run.block.moe) experts = std::max(experts, run.block.moe->experts);
  }
  return experts;
}

constexpr const char* kNoStages = "interleaving needs pipeline stages, and layout.pp is 1";

/// GPUs that a colocated generation engine takes; 1 without one.
std::int64_t engine_gpus(const Question& question) {
  const std::optional<GrpoSpec>& grpo = question.single().grpo;
  return grpo && grpo->colocated() ? grpo->generation_tp : 1;
}

/// Why colocated generation engines cannot stand on `gpus` GPUs; "" where they can, or are none.
std::string engines_fault(const Question& question, std::int64_t gpus) {
  const std::int64_t each = engine_gpus(question);
  if (gpus % each == 0) return "";
  return "colocated engines take grpo.generation_tp = " + std::to_string(each) +
         " GPUs each, and " + std::to_string(gpus) + " is not a multiple of that";
}

/// Whether the layout keeps the rules on what the dimensions are to one another. The first that it
/// breaks is told by its key and a function that makes its words, which a search never asks for.
template <typename Tell>
bool keeps_mesh_rules(const Question& question, const Layout& layout, const Tell& tell) {
  const auto keeps = [&](bool fine, const char* key, const auto& words) {
    if (!fine) tell(key, words);
    return fine;
  };
  const std::int64_t ranks = layout.replicas() * layout.tp;
  return keeps(
             layout.pp > 1 || layout.first_layers + layout.last_layers == 0, "first_layers",
             [] { return "first_layers and last_layers are of a pipeline, and layout.pp is 1"; }) &&
         keeps(layout.pp > 1 || layout.vpp == 1, "vpp", [] { return kNoStages; }) &&
         keeps(layout.etp == 1 || expert_fault(question, 1).empty(), "etp",
               [&] { return expert_fault(question, 1); }) &&
         keeps(layout.shard_group == 0 || layout.replicas() % layout.shard_group == 0,
               "shard_group",
               [&] {
                 return indivisible(layout.replicas(), "data-parallel ranks", layout.shard_group);
               }) &&
         keeps(layout.gpus() % engine_gpus(question) == 0, "gpus",
               [&] { return engines_fault(question, layout.gpus()); }) &&
         keeps(ranks % layout.expert_split() == 0, "ep",
               [&] {
                 return "ep * etp = " + std::to_string(layout.expert_split()) +
                        " does not divide dp * cp * tp = " + std::to_string(ranks) + " " +
                        nearest_divisors(ranks, layout.expert_split());
               }) &&
         keeps(layout.ep == 1 || layout.tp == 1 || layout.sequence_parallel, "sequence_parallel",
               [&] {
                 return "tensor and expert parallelism together need it: layout.tp is " +
                        std::to_string(layout.tp) + ", layout.ep " + std::to_string(layout.ep);
               });
}

/// Records what is wrong with a key of the layout, if it is.
void add_fault(Faults& faults, const std::string& key, const std::string& words) {
  if (!words.empty()) faults.add("", "/layout/" + key, words);
}

/// Faults that need every dimension: the product, and the rules between dimensions.
void check_given_layout(Faults& faults, const Question& question) {
  const Layout layout = question.given_layout();
  const LayoutPins& pins = question.pins();
  if (pins.gpus && *pins.gpus != layout.gpus()) {
    add_fault(faults, "gpus",
              std::to_string(*pins.gpus) + " is not dp * tp * pp * cp = " +
                  std::to_string(layout.dp) + " * " + std::to_string(layout.tp) + " * " +
                  std::to_string(layout.pp) + " * " + std::to_string(layout.cp));
    return;
  }
  if (const auto broken = layout_fault(question, layout)) {
    faults.add(broken->file, broken->pointer, broken->message);
  }
}

/// Faults of the dimensions a request fixes while it leaves others to the search.
void check_pinned_dimensions(Faults& faults, const Question& question) {
  const LayoutPins& pins = question.pins();
  for (const Dimension& one : kSplits) {
    add_fault(faults, one.key, dimension_fault(question, one.key, (pins.*one.pin).value_or(1)));
  }
  if (question.single().layout.vpp > 1 && pins.pp == 1) add_fault(faults, "vpp", kNoStages);
  if (question.single().layout.etp > 1) add_fault(faults, "etp", expert_fault(question, 1));
  if (!pins.gpus) return;
  const std::int64_t known =
      pins.dp.value_or(1) * pins.tp.value_or(1) * pins.pp.value_or(1) * pins.cp.value_or(1);
  if (*pins.gpus % known != 0) {
    add_fault(faults, "gpus",
              std::to_string(*pins.gpus) +
                  " is not divisible by dp * tp * pp * cp = " + std::to_string(known));
  }
  add_fault(faults, "gpus", engines_fault(question, *pins.gpus));
}

void check_offload(const Question& question, Faults& faults) {
  const LayoutPins& pins = question.pins();
  const Job& job = question.single();
  const bool shard_known = pins.shard || question.layout_given();
  const Shard shard = pins.shard.value_or(Shard::kNone);
  if (job.layout.offload_params && shard_known && shard != Shard::kZero3) {
    add_fault(
        faults, "offload",
        "offloading parameters needs layout.shard \"zero3\", got " + in_quotes(name_of(shard)));
  }
  if (job.state.pipeline_zero1 && pins.pp.value_or(1) > 1 && shard >= Shard::kZero2) {
    add_fault(faults, "shard",
              "a pipeline (layout.pp) of state " + in_quotes(job.state.id) +
                  " works with zero1 at most, got " + in_quotes(name_of(shard)));
  }
}

/// What describes sharding is ignored without it, so the user who writes both is told. A stack may
/// leave such keys in its defaults.
void check_idle_keys(const Json& request, const Question& question, Faults& faults) {
  const Json& written = at_dotted(request, "layout");
  const std::optional<Shard>& shard = question.pins().shard;
  if (!written.is_object() || !shard || *shard == Shard::kZero3) return;
  const auto idle = [&](const char* key, std::initializer_list<Json> neutral) {
    if (!written.contains(key) || written.at(key).is_null()) return;
    if (std::find(neutral.begin(), neutral.end(), written.at(key)) != neutral.end()) return;
    add_fault(
        faults, key,
        "describes what layout.shard \"zero3\" gathers; shard is " + in_quotes(name_of(*shard)));
  };
  idle("root_unsharded", {true, false, 0});  // nothing is gathered
  idle("gather_units", {2});
  if (*shard == Shard::kNone && written.contains("shard_group") && written.at("shard_group") != 0) {
    add_fault(faults, "shard_group", "groups ranks that shard; layout.shard is \"none\"");
  }
}

}  // namespace

std::string tensor_split_fault(const Architecture& model, std::int64_t tp) {
  for (const BlockRun& run : model.runs) {
    if (std::string fault = block_fault(run.block, tp); !fault.empty()) return fault;
  }
  return "";
}

std::optional<Fault> layout_fault(const Question& question, const Layout& layout) {
  for (const Dimension& one : kSplits) {
    std::string words = dimension_fault(question, one.key, layout.*one.ranks);
    if (!words.empty()) return Fault{"", std::string("/layout/") + one.key, std::move(words)};
  }
  std::optional<Fault> broken;
  keeps_mesh_rules(question, layout, [&](const char* key, const auto& words) {
    broken = Fault{"", std::string("/layout/") + key, words()};
  });
  return broken;
}

bool mesh_holds(const Question& question, const Layout& layout) {
  return keeps_mesh_rules(question, layout, [](const char*, const auto&) {});
}

std::vector<std::int64_t> degrees(const Question& question, const Dimension& dimension,
                                  std::int64_t gpus) {
  const std::string key = dimension.key;
  std::vector<std::int64_t> found;
  if (const std::optional<std::int64_t>& pin = question.pins().*dimension.pin) {
    if (dimension_fault(question, key, *pin).empty()) found.push_back(*pin);
    return found;
  }
  if (!stack_fault(question, key).empty()) return {1};
  const std::int64_t most = std::min(gpus, most_ranks(question, key));
  for (std::int64_t ranks = 1; ranks <= most; ranks *= 2) {
    if (key != "ep" && gpus % ranks != 0) continue;
    if (key == "cp" && ranks > 1 && !hides_ring(question.single(), ranks)) continue;
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
