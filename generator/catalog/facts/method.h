// SPDX-License-Identifier: Apache-2.0
// A fine-tuning method and a stack's defaults, as the request keys they set.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "support/named.h"

namespace sizesheet {

/// What trains: every weight, adapters, or adapters beside an NF4 base.
enum class MethodKind { kFull, kLora, kDora, kQlora };

struct MethodFacts {
  MethodKind value;
  std::string_view id;
  MethodKind extends;       ///< itself, or the kind whose defaults, guides and speeds it takes
  MethodKind plain;         ///< its counterpart on a base of 16 bits
  MethodKind quantised;     ///< and on one of 4
  bool magnitudes = false;  ///< one for every output of an adapted matrix

  bool needs_nf4() const { return plain != value; }
  bool takes_nf4() const { return quantised == value; }
};

/// Of every kind, in the order of MethodKind.
inline constexpr auto kMethodKinds = [] {
  using enum MethodKind;
  return std::array<MethodFacts, 4>{{{kFull, "full", kFull, kFull, kFull},
                                     {kLora, "lora", kLora, kLora, kQlora},
                                     {kDora, "dora", kLora, kDora, kDora, true},
                                     {kQlora, "qlora", kQlora, kLora, kQlora}}};
}();

constexpr const auto& table_of(MethodKind /*of*/) { return kMethodKinds; }

/// The kind that stacks and speeds know it as, on a base that is quantised or is not.
constexpr MethodKind settings_kind(MethodKind kind, bool quantised) {
  const MethodFacts& known = facts_of(facts_of(kind).extends);
  return quantised ? known.quantised : known.plain;
}

/// Those that stacks and guides describe.
inline std::vector<std::string> described_kinds() {
  std::vector<std::string> kinds;
  for (const MethodFacts& one : kMethodKinds) {
    if (one.extends == one.value) kinds.emplace_back(one.id);
  }
  return kinds;
}

struct Method {
  std::string id;           ///< "lora-r16"
  std::string title;        ///< "LoRA r16"
  std::string short_title;  ///< "LoRA"
  std::string description;
  std::string source;
  std::string date;
  Json request;                  ///< value of the request's `method`, e.g.
                                 ///< {"kind":"lora","rank":16,"targets":"all-linear"}
  Json objective;                ///< value of the request's `objective`, null where it has none
  Json grpo;                     ///< and of its `grpo`
  std::vector<std::string> was;  ///< ids that it had before
  Json raw;

  /// Trained to say what its samples say.
  bool fine_tunes() const { return objective.is_null() && grpo.is_null(); }
};
BOOST_DESCRIBE_STRUCT(Method, (), (id, title, short_title, description, was, source, date))

/// All kinds but full fine-tuning train adapters.
inline bool trains_adapters(const Method& method) { return method.request.at("kind") != "full"; }

/// One setting of a stack: a request key, its value, and when another value holds.
struct StackSetting {
  std::string key;  ///< "state", "kernels.loss", "layout.shard" …
  Json value;
  std::string source;
  std::string note;
  bool exact = true;  ///< false: the nearest contract value
  std::string trap;   ///< what the bare default would do, "" if nothing
  Json trap_value;    ///< the bare default's value, null if no trap
  /// Another value for some runs. Of `when`, `vendor` and `compute_capability` one is given.
  struct Variant {
    /// "sharded" (zero1-3), "ddp" (several GPUs, unsharded), "single" (one GPU); "routed": the
    /// model is a mixture of experts
    std::string when;
    std::string vendor;                                ///< of the GPU
    std::optional<Bounds<double>> compute_capability;  ///< of the GPU, both ends included
    Json value;
    std::string source;

    /// It depends on the question alone, not on how a layout spreads it.
    bool of_question() const { return when.empty() || when == "routed"; }
  };
  std::vector<Variant> variants;
  /// Other values that the stack's own recipes use, for kernels.recompute and kernels.loss: the
  /// search tries them in this order where `value` does not fit.
  struct Alternative {
    Json value;
    std::string source;
  };
  std::vector<Alternative> alternatives;
};

/// What the framework has a trainer for: ids of objectives (`sft`, `dpo` …) and of policy
/// gradients (`grpo`, `ppo` …), by the kind of method.
struct StackTraining {
  std::map<std::string, std::vector<std::string>> objectives;  ///< empty: not known
  std::string note;                                            ///< about what is left out, or ""
  std::string source;
};

/// A warning about some runs of a stack.
struct StackWarning {
  std::vector<std::string> runs;  ///< words of kWarnedRuns that all apply to the run
  std::string text;
};
/// A kind of method, an objective, `rl` for policy gradients, `routed` for mixtures of experts.
inline const std::vector<std::string> kWarnedRuns = {
    "full", "lora",  "qlora", "dora",   "sft",          "dpo", "ipo",   "kto",
    "orpo", "simpo", "cpo",   "reward", "distillation", "rl",  "routed"};

struct Stack {
  std::string id;
  std::string title;
  std::string version;
  std::string source;
  std::string date;
  /// method kind (full, lora, qlora) -> settings in file order. A kind that is absent is refused.
  std::map<std::string, std::vector<StackSetting>> kinds;
  /// refused[what] = reason; what is a kind ("qlora"), a dimension ("tp"), one for some runs
  /// ("qlora+tp", "routed+tp": see kRunsRefused) or "sharding".
  std::map<std::string, std::string> refused;
  StackTraining trains;
  std::vector<std::string> warnings;       ///< printed with every answer of this stack
  std::vector<StackWarning> warnings_for;  ///< printed with answers for some runs
  std::vector<std::string> vendors;        ///< of the GPUs that its documents name; empty: any
  std::string needs;                       ///< what they ask for besides, in words
  std::string writer;                      ///< id of what writes its configs, or ""
  Json raw;
};
BOOST_DESCRIBE_STRUCT(Stack, (), (id, title, version, source, date, warnings))

/// Runs for which a stack may refuse a dimension, beside kinds of methods: mixtures of experts,
/// models with layers other than attention that read the whole sequence, generated completions.
inline constexpr std::array<std::string_view, 3> kRunsRefused{"routed", "hybrid", "grpo"};

Method read_method(ObjectReader reader);
Stack read_stack(ObjectReader reader);

}  // namespace sizesheet
