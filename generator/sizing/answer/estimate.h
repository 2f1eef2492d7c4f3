// SPDX-License-Identifier: Apache-2.0
// The answer to one `estimate` request: parameters, memory, plan, speed, warnings; and its JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/advice/limits.h"
#include "sizing/answer/team_mark.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/search/search.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/json.h"
#include "support/object_text.h"

namespace sizesheet {

struct Candidate;
struct Catalog;
struct EngineConstants;
struct Job;
struct Question;

/// What of the catalog an answer is about; absent where the request names none.
struct AnsweredIds {
  std::optional<std::string> model;
  std::optional<std::string> gpu;
  std::optional<std::string> method;

  static constexpr Key kKeys[] = {
      {"model", "model_id"}, {"gpu", "gpu_id"}, {"method", "method_id"}};
};
BOOST_DESCRIBE_STRUCT(AnsweredIds, (), (model, gpu, method))

struct Sizing {
  std::string id;
  AnsweredIds ids;
  ComponentCounts parameters;
  std::int64_t trainable = 0;
  Plan plan;
  std::int64_t device_low = 0;  ///< interval of the device figure, by the class of the run
  std::int64_t device_high = 0;
  double coverage = 0;
  std::optional<TeamMark> team;  ///< absent where no run of a team's own says something
  std::string interval_class;    ///< id in catalog/intervals.json
  std::string grade;             ///< A | B | C: how well published measurements bear the class out
  std::optional<Throughput> speed;
  std::optional<Hours> hours;
  std::optional<RunFiles> files;  ///< absent for GRPO, whose generation engine has files of its own
  std::string binding;            ///< what binds, in words; whole answers only (binding_words)
  ObjectText defaults;  ///< what was taken for what was left open; whole answers only (defaults_of)
  std::vector<std::string> warnings;
  std::optional<Limits> limits;             ///< where the request asks for them
  std::optional<std::int64_t> comfortable;  ///< fits with 30 % headroom; beside limits
  bool has_deadline = false;
  std::optional<std::int64_t> recommended;  ///< fits and meets the deadline
};

/// Reads a request. Faults throw InputError, all joined, each under its dotted key.
Question read_whole_question(const Json& request, const Catalog& catalog,
                             const EngineConstants& constants);

/// Sizes a question that was read without faults.
Sizing answer(const Question& question);
/// The same for what a search found, or what was chosen after it.
Sizing answer(const Question& question, Plan found);

/// The same with what binds and what was taken for granted, if these words are wanted: what one who
/// asks is told.
Sizing whole_answer(const Question& question);
/// The same of another set-up than the search found, where one is to be shown.
Sizing whole_answer(const Question& question, const Plan& found, const Candidate* shown);

/// `ok: true` line that estimate answers. Without a GPU capacity, verdict and throughput are null.
ObjectText answer_text(const Sizing& sizing);
Json to_json(const Sizing& sizing);
LayoutShape shape_of(const Job& job);
JobChoices choices_of(const Job& job);
SizedLayout sized_layout(const Candidate& candidate);

}  // namespace sizesheet
