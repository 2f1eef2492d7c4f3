// SPDX-License-Identifier: Apache-2.0
// A job on one layout against its card: the bill and whether it fits; the same job with one thing
// changed; and the least it can take, by which a search leaves layouts out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/gpu.h"
#include "sizing/memory/generation.h"
#include "sizing/request/question.h"

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

}  // namespace sizesheet
