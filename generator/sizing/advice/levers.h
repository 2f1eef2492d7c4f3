// SPDX-License-Identifier: Apache-2.0
// What would help a job that does not fit: the list of changes, and the bytes each saves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/search/candidate.h"

namespace sizesheet {

struct Job;
struct Question;

/// Where a change may be offered.
enum class LeverReach {
  kPlain,   ///< leaves what is trained, and on which tokens, as it is: a sentence may name it
  kCostly,  ///< costs much time or changes the run: a sentence names it where nothing else helps
  kTable,   ///< stands only where all levers are listed
};

struct LeverChange {
  Variation change;  ///< the lever pulled; where it is in use: `words` names it, `keys` undo it
  LeverReach reach = LeverReach::kPlain;
  std::string gives_up;  ///< beside time, in words
  bool in_use = false;
  bool timed = true;     ///< the speed model knows the keys
  bool same_run = true;  ///< as many weights are trained, on the same tokens
};

/// Every change that this job could make or undo, in a fixed order. Whether model, stack and layout
/// admit it, and whether it saves anything, is for `varied` to say.
std::vector<LeverChange> lever_changes(const Question& question, const Job& job);

/// What would help a job that does not fit: a change that is not made yet, worked out again.
struct Lever {
  std::string id;
  std::string words;
  std::int64_t saved = 0;               ///< device bytes per GPU
  std::int64_t term_saved = 0;          ///< of the term it was asked for
  Verdict verdict = Verdict::kUnknown;  ///< of the job with the lever
  std::int64_t device_high = 0;         ///< upper end of its range on the card
};

/// Levers of this reach on `chosen` that save at least a hundredth of its bytes, most first.
std::vector<Lever> levers(const Question& question, const Candidate& chosen, Term term,
                          LeverReach reach);

/// The best of those that leave what is trained and where it stands, else of those that do not
/// (host memory, shorter sequences, adapters in place of all weights): the first that shrinks
/// `term`, where there is one. nullopt: nothing helps.
std::optional<Lever> best_lever(const Question& question, const Candidate& chosen, Term term);

}  // namespace sizesheet
