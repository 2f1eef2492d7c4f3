// SPDX-License-Identifier: Apache-2.0
// Texts of a document that a terminal or a page would act upon.
#include "support/json_texts.h"

#include <gtest/gtest.h>

#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string texts_refusal(const Json& document) {
  return refusal_of([&] { refuse_unfit_texts(document, "a.json", "/x"); });
}

TEST(JsonTexts, of_people_pass) {
  EXPECT_EQ(texts_refusal({{"a", "模型 🙂 e\u0301"}, {"b", {1, true, nullptr, "plain"}}}),
            "no refusal");
}

TEST(JsonTexts, that_act_are_refused_at_their_place) {
  EXPECT_EQ(texts_refusal({{"a", {"fine", "\x1b[31m"}}}),
            "a.json:/x/a/1: expected a text without the character U+001B");
  EXPECT_EQ(texts_refusal({{"a", "b\u202ec"}}),
            "a.json:/x/a: expected a text without the character U+202E");
  EXPECT_EQ(texts_refusal({{"\u2066", 1}}),
            "a.json:/x: expected a text without the character U+2066");
}

}  // namespace
}  // namespace sizesheet
