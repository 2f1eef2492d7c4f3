// SPDX-License-Identifier: Apache-2.0
// The sizing half of a row, and its question asked again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "cost/cost_line.h"
#include "sheet/decision.h"
#include "sheet/rows/candidates.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "support/json.h"

namespace sizesheet {

struct Job;
struct Method;
struct SequenceSeries;

/// Which cell: a model, a method, a GPU type and a scenario of the spec.
struct Cell {
  const SpecModel* model = nullptr;
  std::string method;
  std::string gpu;
  const SpecScenario* scenario = nullptr;
};

/// The `estimate` request of a cell, before any layout is fixed.
Json request_of(const Catalog& catalog, const SheetSpec& spec, const Cell& cell);

/// Says in a request how long a run of this method is: so many training tokens, or as many prompts
/// as make them.
void ask_run(const Method& method, std::int64_t tokens, Json& request);

/// Sizes a cell at the offers that count. What the engine refuses becomes a row with `modelled`
/// false and the reason. The row's set-up is the best of its candidates, or the one with so many
/// GPUs.
Row size_row(const Catalog& catalog, const SheetSpec& spec, const Offers& offers, const Cell& cell,
             std::optional<std::int64_t> gpus = {});

/// The same without proofs, words on what binds and machines to own.
Row bare_row(const Catalog& catalog, const SheetSpec& spec, const Offers& offers, const Cell& cell);

/// A cell on a count of GPUs that is given.
struct FixedRow {
  Row row;
  Limits limits;                       ///< how far its layout carries
  std::vector<RunCandidate> frontier;  ///< of so many GPUs and fewer
};

/// The same on `spec.max_gpus` GPUs, neither more nor fewer.
FixedRow fixed_row(const Catalog& catalog, const SheetSpec& spec, const Offers& offers,
                   const Cell& cell);

/// A whole answer, and what its set-up is rented as.
struct RentedRun {
  Sizing sizing;
  std::optional<RunCandidate> run;  ///< absent where nobody offers what fits, or hours are unknown
  std::vector<RunCandidate> frontier = {};  ///< of the counts that the question allows
  std::optional<OwnPick> own = {};          ///< absent where nothing sold runs it in time
  std::vector<CostLine> cost_terms = {};    ///< of `run`, where formulas are wanted
};

/// By the prices and rules of a sheet. Where the objective is money, the set-up is that with the
/// lowest score under the deadline, else what the search chooses.
RentedRun rented_run(const Catalog& catalog, const SheetSpec& policy, const Question& question);

/// Device bytes of the row's GPUs at other sequence lengths, and the longest that fits with
/// headroom: of the fastest set-up of each length where the scenario lets recompute and micro-batch
/// vary, else of the row's.
SequenceSeries sequence_series(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                               const Row& row);

/// The cell of the spec that a row came from; it must be one of this spec's.
Cell cell_of(const SheetSpec& spec, const Row& row);

/// A request read for a sheet: its searches weigh ranges as the sheet's picks do.
Question question_of(const Catalog& catalog, const SheetSpec& spec, const Json& request,
                     Faults& faults);

/// nullopt: the request is refused.
std::optional<Question> question_of(const Catalog& catalog, const SheetSpec& spec,
                                    const Cell& cell);

struct AskedRow {
  Question question;
  Candidate chosen;  ///< the fastest layout of the count asked for, else the best
};

/// nullopt: the request is refused, or has no layout on so many GPUs.
std::optional<AskedRow> asked(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                              std::int64_t gpus);

/// The middle of them.
std::optional<double> mid_hours(const Question& question, const Job& job);

/// The first method of the spec of this kind ("full", "lora"); nullptr if there is none.
const Method* method_of_kind(const Catalog& catalog, const SheetSpec& spec, const char* kind);

/// The main scenario's cell of a model, a method and a GPU type; nullopt where it leaves the method
/// out.
std::optional<Cell> main_cell(const SheetSpec& spec, const std::string& model,
                              const std::string& method, const std::string& gpu);

}  // namespace sizesheet
