// SPDX-License-Identifier: Apache-2.0
// The best layout on a given number of GPUs: every combination of parallel dimensions that the
// rules allow, least splitting first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sizing/candidate.h"
#include "sizing/question.h"

namespace sizesheet {

/// The stack trains this method on one GPU only.
bool refuses_several(const Question& question);

/// Whether a search leaves layouts out that cannot be better than one it knows. The answers are the
/// same; kExhaustive is there to show that.
enum class Pruning { kOn, kExhaustive };

/// How a layout divides the model.
struct Split {
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t cp = 1;
  std::int64_t ep = 1;

  /// Ranks that share one copy of the model.
  std::int64_t ranks() const { return tp * pp * cp; }
};

/// A layout that a search looks at, and where it belongs there.
struct Place {
  Layout layout;
  std::size_t alternative = 0;  ///< 0: the stack's practice
  std::size_t split = 0;        ///< of `splits`
};

/// One search: what stays the same from count to count. The question must outlive it and name a
/// GPU.
class LayoutSearch {
 public:
  /// `most`: the largest count that will be asked for.
  LayoutSearch(const Question& question, std::int64_t most, Pruning pruning = Pruning::kOn);

  /// The stack's practice before its alternatives; within each the first layout that fits in the
  /// order of least tp * pp * cp * ep, then smallest tp, pp, cp, ep, then least ZeRO stage; else
  /// the best that does not. nullopt: no valid layout has n GPUs.
  std::optional<Candidate> best(std::int64_t gpus);

  /// In the order they are tried.
  const std::vector<Split>& splits() const { return splits_; }
  /// A split with this dp, not sharded yet.
  Place place(std::size_t alternative, std::size_t split, std::int64_t dp) const;
  /// The ways of sharding to try, least first.
  std::vector<Shard> shards(const Layout& layout) const;
  /// Whether question and rules allow a split with this dp.
  bool allows(const Layout& layout) const;
  /// Whether the layout takes at most so many bytes of the card.
  bool stays_within(const Place& place, std::int64_t room);
  /// See least_growth, for so many bytes; 1 too where no bound tells.
  std::optional<double> growth(const Place& place, std::int64_t room);

 private:
  /// The job under one alternative and way of spreading; its layout is the one looked at last.
  struct Spreading {
    const Job* read = nullptr;  ///< before it was spread and met the card
    Job job;
  };
  /// One split of it: what every dp has in common.
  struct Known {
    Stages stages;
    StepPieces steps;  ///< empty until its states alone may fit
    double least = 0;  ///< bytes on the fullest GPU, see least_bytes_of_step
  };

  /// Calls `visit(place)` for every layout on n GPUs in the order of `best`, until it says that it
  /// is done.
  template <typename Visit>
  void for_each_layout(std::int64_t gpus, const Visit& visit);
  std::size_t spreading_of(const Place& place) const;
  /// The job of a place as it comes to the card.
  Job& job_at(const Place& place);
  Known& known(const Place& place, const Job& job);
  /// The same with its steps.
  Known& with_steps(Known& common, const Job& job) const;
  /// nullopt where it would need more than `most` bytes whatever the card gives back.
  std::optional<Standing> standing(const Place& place, std::int64_t most);
  /// `most` where the bytes of a bill tell that no layout beyond them can be chosen, else any.
  std::int64_t bound(std::int64_t most) const;
  /// Bytes beyond which a layout is no better than the one that stands so.
  std::int64_t most_beside(const Standing& standing) const;
  /// Bytes beyond which no layout on n GPUs is the best, since the one that was best on another
  /// count is one of them.
  std::int64_t most_of_best(std::int64_t gpus);
  Stages stages(const Job& job);

  const Question& question_;
  Pruning pruning_;
  std::int64_t capacity_;
  std::vector<Split> splits_;
  // Absent until asked for.
  std::vector<std::unique_ptr<Spreading>> spreadings_;  ///< by alternative and way of spreading
  std::vector<std::unique_ptr<Known>> known_;           ///< by these and split
  /// By what stages depend on within one search: tp (repeated key-value heads) and pp.
  std::map<std::pair<std::int64_t, std::int64_t>, Stages> stages_;
  std::optional<Place> last_best_;
};

}  // namespace sizesheet
