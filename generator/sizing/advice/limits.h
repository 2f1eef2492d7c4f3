// SPDX-License-Identifier: Apache-2.0
// What stopped the next smaller count, how far a layout carries, and where a run would die.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sizing/search/search.h"
#include "support/described.h"

namespace sizesheet {

struct Candidate;
struct Layout;
struct MemoryBill;
struct Question;

/// Which bytes stopped the next smaller count, and what would help: one or two sentences; ""
/// without a GPU. Every lever that may help is sized anew.
std::string binding_words(const Question& question, const Plan& plan);

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

}  // namespace sizesheet
