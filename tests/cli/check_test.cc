// SPDX-License-Identifier: Apache-2.0
// The check command: its words and its exit codes.
#include "cli/check.h"

#include <gtest/gtest.h>

#include <sstream>

#include "catalog/sample_catalog.h"
#include "cli/program.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Outcome check(const Documents& documents) {
  const TempDir dir;
  write_documents(dir, documents);
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_check(dir.path(), out, err);
  return {code, without(out.str(), dir.path().string() + "/"), err.str()};
}

TEST(Check, holds_the_guides_against_their_own_arithmetic) {
  Documents documents = sample_documents();
  documents.at("conventions/figures/simple.json")["figures"][0]["printed"] = 17.5;
  const Outcome outcome = check(documents);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "conventions/figures/simple.json:/figures/0/status: expected what the arithmetic says, "
            "\"inconsistent\", got \"exact\"\n");
}

TEST(Check, says_what_it_found_sound) {
  const Outcome outcome = check(sample_documents());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "catalog: 1 models, 1 gpus, 1 prices, 1 stacks: no faults\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Check, prints_one_fault_a_line) {
  Documents documents = sample_documents();
  documents["gpus/h100.json"]["tdp_w"] = "x";
  documents["models/small.json"]["titel"] = "x";
  const Outcome outcome = check(documents);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "models/small.json:/titel: unknown key (did you mean \"title\"?)\n"
            "gpus/h100.json:/tdp_w: expected a number, got \"x\"\n");
}

TEST(Check, leaves_what_cannot_be_read_to_the_caller) {
  const TempDir dir;
  std::ostringstream out;
  EXPECT_EQ(refusal_of([&] { run_check(dir.path() / "none", out, out); }),
            (dir.path() / "none").string() + ": cannot list: No such file or directory");
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace sizesheet
