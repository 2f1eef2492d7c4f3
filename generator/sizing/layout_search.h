// SPDX-License-Identifier: Apache-2.0
// The best layout on a given number of GPUs: every combination of parallel dimensions that the
// rules allow, least splitting first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sizing/grpo.h"
#include "sizing/question.h"

namespace sizesheet {

using Stages = std::shared_ptr<const std::vector<Stage>>;

/// A job with its layout, its bill and how that stands against the GPU.
struct Candidate {
  Job job;
  Stages stages;
  MemoryBill bill;
  std::string verdict;           ///< fits | tight | no, of the whole card; "" without a GPU
  std::optional<GrpoBill> grpo;  ///< what stands on the card beside the bill

  /// Bytes of the whole card: the bill's, and what GRPO adds.
  std::int64_t device() const { return grpo ? grpo->device : bill.device; }
  /// The engine generates when the card holds most.
  bool generates_at_peak() const { return grpo && grpo->phase() == "generation"; }
  std::string peak_phase() const { return generates_at_peak() ? "generation" : bill.peak_phase; }
  /// The largest part of the card then: a term of the bill, or the engine.
  std::string largest() const { return generates_at_peak() ? "generation" : largest_term(bill); }

  /// The pipeline stage the bill is of.
  const Stage& worst_stage() const { return stages->at(static_cast<std::size_t>(bill.stage)); }
};

/// A job as it stands, with its bill and verdict. A paged optimizer sends to the host what does not
/// fit.
Candidate evaluate(const Job& job, const Gpu* gpu);
Candidate evaluate(Job job, const Gpu* gpu, Stages stages);

/// 0 fits, 1 tight, 2 no.
int rank_of(const std::string& verdict);

/// Fits before tight before no; among those that do not hold, fewer device bytes.
bool better(const Candidate& a, const Candidate& b);

/// The stack trains this method on one GPU only.
bool refuses_several(const Question& question);

/// Whether a search leaves layouts out that cannot be better than one it knows. The answers are the
/// same; kExhaustive is there to show that.
enum class Pruning { kOn, kExhaustive };

/// One search: what stays the same from count to count. The question must outlive it.
class LayoutSearch {
 public:
  /// `most`: the largest count that will be asked for.
  LayoutSearch(const Question& question, std::int64_t most, Pruning pruning = Pruning::kOn);

  /// The stack's practice before its alternatives; within each the first layout that fits in the
  /// order of least tp * pp * cp * ep, then smallest tp, pp, cp, ep, then least ZeRO stage; else
  /// the best that does not. nullopt: no valid layout has n GPUs.
  std::optional<Candidate> best(std::int64_t gpus);

  /// Whether some layout on n GPUs fits or is tight.
  bool holds(std::int64_t gpus);

 private:
  /// One split under one alternative and way of spreading: what every dp has in common.
  struct Known {
    Job job;  ///< of the layout that was looked at last
    Stages stages;
    StepPieces steps;
    double least = 0;  ///< bytes on the fullest GPU, see least_of_step
  };

  /// Calls `visit(layout, alternative, split)` for every layout on n GPUs in the order of `best`,
  /// until it says that it is done.
  template <typename Visit>
  void for_each_layout(std::int64_t gpus, const Visit& visit);
  Known& known(const Layout& layout, std::size_t alternative, std::size_t split);
  /// nullopt where it would need more than `most` bytes whatever the card gives back.
  std::optional<Candidate> evaluated(const Layout& layout, std::size_t alternative,
                                     std::size_t split, std::int64_t most);
  /// `most` where the bytes of a bill tell that no layout beyond them can be chosen, else any.
  std::int64_t bound(std::int64_t most) const;
  Stages stages(const Job& job);

  const Question& question_;
  Pruning pruning_;
  std::vector<Layout> splits_;  ///< tp, pp, cp, ep in the order they are tried
  /// By alternative, way of spreading and split.
  std::vector<std::optional<Known>> known_;
  /// By what stages depend on within one search: tp (repeated key-value heads) and pp.
  std::map<std::pair<std::int64_t, std::int64_t>, Stages> stages_;
};

}  // namespace sizesheet
