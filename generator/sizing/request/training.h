// SPDX-License-Identifier: Apache-2.0
// What a run is trained for beside supervised fine-tuning: preferences of pairs, rewards, another
// model's answers; and which models stand beside the one that trains. Plain data and one table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "catalog/method.h"
#include "catalog/models/model.h"
#include "support/named.h"

namespace sizesheet {

/// The policy that a loss compares with: none, the base with its adapters switched off, a copy of
/// the weights, or its log-probabilities of all samples, taken before training.
enum class Reference { kNone, kAdapterOff, kCopy, kPrecomputed };
inline constexpr NameTable<Reference, 4> kReferences{{{Reference::kNone, "none"},
                                                      {Reference::kAdapterOff, "adapter-off"},
                                                      {Reference::kCopy, "copy"},
                                                      {Reference::kPrecomputed, "precomputed"}}};

enum class TrainingKind { kSft, kDpo, kIpo, kKto, kOrpo, kSimpo, kCpo, kReward, kDistillation };

struct TrainingFacts {
  TrainingKind value;
  std::string_view id;
  std::string_view title;
  std::int64_t sequences = 1;   ///< of one example: a pair's chosen and rejected answer
  std::int64_t mismatched = 0;  ///< passes without gradient over other examples' answers (KTO)
  bool has_reference = false;
  bool likelihood = false;  ///< cross-entropy over the chosen half beside the pair's loss
  bool packs = false;       ///< samples may stand in packs
};

/// Of every kind, in the order of TrainingKind. Sequences and passes as TRL runs them
/// (huggingface/trl trl/trainer/{dpo,kto,reward}_trainer.py, trl/experimental/{orpo,cpo,gkd}
/// @f2cd5771).
inline constexpr auto kTrainings = [] {
  using enum TrainingKind;
  return std::array<TrainingFacts, 9>{{
      {.value = kSft, .id = "sft", .title = "supervised fine-tuning", .packs = true},
      {.value = kDpo, .id = "dpo", .title = "DPO", .sequences = 2, .has_reference = true},
      {.value = kIpo, .id = "ipo", .title = "IPO", .sequences = 2, .has_reference = true},
      {.value = kKto, .id = "kto", .title = "KTO", .mismatched = 1, .has_reference = true},
      {.value = kOrpo, .id = "orpo", .title = "ORPO", .sequences = 2, .likelihood = true},
      {.value = kSimpo, .id = "simpo", .title = "SimPO", .sequences = 2},
      {.value = kCpo, .id = "cpo", .title = "CPO", .sequences = 2, .likelihood = true},
      {.value = kReward, .id = "reward", .title = "a reward model", .sequences = 2},
      {.value = kDistillation, .id = "distillation", .title = "distillation", .packs = true},
  }};
}();

constexpr const auto& table_of(TrainingKind /*of*/) { return kTrainings; }

/// Samples of a method may stand in packs.
inline bool packs(const Method& method) {
  if (method.fine_tunes()) return true;
  if (!method.objective.is_object()) return false;
  const auto kind = value_of(kTrainings, method.objective.value("kind", ""));
  return !kind || facts_of(*kind).packs;
}

/// Log-probabilities from logits that autocast's wrapper casts to fp32, from logits that stay in
/// 16 bits, or chunk by chunk, fused with the head.
enum class TrainingLoss { kTrl, kTrlBf16, kLiger };
inline constexpr NameTable<TrainingLoss, 3> kTrainingLosses{{{TrainingLoss::kTrl, "trl"},
                                                             {TrainingLoss::kTrlBf16, "trl-bf16"},
                                                             {TrainingLoss::kLiger, "liger"}}};

struct TrainingObjective {
  TrainingKind kind = TrainingKind::kDpo;
  Reference reference = Reference::kNone;
  TrainingLoss loss = TrainingLoss::kTrl;
  std::shared_ptr<const Architecture> teacher;  ///< of distillation, else none
  double beta = 0.5;  ///< of the generalised Jensen-Shannon divergence; 0 and 1: one KL term
  double epochs = 1;  ///< that share the reference's precomputed log-probabilities

  const TrainingFacts& facts() const { return facts_of(kind); }
  /// Reference logits stand beside the policy's.
  bool runs_reference() const {
    return reference == Reference::kCopy || reference == Reference::kAdapterOff;
  }
  /// Forward passes without gradient, over every token: of the policy, and of the reference.
  double policy_passes() const { return static_cast<double>(facts().mismatched); }
  double reference_passes() const {
    if (reference == Reference::kNone) return 0;
    const double each = 1 + static_cast<double>(facts().mismatched);
    return reference == Reference::kPrecomputed ? each / epochs : each;
  }
};

}  // namespace sizesheet
