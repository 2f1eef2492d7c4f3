// SPDX-License-Identifier: Apache-2.0
// A job against its card, the same with one thing changed, and the least that it can take.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/grpo_bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"

namespace sizesheet {

struct Gpu;
struct IntervalClass;
struct IntervalFacts;
struct Question;

using Stages = std::shared_ptr<const std::vector<Stage>>;

/// How a layout stands, all that a search has to know of it.
struct FitResult {
  std::int64_t device = 0;  ///< bytes of the whole card
  Verdict verdict = Verdict::kUnknown;
};

/// Fits before tight before no; among those that do not hold, fewer device bytes.
bool better(const FitResult& a, const FitResult& b);

/// Bytes of the whole card between which the share of measurements lies that the intervals cover.
struct MemoryRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  const IntervalClass* of = nullptr;  ///< its first class; nullptr: no range is known
  std::string grade;
  std::int64_t team_runs = 0;  ///< of a team's own that moved it
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
  FitResult fit_result() const { return {device(), verdict}; }
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
std::optional<FitResult> fit_within(Job& job, const Gpu* gpu, const std::vector<Stage>& stages,
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

/// Keys of a layout in the order the device mesh is built, outermost first, with their ranks:
/// "pp 2 x dp 4 x cp 1 x tp 8"; sharded data parallelism as "dp_replicate 2 x dp_shard 8". Of a
/// mixture that is divided behind it how its experts are: "; experts: edp 2 x ep 4 x etp 1".
std::string device_mesh(const Job& job);

}  // namespace sizesheet
