// SPDX-License-Identifier: Apache-2.0
// The best layout of a count, and the smallest count of which one will do.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sizing/job/job.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/pieces.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/clocks.h"
#include "sizing/time/rollout.h"
#include "sizing/time/throughput.h"

namespace sizesheet {

struct Intervals;
struct Question;

/// Whether a search leaves layouts out that cannot be better than one it knows. The answers are the
/// same; kExhaustive is there to show that.
enum class Pruning { kOn, kExhaustive };

/// A layout that a search looks at, and where it belongs there.
struct Place {
  Layout layout;
  std::size_t alternative = 0;  ///< 0: the stack's defaults
  std::size_t split = 0;        ///< of `splits`
  std::size_t doublings = 0;    ///< of the micro-batch that was read
};

/// What is asked of the counts `from` … `to`.
struct CountQuery {
  std::int64_t room = 0;  ///< bytes of the card that a layout may take
  std::int64_t from = 1;
  std::int64_t to = 1;
  std::span<const std::int64_t> rentable;  ///< only these, in ascending order; empty: every count
};

/// One search: what stays the same from count to count. The question must outlive it and name a
/// GPU.
class LayoutSearch {
 public:
  /// `most`: the largest count that will be asked for.
  LayoutSearch(const Question& question, std::int64_t most, Pruning pruning = Pruning::kOn);

  /// The stack's defaults before its alternatives; within each the first layout that fits in the
  /// order of least tp * pp * cp * ep, then smallest tp, pp, cp, ep, then least ZeRO stage; else
  /// the best that does not. nullopt: no valid layout has n GPUs.
  std::optional<Candidate> best(std::int64_t gpus);

  /// Whether a layout that shares as much as it can holds on n GPUs: quick to say. Where none does,
  /// `best` tells of the others.
  bool holds_shared(std::int64_t gpus);

  /// Of all layouts on n GPUs that fit, with every alternative and every micro-batch that the
  /// question lets vary, the one with the least weighted hours (see Subject::risk_weight), the
  /// first of them in the order of `best`. nullopt: none fits, or no speed is known.
  std::optional<Timed> fastest(std::int64_t gpus);

  /// The first of the counts on which some layout stays within the room. Not every count is looked
  /// at: a layout that needs more tells by how much its data parallelism has to grow.
  std::optional<std::int64_t> least_count(const CountQuery& query);

 private:
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

  /// The job under one alternative and way of spreading; its layout is the one looked at last.
  struct Spreading {
    const Job* read = nullptr;  ///< before it was spread and met the card
    Job job;
  };
  /// One split of it: what every dp has in common.
  struct Known {
    Stages stages;
    StepPieces steps;            ///< empty until its states alone may fit
    double least = 0;            ///< bytes on the fullest GPU, see least_bytes_of_step
    std::optional<Pace> pace;    ///< absent until asked for, and where no speed is known
    std::optional<double> risk;  ///< weighted hours over expected ones; absent until asked for
  };

  /// Calls `visit(place)` for every layout on n GPUs in the order of `best`, until it says that it
  /// is done.
  template <typename Visit>
  void for_each_layout(std::int64_t gpus, const Visit& visit);
  std::size_t spreading_of(const Place& place) const;
  /// How often the micro-batch of a place may be doubled so that the global batch is kept,
  /// ascending; 0 is among them.
  std::vector<std::size_t> doublings_of(const Place& place);
  /// The fastest layout of a search so far.
  struct Leader {
    std::optional<Place> place;
    double rate = 0;  ///< tokens per second and GPU, over the weight of their range
  };
  /// Makes the place the leader where it fits and is faster. False: it does not fit.
  bool lead(const Place& place, Leader& leader);
  /// The same of every micro-batch in `doublings`, without looking at all of them.
  void lead_largest(Place place, std::span<const std::size_t> doublings, Leader& leader);
  /// Tokens per second and GPU of the job as it stands, over the weight of their range.
  std::optional<double> weighted_rate(const Place& place, const Job& job);
  Timed timed(const Place& place);
  /// The job's speed as it stands; nullopt where none is known.
  std::optional<Throughput> speed_of(const Place& place, const Job& job,
                                     const Intervals* intervals = nullptr);
  /// The job of a place as it comes to the card.
  Job& job_at(const Place& place);
  Known& known(const Place& place, const Job& job);
  std::optional<double> growth_of(const Job& job, const Place& place, std::int64_t room);
  /// The same with its steps.
  Known& with_steps(Known& common, const Job& job) const;
  /// nullopt where it would need more than `most` bytes whatever the card gives back.
  std::optional<FitResult> fit_of(const Place& place, std::int64_t most);
  /// `most` where the bytes of a bill tell that no layout beyond them can be chosen, else any.
  std::int64_t bound(std::int64_t most) const;
  /// Bytes beyond which a layout is no better than the one that stands so.
  std::int64_t most_beside(const FitResult& fit) const;
  /// Bytes beyond which no layout on n GPUs is the best, since the one that was best on another
  /// count is one of them.
  std::int64_t most_of_best(std::int64_t gpus);
  Stages stages(const Job& job);

  const Question& question_;
  Pruning pruning_;
  std::int64_t capacity_;
  std::vector<ParallelRanks> splits_;  ///< in the order they are tried
  std::size_t levels_ = 1;             ///< of micro-batches
  // Absent until asked for.
  /// By alternative, way of spreading and doublings of the micro-batch.
  std::vector<std::unique_ptr<Spreading>> spreadings_;
  /// By these and split; within, by the micro-batches that a pipeline can have in flight.
  std::vector<std::map<std::int64_t, Known>> known_;
  /// By what stages depend on within one search: tp (repeated key-value heads), pp, and those
  /// micro-batches.
  std::map<std::array<std::int64_t, 3>, Stages> stages_;
  std::map<std::int64_t, Generation> generations_;  ///< by GPUs of the trainer
  std::optional<Place> last_best_;
};

}  // namespace sizesheet
