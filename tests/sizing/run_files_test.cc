// SPDX-License-Identifier: Apache-2.0
// Files of a run: the arithmetic, and that a printed formula gives the printed bytes.
#include <gtest/gtest.h>

#include "sizing/estimate.h"
#include "sizing/memory/memory.h"
#include "support/formula_evaluator.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Sizing sized(const char* request) {
  const Catalog& catalog = project_catalog();
  return whole_answer(
      read_whole_question(parse_json(request, "request"), catalog, catalog.engine.current));
}

TEST(RunFiles, full_fine_tuning_keeps_weights_and_moments) {
  const Sizing sizing = sized(
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":{"kind":"full"},"state":"hf-amp",
          "layout":{"gpus":8,"dp":8,"shard":"zero3"}})");
  const RunFiles& files = *sizing.files;
  EXPECT_EQ(files.adapter, 0);
  EXPECT_EQ(files.checkpoint, 8030261248 * 12);  // fp32 weights, two fp32 moments
  EXPECT_EQ(files.disk, 8030261248 * 2 + 2 * files.checkpoint);
  EXPECT_EQ(files.host_memory, 8030261248 * 2);
}

TEST(RunFiles, adapters_are_small_beside_their_base) {
  const Sizing sizing = sized(
      R"({"model":"llama-3.1-8b","gpu":"rtx-4090","method":{"kind":"qlora","rank":16},
          "state":"peft-fp32","layout":{"gpus":1,"dp":1,"tp":1}})");
  const RunFiles& files = *sizing.files;
  EXPECT_EQ(files.adapter, 41943040 * 4);
  EXPECT_EQ(files.checkpoint, 41943040 * 12);
  EXPECT_EQ(files.disk, 8030261248 * 2 + files.adapter + 2 * files.checkpoint);
}

TEST(RunFiles, offloaded_states_stand_in_the_node) {
  const Sizing sizing = sized(
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":{"kind":"full"},"state":"deepspeed",
          "layout":{"gpus":16,"dp":16,"shard":"zero3","offload":"optimizer"}})");
  const std::int64_t host = sizing.plan.chosen.bill.host;
  EXPECT_GT(host, 0);
  EXPECT_EQ(sizing.files->host_memory, 8 * host + 8030261248 * 2);
}

TEST(RunFiles, a_printed_formula_gives_the_printed_bytes) {
  const Sizing sizing = sized(
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
          "layout":{"gpus":8,"dp":8,"shard":"zero3","offload":"optimizer"}})");
  const Candidate& chosen = sizing.plan.chosen;
  const std::vector<MemoryTerm> terms = run_file_terms(chosen.job, chosen.bill.host, 8);
  const RunFiles& files = *sizing.files;
  const std::vector<std::int64_t> bytes = {files.adapter, files.checkpoint, files.host_memory,
                                           files.disk};
  ASSERT_EQ(terms.size(), bytes.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(terms[i].bytes, bytes[i]) << terms[i].name;
    EXPECT_NEAR(evaluate(terms[i].formula), static_cast<double>(bytes[i]), 0.5) << terms[i].name;
  }
}

}  // namespace
}  // namespace sizesheet
