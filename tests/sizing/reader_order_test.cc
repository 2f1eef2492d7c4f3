// SPDX-License-Identifier: Apache-2.0
// The order in which the readers of a request run, told by their types: a reader that is called
// before one that it depends on does not compile.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/request/grpo_reader.h"
#include "sizing/request/job_basis.h"
#include "sizing/request/kernels_reader.h"
#include "sizing/request/method_reader.h"
#include "sizing/request/objective_reader.h"
#include "sizing/request/question.h"
#include "sizing/request/workload_reader.h"
#include "sizing/sized.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The reader takes parts of these types, behind what all readers take.
template <typename... Parts>
concept ReadsPrecision = requires(ObjectReader request, std::optional<ObjectReader> kernels,
                                  const Parts&... parts) {
  read_precision(request, kernels, nullptr, parts...);
};
static_assert(ReadsPrecision<StateKeys>);
static_assert(!ReadsPrecision<OptimizerKeys>, "the state comes before the precision");

template <typename... Parts>
concept ReadsMethod = requires(ObjectReader reader, const Architecture& model,
                               const Parts&... parts) {
  read_method_keys(reader, model, parts...);
};
static_assert(ReadsMethod<PrecisionKeys>);
static_assert(!ReadsMethod<StateKeys>, "the precision comes before the method");

template <typename... Parts>
concept ReadsKernels = requires(ObjectReader reader, const JobBasis& basis, const Parts&... parts) {
  read_kernels(reader, basis, parts...);
};
static_assert(ReadsKernels<PrecisionKeys, MethodKeys>);
static_assert(!ReadsKernels<PrecisionKeys>, "the method comes before the kernels");

template <typename... Parts>
concept ReadsWorkload = requires(ObjectReader reader, const JobBasis& basis,
                                 const Parts&... parts) {
  read_workload(reader, false, basis, parts...);
};
static_assert(ReadsWorkload<ReadMethod, KernelKeys>);
static_assert(!ReadsWorkload<ReadMethod>, "the kernels come before the workload");

template <typename... Parts>
concept ReadsGrpo = requires(ObjectReader request, const JobBasis& basis, const Parts&... parts) {
  read_grpo(request, basis, parts...);
};
static_assert(ReadsGrpo<MethodKeys, WorkloadKeys>);
static_assert(!ReadsGrpo<MethodKeys>, "the workload comes before grpo");

template <typename... Parts>
concept ChecksObjective = requires(ObjectReader request, const Architecture& model,
                                   const Parts&... parts) {
  check_objective(request, model, parts...);
};
static_assert(ChecksObjective<MethodKeys, RunKeys>);
static_assert(!ChecksObjective<MethodKeys, WorkloadKeys>, "grpo comes before the objective");

static_assert(std::is_base_of_v<PrecisionKeys, Job> && std::is_base_of_v<MethodKeys, Job> &&
              std::is_base_of_v<KernelKeys, Job> && std::is_base_of_v<RunKeys, Job>);

TEST(ReaderOrder, TellsTheFaultsOfEachPartInItsOrder) {
  const Json request = parse_json(R"({
    "model": "llama-3.1-8b", "gpu": "h100-sxm", "max_gpus": "x", "headroom": "x",
    "overheads": {"context_gib": "x"}, "layout": {"tp": "x"}, "workload": {"seq_len": "x"},
    "kernels": {"loss": "x"}, "method": {"kind": "lora", "rank": "x"}, "state": "x",
    "optimizer": "x"})",
                                  "request");
  Faults faults;
  read_question(request, project_catalog(), project_catalog().engine.current, faults);
  EXPECT_EQ(each_of(faults.all(), &Fault::pointer),
            (std::vector<std::string>{"/optimizer", "/state", "/method/rank", "/kernels/loss",
                                      "/workload/seq_len", "/layout/tp", "/overheads/context_gib",
                                      "/headroom", "/max_gpus"}));
}

/// The loss of an objective, and what of the base trains for it, where the request has no kernels.
TEST(ReaderOrder, LetsAnObjectiveSayTheLossWithoutKernels) {
  const auto job = [](const std::string& kind) {
    return question_of(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
                           "method": {"kind": "lora", "rank": 16}, "objective": {"kind": ")" +
                       kind + R"("}})")
        .single();
  };
  EXPECT_EQ(job("sft").loss, "hf");
  EXPECT_EQ(job("dpo").loss, "trl-reference");
  EXPECT_FALSE(job("dpo").head_trains());
  EXPECT_EQ(job("reward").loss, "scores");
  EXPECT_TRUE(job("reward").head_trains());
}

}  // namespace
}  // namespace sizesheet
