// SPDX-License-Identifier: Apache-2.0
// One `estimate` request, understood: its keys read into a Job, every one checked; its stack laid
// under it, model, GPU, and the job under each way of spreading it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "catalog/facts/gpu.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/job/risk_weight.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"

namespace sizesheet {

struct Architecture;
struct Catalog;
struct EngineConstants;
struct Intervals;
struct Stack;
struct StackSetting;

struct ReadJob {
  Job job;
  LayoutPins pins;
  std::int64_t max_gpus = 512;
};

/// `words` may be a function that makes them, where that costs more than to check.
template <typename Words>
void refuse_unless(ObjectReader& reader, bool fine, const char* key, const Words& words) {
  if (fine) return;
  if constexpr (std::is_invocable_v<Words>) {
    reader.fault(key, words());
  } else {
    reader.fault(key, words);
  }
}

// ---- A stack's documented defaults laid under a request: keys the user left out take the stack's
// values.

/// How the GPUs of a layout share one model; decides which variant of a setting holds.
enum class Spread { kSingle, kDdp, kSharded };
/// As variants call them.
inline constexpr NameTable<Spread, 3> kSpreads{
    {{Spread::kSingle, "single"}, {Spread::kDdp, "ddp"}, {Spread::kSharded, "sharded"}}};

/// A trap the stack's preset avoids: the bare default the user did not ask for.
struct Trap {
  std::string key;
  std::string words;
  Json bare_value;
};

/// A setting as it applies to one request. Points into the stack.
struct AppliedSetting {
  explicit AppliedSetting(const StackSetting& of) : setting(&of), value(&of.value) {}

  const StackSetting* setting;
  const Json* value;  ///< where no variant holds
  /// An alternative in the place of value and variants, which avoids no trap.
  bool alternative = false;
  bool has_alternatives = true;
};
using AppliedSettings = std::vector<AppliedSetting>;
struct Question;

/// What a search looks for on the counts that fit.
enum class Objective { kMemory, kTime, kMoney };
inline constexpr NameTable<Objective, 3> kObjectives{
    {{Objective::kMemory, "memory"}, {Objective::kTime, "time"}, {Objective::kMoney, "money"}}};

/// Parts of an answer that a request may name; what a job is spread over, its speed and its hours
/// are always told.
enum class AnswerPart { kMemory, kMoney, kFrontier, kOwn, kBill, kWords };
inline constexpr NameTable<AnswerPart, 6> kAnswerParts{{{AnswerPart::kMemory, "memory"},
                                                        {AnswerPart::kMoney, "money"},
                                                        {AnswerPart::kFrontier, "frontier"},
                                                        {AnswerPart::kOwn, "own"},
                                                        {AnswerPart::kBill, "terms"},
                                                        {AnswerPart::kWords, "words"}}};

/// In the place of the id of a model that the request spells out.
inline constexpr const char* kInlineModel = "inline";

/// What of a request a change to its job leaves alone.
struct Subject {
  std::string id;
  std::shared_ptr<const Architecture> model;
  std::string model_id;   ///< catalog id, or "inline"
  std::string method_id;  ///< catalog id; "" where the request spells the method out
  const Gpu* gpu = nullptr;
  const Stack* stack = nullptr;
  const Intervals* speed_intervals = nullptr;
  /// Of the hours, where a search looks for dollars; an objective of time weighs no range.
  double risk_weight = kDefaultRiskWeight;
  Objective objective = Objective::kMemory;   ///< request key `objective`, or its `search`
  std::optional<TrainingObjective> training;  ///< request key `objective`
  const Catalog* catalog = nullptr;           ///< what the request was read against
};

struct Question : Subject {
  std::string kind;
  AppliedSettings stack_defaults;  ///< what of the stack applies to this request
  std::map<Spread, ReadJob> jobs;  ///< layout dimensions not yet set
  /// The same under other values that the stack's recipes use or the request lets vary, least
  /// recomputation first; a search for the fewest GPUs comes to them where `jobs` does not fit.
  /// Those of the stack only where the request leaves the layout open.
  std::vector<std::map<Spread, ReadJob>> alternatives;
  std::vector<Trap> traps;
  std::vector<std::string> warnings;
  bool wants_limits = false;                 ///< request key `limits`
  std::optional<double> deadline_hours;      ///< request key `deadline_hours`
  bool varies_recompute = false;             ///< request key `vary`
  bool varies_micro_batch = false;           ///< likewise: from the request's own, doubled
  std::optional<EnumSet<AnswerPart>> parts;  ///< request key `answer`
  Json request;                              ///< as asked, `method` always an object

  /// Without `answer` memory and words, and money where that is the objective.
  bool wants(AnswerPart part) const;
  const LayoutPins& pins() const { return jobs.at(Spread::kSingle).pins; }
  /// The job as it is read for one GPU.
  const Job& single() const { return jobs.at(Spread::kSingle).job; }
  std::int64_t max_gpus() const { return jobs.at(Spread::kSingle).max_gpus; }
  std::int64_t gpus_per_node() const { return gpu != nullptr ? gpu->gpus_per_node : 8; }
  /// Calls `change` with the job under each way of spreading it, alternatives included.
  template <typename Change>
  void for_each_job(const Change& change) {
    for (auto& [spread, read] : jobs) change(read.job);
    for (auto& other : alternatives) {
      for (auto& [spread, read] : other) change(read.job);
    }
  }

  /// The request determines every parallel dimension; what it leaves out is 1.
  bool layout_given() const;
  /// That layout; only where `layout_given`.
  Layout given_layout() const;
};

/// Reads and checks a request of the estimate contract; every fault is recorded under its key.
/// With any fault the returned question must not be used.
Question read_question(const Json& request, const Catalog& catalog,
                       const EngineConstants& constants, Faults& faults);

/// The same for a question that was read without faults and whose request now differs in keys of
/// the job; without alternatives.
Question read_again(const Question& question, Json request, const EngineConstants& constants,
                    Faults& faults);

/// Why the stack does not run on this GPU: its documents name the makers of those that it needs; ""
/// where they name this one, or none.
std::string vendor_fault(const Stack& stack, const Gpu& gpu);

/// How a layout spreads the model.
Spread spread_of(const Layout& layout);

/// The job as it was read for the way these dimensions spread the model. `alternative` 0 is the
/// stack's defaults, 1 its first alternative.
const Job& read_job_of(const Question& question, const Layout& dimensions,
                       std::size_t alternative = 0);

/// Sets the parallel dimensions and the sharding; all else stays as the question or the stack's
/// defaults for this way of spreading has it.
void spread_over(const Layout& dimensions, Layout& layout);

/// The job with these parallel dimensions and this sharding; which variant of the stack's settings
/// holds follows from them. `alternative` 0 is the stack's defaults, 1 its first alternative.
Job job_with_layout(const Question& question, const Layout& dimensions,
                    std::size_t alternative = 0);

}  // namespace sizesheet
