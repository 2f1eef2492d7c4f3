// SPDX-License-Identifier: Apache-2.0
// The layout that is told is the layout that was sized: an answer, told again as a request with
// everything that the program chose, has the same bytes and the same hours. Ten thousand random
// answers, every row of the sheet, and cases of which the sharding and the mesh are known
// (tests/oracles/told_again.json).
#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "sheet/quarterly.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_shape.h"
#include "sizing/random_request.h"
#include "sizing/sized.h"
#include "support/due.h"
#include "support/golden.h"
#include "support/json.h"

namespace sizesheet {
namespace {

constexpr std::uint64_t kTold = 20261127;
constexpr std::size_t kAnswers = 10000;

/// The request with all that its answer says was chosen. `mesh` only says the layout in words.
Json told_again(Json request, const Json& answer) {
  const bool own_batch = !at_dotted(request, "workload.global_batch").is_null() ||
                         !at_dotted(request, "grpo.prompts_per_step").is_null();
  for (const auto& [key, value] : answer.at("layout").items()) {
    if (key != "mesh") request["layout"][key] = value;
  }
  for (const auto& [key, value] : answer.at("defaults").at("taken").items()) {
    const bool follows = key == "workload.grad_accum" && own_batch;
    if (!follows) set_dotted(request, key, value);
  }
  request.erase("vary");
  return request;
}

void expect_same_answer(const Json& request, const Json& answer) {
  const Json again = told_again(request, answer);
  const testing::ScopedTrace where(__FILE__, __LINE__, request.dump() + "\nagain: " + again.dump());
  Json second;
  const std::string refused = refusal_of([&] { second = to_json(sized(again)); });
  ASSERT_EQ(refused, "no refusal");
  for (const char* figure : {"memory", "hours", "throughput", "parameters", "layout", "files"}) {
    EXPECT_EQ(second.at(figure), answer.at(figure)) << figure;
  }
}

/// By number: searched or pinned, with or without a stack, a global batch and a free recomputation.
Json asked_at_random(RandomRequests& requests, std::size_t number) {
  const bool searched = number % 8 == 0;  // a search takes long; what is told again is pinned
  Json request = requests.next(searched);
  if (number % 3 == 0) {
    request["workload"].erase("grad_accum");
    request["workload"]["global_batch"] = number % 4 == 0 ? 8 : 32;
    if (searched && request.contains("kernels")) {
      request["kernels"].erase("recompute");
      request["kernels"].erase("recompute_layers");
      request["vary"] = {"recompute"};
    }
  }
  if (number % 5 < 3) leave_to_stack(request, number / 5);
  const bool grpo = request.contains("grpo");
  if (!grpo && number % 7 < 5) request["workload"]["tokens"] = 10'000'000;
  if (number % 7 == 0 && !request.contains("objective")) request["objective"] = "time";
  if (searched && number % 11 == 0) request["layout"] = {{"gpus", 8}};
  if (searched && number % 13 == 0) request["layout"] = {{"tp", 2}, {"shard", "zero3"}};
  return request;
}

TEST(ToldAgain, TenThousandRandomAnswersHaveTheSameBytesAndHours) {
  RandomRequests requests(project_catalog(), kTold);
  std::size_t answered = 0;
  std::size_t sharded_experts = 0;
  for (std::size_t number = 0; answered < kAnswers; ++number) {
    Json request = asked_at_random(requests, number);
    if (!is_due(number, 1)) {
      ++answered;
      continue;
    }
    Json answer;
    const auto ask_once = [&] {
      const Sizing sizing = sized(request);
      const Job& job = sizing.plan.chosen.job;
      sharded_experts += job.layout.replicas() == 1 && job.shards_experts() ? 1 : 0;
      answer = to_json(sizing);
    };
    if (refusal_of(ask_once) != "no refusal") continue;
    expect_same_answer(request, answer);
    ++answered;
    if (HasFailure()) return;
  }
  EXPECT_GT(sharded_experts, 0U);
}

TEST(ToldAgain, EveryRowOfTheSheetHasItsBytes) {
  const Sheet& sheet = quarterly_sheet();
  const Catalog& catalog = project_catalog();
  for (const Row& row : sheet.rows) {
    if (!row.modelled) continue;
    Json request = request_of(catalog, quarterly_spec(), cell_of(quarterly_spec(), row));
    request.erase("vary");
    Json& layout = request["layout"];
    const LayoutShape& told = row.layout;
    layout = {{"gpus", told.gpus},   {"dp", told.dp},          {"tp", told.tp},   {"pp", told.pp},
              {"cp", told.cp},       {"ep", told.ep},          {"etp", told.etp}, {"vpp", told.vpp},
              {"shard", told.shard}, {"offload", told.offload}};
    request["kernels"]["recompute"] = told.recompute;
    request["kernels"]["loss"] = told.loss;
    request["workload"]["micro_batch"] = told.micro_batch;
    const Sizing again = sized(request);
    EXPECT_EQ(again.plan.chosen.device(), row.memory.device) << row.key();
    ASSERT_TRUE(again.hours || !row.hours_mid) << row.key();
    if (row.hours_mid) {
      EXPECT_EQ(again.hours->mid, *row.hours_mid) << row.key();
    }
    EXPECT_EQ(again.plan.chosen.job.grad_accum, told.grad_accum) << row.key();
  }
}

TEST(ToldAgain, ShardingAndMeshAreThoseOfTheCases) {
  const Json file = oracle("told_again.json");
  for (const Json& one : file.at("cases")) {
    const testing::ScopedTrace where(__FILE__, __LINE__, one.at("case").get<std::string>());
    const Json& request = one.at("request");
    const Json answer = to_json(sized(request));
    for (const auto& [pointer, value] : one.at("told").items()) {
      EXPECT_EQ(answer.at(Json::json_pointer(pointer)), value) << pointer;
    }
    expect_same_answer(request, answer);
  }
}

}  // namespace
}  // namespace sizesheet
