// SPDX-License-Identifier: Apache-2.0
// Every lint of tests/oracles/lints.json: fires with its bytes, is a warning of the answer, and
// keeps still on the same job without its cause.
#include <gtest/gtest.h>

#include <algorithm>

#include "sizing/estimate.h"
#include "sizing/search/remarks.h"
#include "sizing/sized.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The words of this lint, "" if it does not fire.
std::string words_of(const std::string& id, const Json& request) {
  const Question question = question_of(request.dump());
  const Sizing sizing = answer(question);
  for (const Lint& lint : lints(question, sizing.plan.chosen, sizing.speed)) {
    if (lint.id != id) continue;
    EXPECT_EQ(std::ranges::count(sizing.warnings, id + ": " + lint.words), 1) << id;
    return lint.words;
  }
  return "";
}

TEST(Lints, FireWithTheirBytesAndKeepStillWithoutTheirCause) {
  const Json rows = oracle("lints.json").at("lints");
  ASSERT_EQ(rows.size(), 17U);
  for (const Json& row : rows) {
    const std::string id = row.at("id");
    Json request = row.at("request");
    EXPECT_EQ(words_of(id, request), row.at("words").get<std::string>()) << id;
    request.merge_patch(row.at("without"));
    EXPECT_EQ(words_of(id, request), "") << id;
  }
}

TEST(Lints, TellTheBytesThatTheRequestSaves) {
  const Json saving = {{"model", "qwen3-30b-a3b"},
                       {"gpu", "h200-sxm"},
                       {"layout", {{"gpus", 1}}},
                       {"kernels", {{"recompute", "full"}}},
                       {"method", {{"kind", "qlora"}, {"rank", 16}}}};
  Json wide = saving;
  wide["method"]["quantize_experts"] = false;
  const auto device = [](const Json& request) {
    return plan(question_of(request.dump())).chosen.bill.device;
  };
  const std::string words = words_of("unquantised-experts", wide);
  const std::string more = format_gib(device(wide) - device(saving), 1);
  EXPECT_NE(words.find(": " + more + " GiB more"), std::string::npos) << words;
}

}  // namespace
}  // namespace sizesheet
