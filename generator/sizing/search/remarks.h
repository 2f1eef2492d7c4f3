// SPDX-License-Identifier: Apache-2.0
// What is worth saying of a job beside its bill: what binds it and what would help, how far it
// carries, where it would run out of memory, what its owner may not mean, and what was taken for
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sizing/search/search.h"
#include "support/object_text.h"

namespace sizesheet {

/// Which bytes stopped the next smaller count, and what would help: one or two sentences; ""
/// without a GPU. Every lever that may help is sized anew.
std::string binding_words(const Question& question, const Plan& plan);

// ---- How far a layout carries: the largest micro-batch and the longest sequence that still fit,
// and from which length on its number of GPUs no longer does.

/// Each by memory alone, with the headroom of the request. Absent: nothing fits, or all that a
/// request may ask for does.
struct Limits {
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> micro_batch_power_of_two;
  /// Divisible as the layout asks: by tp, and by 2 cp.
  std::optional<std::int64_t> seq_len;
  bool seq_len_beyond_positions = false;  ///< longer than the model was built for
  /// The smallest multiple of 1,024 at which no layout on this count fits.
  std::optional<std::int64_t> next_count_seq_len;
};
BOOST_DESCRIBE_STRUCT(Limits, (),
                      (micro_batch, micro_batch_power_of_two, seq_len, seq_len_beyond_positions,
                       next_count_seq_len))

/// For the layout of `chosen`; the question must name a GPU.
Limits limits_of(const Question& question, const Candidate& chosen);

/// Without `next_count_seq_len`, which takes a search at every length it looks at.
Limits layout_limits(const Question& question, const Candidate& chosen);

/// What the layout's splits ask of a sequence: a multiple of this many tokens.
std::int64_t seq_len_step(const Layout& layout);

// ---- Where a run goes out of memory: phase by phase, in step 1 and later, against the card; and
// what it means when a run dies there.

/// One phase on the device: bytes allocated then, plus allocator slack and overhead.
struct PhaseCheck {
  std::string phase;  ///< "load", then "forward" … "optimizer_step"
  std::int64_t step1 = 0;
  std::int64_t steady = 0;
  bool step1_over = false;  ///< passes the card
  bool steady_over = false;

  static constexpr Key kKeys[] = {{"steady", "later"}, {"steady_over", "later_over"}};
};
BOOST_DESCRIBE_STRUCT(PhaseCheck, (), (phase, step1, steady, step1_over, steady_over))

/// Without a GPU nothing is over. First the weights alone as they are loaded, then the six phases
/// in their order.
std::vector<PhaseCheck> phase_checks(const MemoryBill& bill);

/// Where a run with this bill dies, and what that says.
struct Death {
  std::string where;  ///< "loss backward of step 1"; "" if it does not
  std::string bill;   ///< which bytes overran
  std::string remedy;
};
BOOST_DESCRIBE_STRUCT(Death, (), (where, bill, remedy))

Death death_of(const MemoryBill& bill);

/// What a death in a phase says, whatever the bill.
struct PhaseMeaning {
  const char* phase;  ///< "loss backward"; "any" for later steps
  const char* when;   ///< "step 1" | "step 2 and later"
  const char* bill;
  const char* remedy;
};

/// One for each phase of step 1 in their order, and one for all later steps.
std::span<const PhaseMeaning> phase_meanings();

/// "loss_backward" as people write it.
std::string phase_title(std::string phase);

// ---- The one list of changes that may shrink a bill: what each sets, what it costs beside time,
// and whether the job makes it already.

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

/// What runs without an error and is still not what its owner means: slow, idle or larger than
/// thought, with the bytes it is about in this job.
struct Lint {
  std::string id;
  std::string words;  ///< a sentence without its stop
};

/// Lints of the chosen job, in a fixed order. Those about extra bytes speak only from a hundredth
/// of the device's on. `speed`: the job's, where it is known.
std::vector<Lint> lints(const Question& question, const Candidate& chosen,
                        const std::optional<Throughput>& speed);

/// What a request left open and what was taken for it, so that an answer says which job it is of:
/// {"stack": id or null, "taken": {"workload.micro_batch": 8, …}}: the settings of the stack that
/// hold for the chosen layout, and with or without one the workload, the recomputation, the loss
/// and the state of what is trained. The layout is not among them: the answer shows it whole.
ObjectText defaults_of(const Question& question, const Candidate& chosen);

}  // namespace sizesheet
