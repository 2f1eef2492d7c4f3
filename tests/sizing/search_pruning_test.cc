// SPDX-License-Identifier: Apache-2.0
// A search that leaves out what cannot be better finds what an exhaustive one finds: the same
// layout with the same bill, and the same least count, on random questions and counts.
#include <gtest/gtest.h>

#include <iterator>
#include <map>

#include "sizing/memory/verdict.h"
#include "sizing/random_request.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/layout_search.h"
#include "sizing/search/search.h"
#include "sizing/time/rollout.h"
#include "support/due.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr std::uint64_t kDrawn = 20261122;
constexpr std::int64_t kCounts[] = {1, 2, 3, 4, 8, 12, 16, 32, 64, 128};

constexpr std::int64_t kMost = 96;  // of every count from 1 on
constexpr std::size_t kCells = 10000;

constexpr std::int64_t kFar = 2048;  // of rentable counts, most of which a plan does not look at
constexpr std::size_t kPlans = 800;

std::int64_t capacity_of(const Question& question) {
  return question.gpu->capacity_bytes().value_or(0);
}

void expect_same(const std::optional<Candidate>& pruned, const std::optional<Candidate>& all,
                 const std::string& about) {
  ASSERT_EQ(pruned.has_value(), all.has_value()) << about;
  if (!pruned) return;
  EXPECT_EQ(pruned->verdict, all->verdict) << about;
  EXPECT_EQ(device_mesh(pruned->job), device_mesh(all->job)) << about;
  EXPECT_EQ(pruned->job.layout.shard, all->job.layout.shard) << about;
  EXPECT_EQ(pruned->job.micro_batch, all->job.micro_batch) << about;
  EXPECT_EQ(pruned->job.paged_bytes, all->job.paged_bytes) << about;
  EXPECT_EQ(pruned->bill, all->bill) << about;
}

/// Compares the question on every count it can take, and says how many that were.
std::size_t compare(const Question& question, const std::string& about) {
  LayoutSearch pruned(question, 128);
  LayoutSearch all(question, 128, Pruning::kExhaustive);
  for (const std::int64_t gpus : kCounts) {
    const auto whole = all.best(gpus);
    expect_same(pruned.best(gpus), whole, about + " on " + std::to_string(gpus));
    const auto fastest = all.fastest(gpus);
    const auto found = pruned.fastest(gpus);
    EXPECT_EQ(found.has_value(), fastest.has_value()) << about << " on " << gpus;
    if (found && fastest) {
      expect_same(found->candidate, fastest->candidate,
                  about + ", fastest on " + std::to_string(gpus));
      EXPECT_EQ(found->speed.tokens_per_second_per_gpu, fastest->speed.tokens_per_second_per_gpu);
      EXPECT_EQ(found->speed.tokens_per_second_per_gpu,
                run_speed(found->candidate.job, *question.gpu)->tokens_per_second_per_gpu);
      EXPECT_EQ(found->candidate.verdict, Verdict::kFits) << about;
    }
    const CountQuery alone{capacity_of(question), gpus, gpus, {}};
    EXPECT_EQ(pruned.least_count(alone).has_value(), whole && whole->verdict != Verdict::kNo)
        << about << " on " << gpus;
  }
  const CountQuery every{capacity_of(question), 1, kMost, {}};
  EXPECT_EQ(pruned.least_count(every), all.least_count(every)) << about;
  return std::size(kCounts);
}

/// Every other request leaves to a stack what a stack decides: it has alternatives then. Every
/// third lets recomputation and micro-batch vary, and the accumulation follow from a global batch,
/// over which some keep whole gradients.
Json drawn(RandomRequests& requests, std::size_t number) {
  Json request = requests.next(true);
  if (number % 3 == 0) {
    request["workload"].erase("grad_accum");
    request["workload"]["global_batch"] = number % 2 == 0 ? 8 : 32;
    request["vary"] = {"recompute"};
    if (!request.contains("grpo") && number % 9 != 0) {
      request["vary"].push_back("micro_batch");
      request["workload"].erase("micro_batch");
    }
    if (request.contains("kernels")) request["kernels"].erase("recompute");
    if (number % 9 == 3 && request["state"] != "deepspeed") {
      request["layout"] = {{"shard", "zero3"}, {"sync_each_batch", false}};
    }
  }
  if (number % 2 == 0) leave_to_stack(request, number / 2);
  return request;
}

TEST(SearchPruning, FindsWhatAnExhaustiveSearchFinds) {
  RandomRequests requests(project_catalog(), kDrawn);
  std::size_t compared = 0;
  for (std::size_t number = 0; compared < kCells; ++number) {
    const Json request = drawn(requests, number);
    if (!is_due(number, 1)) {
      compared += std::size(kCounts);
      continue;
    }
    Faults faults;
    const Question question =
        read_question(request, project_catalog(), project_catalog().engine.current, faults);
    if (!faults.empty()) continue;
    compared += compare(question, request.dump());
    if (HasFailure()) return;
  }
}

/// What a walk over every rentable count finds.
Plan walked(const Question& question) {
  Plan found;
  LayoutSearch search(question, kFar);
  std::optional<Candidate> chosen;
  std::optional<Candidate> last;
  for (const std::int64_t gpus : question.gpu->counts_up_to(kFar)) {
    const auto candidate = search.best(gpus);
    if (!candidate) continue;
    if (candidate->verdict != Verdict::kNo && !found.tight) found.tight = gpus;
    if (candidate->verdict == Verdict::kFits) found.rentable = gpus;
    if (!chosen || better(candidate->fit_result(), chosen->fit_result())) {
      chosen = candidate;
      found.before = last;
    }
    if (found.rentable) break;
    last = candidate;
  }
  found.chosen = chosen.value();
  return found;
}

TEST(SearchPruning, FarCountsAreFoundAsByAWalkOverAll) {
  RandomRequests requests(project_catalog(), kDrawn);
  std::map<Verdict, std::size_t> beyond;  // those that no near count answers, by verdict
  const auto wanted = [&beyond](std::size_t number) {
    const bool seen = beyond.contains(Verdict::kNo) && beyond.contains(Verdict::kFits);
    return number < kPlans || (!seen && number < 10 * kPlans);
  };
  for (std::size_t number = 0; wanted(number); ++number) {
    Json request = drawn(requests, number);
    request["model"] = "deepseek-v3";
    request["gpu"] = number % 2 == 0 ? "h100-sxm" : "b200";
    request["max_gpus"] = kFar;
    Faults faults;
    const Question question =
        read_question(request, project_catalog(), project_catalog().engine.current, faults);
    if (!faults.empty() || !is_due(number, 1)) continue;
    const Plan expected = walked(question);
    const Plan found = search_counts(question);
    EXPECT_EQ(found.rentable, expected.rentable) << request;
    EXPECT_EQ(found.tight, expected.tight) << request;
    expect_same(found.chosen, expected.chosen, request.dump());
    expect_same(found.before, expected.before, "before " + request.dump());
    if (found.chosen.job.layout.gpus() > 512) ++beyond[found.chosen.verdict];
    if (HasFailure()) return;
  }
  EXPECT_GT(beyond[Verdict::kNo], 0);
  EXPECT_GT(beyond[Verdict::kFits], 0);
}

TEST(SearchPruning, ALimitFarAwayDoesNotMeanThatEveryCountIsLookedAt) {
  const Json request = {{"id", "far"},
                        {"model", "deepseek-v3"},
                        {"gpu", "h100-sxm"},
                        {"method", {{"kind", "full"}}},
                        {"workload", {{"seq_len", 131072}, {"micro_batch", 512}}},
                        {"max_gpus", 100000}};
  Faults faults;
  const Question question =
      read_question(request, project_catalog(), project_catalog().engine.current, faults);
  ASSERT_TRUE(faults.empty());
  const Plan found = search_counts(question);
  EXPECT_EQ(found.chosen.verdict, Verdict::kNo);
  EXPECT_EQ(found.limit, 100000);
  const std::size_t near = question.gpu->counts_up_to(512).size();
  EXPECT_LE(found.counts.size(), near + 2);
}

}  // namespace
}  // namespace sizesheet
