// SPDX-License-Identifier: Apache-2.0
// A job on one layout against its card; and how many GPUs, spread how: the layouts that are
// possible, the best of a count, the smallest count that holds, the smallest that can be rented,
// and what binds before it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/gpu.h"
#include "catalog/published/measured.h"
#include "sizing/memory/generation.h"
#include "sizing/request/question.h"
#include "sizing/time/rollout.h"

namespace sizesheet {

// ---- A job on one layout against its card: the bill, and whether it fits once the card has given
// back what it can and a paged optimizer has sent away what it may.

using Stages = std::shared_ptr<const std::vector<Stage>>;

/// How a layout stands, all that a search has to know of it.
struct Standing {
  std::int64_t device = 0;  ///< bytes of the whole card
  Verdict verdict = Verdict::kUnknown;
};

/// Fits before tight before no; among those that do not hold, fewer device bytes.
bool better(const Standing& a, const Standing& b);

/// Bytes of the whole card between which the share of measurements lies that the intervals cover.
struct MemoryRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  const IntervalClass* of = nullptr;  ///< its first class; nullptr: no range is known
  std::string grade;
};

/// What a class of ranges of memory may ask about the run.
IntervalFacts memory_facts(const Job& job);

/// A job with its layout, its bill and how that stands against the GPU.
struct Candidate {
  Job job;
  Stages stages;
  MemoryBill bill;
  Verdict verdict = Verdict::kUnknown;  ///< of the whole card
  std::optional<GrpoBill> grpo;         ///< what stands on the card beside the bill

  /// Bytes of the whole card: the bill's, and what GRPO adds.
  std::int64_t device() const { return grpo ? grpo->device : bill.device; }
  Standing standing() const { return {device(), verdict}; }
  MemoryRange range() const;
  /// is_certain of the whole card.
  std::optional<bool> certain() const { return bill.certain; }
  /// The engine generates when the card holds most.
  bool generates_at_peak() const { return grpo && grpo->phase() == "generation"; }
  std::string peak_phase() const { return generates_at_peak() ? "generation" : bill.peak_phase; }
  /// The largest part of the card then: a term of the bill, or the engine.
  Term largest() const { return generates_at_peak() ? Term::kGeneration : largest_term(bill); }

  /// The pipeline stage the bill is of.
  const Stage& worst_stage() const { return stages->at(static_cast<std::size_t>(bill.stage)); }
};

/// A job as it stands, with its bill and verdict.
Candidate evaluate(const Job& job, const Gpu* gpu);
Candidate evaluate(Job job, const Gpu* gpu, Stages stages);
Candidate evaluate(Job job, const Gpu* gpu, Stages stages, const StepPieces& steps);

/// How it stands alone, unless it would need more than `most` bytes whatever the card gives back:
/// nullopt then. What is sent away and given back is left in the job.
std::optional<Standing> standing_within(Job& job, const Gpu* gpu, const std::vector<Stage>& stages,
                                        const StepPieces& steps, std::int64_t most);

/// One change to a request: dotted keys and the values they take.
struct Variation {
  std::string id;
  std::string words;  ///< "full recompute": what the change is called
  std::vector<std::pair<std::string, Json>> keys;
};

/// The request with the change, layout left as open as it was. What the search chose of the stack's
/// alternatives stays chosen.
Json varied_request(const Question& question, const Candidate& chosen, const Variation& variation);

/// The job on the layout of `chosen`, with the change. nullopt: model, stack or layout refuse it.
std::optional<Candidate> varied(const Question& question, const Candidate& chosen,
                                const Variation& variation);

// ---- What a job takes at the least, before its bill is made: lower bounds by which a search
// leaves out layouts and counts. All in bytes on the fullest GPU; what a full card gives back and
// what a paged optimizer sends away is left out of them.

/// Of a stage with these bytes in its fullest phase.
double least_bytes(const Job& job, const Pieces<double>& pieces, double allocated);
/// The same before its phases are known.
double least_bytes(const Job& job, const Pieces<double>& pieces);

/// Of these stages, whatever they keep and compute in a step.
double least_bytes_of_states(const Job& job, const std::vector<Stage>& stages);

/// Of these stages, whatever dp and sharding: `steps` are their activations and losses.
double least_bytes_of_step(const Job& job, const StepPieces& steps);

/// By which factor dp must grow at the least until the layout may stay within `most` bytes; 1: it
/// may as it is. nullopt: no dp is enough. Of layouts with several data-parallel ranks, since one
/// rank alone goes by other settings.
std::optional<double> least_growth(const Job& job, const std::vector<Stage>& stages,
                                   const StepPieces& steps, double most);

// ---- Which layouts are possible at all: divisibility and placement, one rule at a time, each with
// the nearest value that obeys it.

/// The first rule this layout breaks, under the key to mend; every dimension must be set (dp
/// included).
std::optional<Fault> layout_fault(const Question& question, const Layout& layout);

/// Whether the dimensions may stand together, each of which breaks no rule alone.
bool mesh_holds(const Question& question, const Layout& layout);

/// Why tensor parallelism over `tp` ranks cannot divide this model; "" where it can.
std::string tensor_split_fault(const Architecture& model, std::int64_t tp);

/// Values of a dimension worth trying on `gpus` GPUs, ascending: those that break no rule, whatever
/// the other dimensions are; of one that the request fixes that value alone.
std::vector<std::int64_t> degrees(const Question& question, const Dimension& dimension,
                                  std::int64_t gpus);

/// "(nearest: 4, 8)": the divisors of `whole` around `wanted`.
std::string nearest_divisors(std::int64_t whole, std::int64_t wanted);

/// Keys of a layout in the order the device mesh is built, outermost first, with their ranks:
/// "pp 2 x dp 4 x cp 1 x tp 8"; sharded data parallelism as "dp_replicate 2 x dp_shard 8". Of a
/// mixture that is divided behind it how its experts are: "; experts: edp 2 x ep 4 x etp 1".
std::string device_mesh(const Job& job);

/// Records every fault of the layout that `request`, as the user wrote it, asks for, beyond the
/// type of each key: what cannot be, and what would be ignored.
void check_layout(const Json& request, const Question& question, Faults& faults);

// ---- The best layout on a given number of GPUs: every combination of parallel dimensions that the
// rules allow, least splitting first.

/// The stack trains this method on one GPU only.
bool refuses_several(const Question& question);

/// Whether a search leaves layouts out that cannot be better than one it knows. The answers are the
/// same; kExhaustive is there to show that.
enum class Pruning { kOn, kExhaustive };

/// A layout that a search looks at, and where it belongs there.
struct Place {
  Layout layout;
  std::size_t alternative = 0;  ///< 0: the stack's practice
  std::size_t split = 0;        ///< of `splits`
};

/// A layout that fits, and how fast it is.
struct Timed {
  Candidate candidate;
  Throughput speed;
  std::optional<Hours> hours;  ///< absent where the length of the run is not known
};

/// What is asked of the counts `from` … `to`.
struct Sought {
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

  /// The stack's practice before its alternatives; within each the first layout that fits in the
  /// order of least tp * pp * cp * ep, then smallest tp, pp, cp, ep, then least ZeRO stage; else
  /// the best that does not. nullopt: no valid layout has n GPUs.
  std::optional<Candidate> best(std::int64_t gpus);

  /// Whether a layout that shares as much as it can holds on n GPUs: quick to say. Where none does,
  /// `best` tells of the others.
  bool holds_shared(std::int64_t gpus);

  /// Of all layouts on n GPUs that fit, alternatives among them, the one with the most tokens a
  /// second, the first of them in the order of `best`. nullopt: none fits, or no speed is known.
  std::optional<Timed> fastest(std::int64_t gpus);

  /// The first of the counts on which some layout stays within the room. Not every count is looked
  /// at: a layout that needs more tells by how much its data parallelism has to grow.
  std::optional<std::int64_t> least_count(const Sought& sought);

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
    StepPieces steps;          ///< empty until its states alone may fit
    double least = 0;          ///< bytes on the fullest GPU, see least_bytes_of_step
    std::optional<Pace> pace;  ///< absent until asked for, and where no speed is known
  };

  /// Calls `visit(place)` for every layout on n GPUs in the order of `best`, until it says that it
  /// is done.
  template <typename Visit>
  void for_each_layout(std::int64_t gpus, const Visit& visit);
  std::size_t spreading_of(const Place& place) const;
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
  std::vector<ParallelRanks> splits_;  ///< in the order they are tried
  // Absent until asked for.
  std::vector<std::unique_ptr<Spreading>> spreadings_;  ///< by alternative and way of spreading
  /// By these and split; within, by the micro-batches that a pipeline can have in flight.
  std::vector<std::map<std::int64_t, Known>> known_;
  /// By what stages depend on within one search: tp (repeated key-value heads), pp, and those
  /// micro-batches.
  std::map<std::array<std::int64_t, 3>, Stages> stages_;
  std::map<std::int64_t, Generation> generations_;  ///< by GPUs of the trainer
  std::optional<Place> last_best_;
};

// ---- The smallest count of GPUs that holds, and what binds before it.

struct Plan {
  Candidate chosen;                       ///< `rentable`, else `tight`, else the least device bytes
  std::optional<std::int64_t> by_memory;  ///< smallest n whose best layout fits or is tight
  std::optional<std::int64_t> tight;      ///< smallest rentable n that fits or is tight
  std::optional<std::int64_t> rentable;   ///< smallest rentable n that fits
  std::int64_t limit = 0;                 ///< largest count searched; 0 without a GPU
  std::vector<CountCheck> counts;         ///< rentable counts up to the answer
  std::optional<CountCheck> fewer;        ///< the rentable count before the answer
  std::optional<Candidate> before;        ///< its best layout
  std::string fingerprint;                ///< where the next smaller count would fail
};

/// Best layout on n GPUs, see LayoutSearch::best.
std::optional<Candidate> best_layout(const Question& question, std::int64_t gpus);
/// The fastest that fits; the best where none does.
std::optional<Candidate> fastest_or_best(const Question& question, std::int64_t gpus);

/// Searches what neither request nor stack pins. With a full layout it evaluates that one. Where
/// the objective is time, the fastest layout of the count is chosen.
Plan plan(const Question& question);

/// The fastest layout of every count from the plan's on; none where nothing fits, or where no speed
/// is known.
std::vector<Timed> fastest_by_count(const Question& question, const Plan& plan);

/// Smallest count up to `most`, of those the request allows, that fits.
std::optional<std::int64_t> smallest_that_fits(const Question& question, std::int64_t most);

/// Smallest count >= the plan's, of those the request allows, that fits and whose run ends within
/// the deadline; nullopt if none does.
std::optional<std::int64_t> deadline_count(const Question& question, const Plan& plan,
                                           double deadline_hours);

/// Smallest count >= the plan's, of those the request allows, that fits with 30 % headroom (or the
/// request's, where that is more).
std::optional<std::int64_t> comfortable_count(const Question& question, const Plan& plan);

}  // namespace sizesheet
