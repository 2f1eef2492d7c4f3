// SPDX-License-Identifier: Apache-2.0
// JSON as text: numbers and keys as they are written, and texts that a terminal or a page would act
// upon.
#include <gtest/gtest.h>

#include <map>

#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

TEST(JsonText, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(json_text(Json(156.921284)), "156.921284");
  EXPECT_EQ(json_text(Json(250000.0)), "250000");
  EXPECT_EQ(json_text(Json(100000.0)), "100000");
  EXPECT_EQ(json_text(Json(0.1)), "0.1");
  EXPECT_EQ(json_text(Json(-0.0)), "0");
  EXPECT_EQ(json_text(Json(std::int64_t{9007199254740993})), "9007199254740993");
}

TEST(JsonText, KeysAreSortedAndTextEscaped) {
  const Json value = {{"b", Json::array({1, nullptr, true})}, {"a", "say \"x\"\n"}};
  EXPECT_EQ(json_text(value), "{\"a\":\"say \\\"x\\\"\\n\",\"b\":[1,null,true]}");
  EXPECT_EQ(json_text(Json::object()), "{}");
  EXPECT_EQ(json_text(Json::array()), "[]");
}

TEST(JsonText, InvalidUtf8IsReplacedNotThrown) {
  EXPECT_EQ(json_text(Json(std::string("\xff"))), "\"\xEF\xBF\xBD\"");
}

std::string texts_refusal(const Json& document) {
  return refusal_of([&] { refuse_unfit_texts(document, "a.json", "/x"); });
}

TEST(JsonTexts, of_people_pass) {
  EXPECT_EQ(texts_refusal({{"a", "模型 🙂 e\u0301"}, {"b", {1, true, nullptr, "plain"}}}),
            "no refusal");
  // A family, a heart on fire, Persian and Malayalam words that are written with joiners.
  EXPECT_EQ(texts_refusal({"👩\u200d👩\u200d👧", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "ന്\u200d"}),
            "no refusal");
}

TEST(JsonTexts, that_hide_something_are_refused_by_their_property) {
  for (const auto& [text, name] : std::map<std::string, std::string>{
           {"us\u200b-east", "U+200B"}, {"us\u200e-east", "U+200E"}, {"us\u200f-east", "U+200F"},
           {"us\u061c-east", "U+061C"}, {"us\u00ad-east", "U+00AD"}, {"us\u2060-east", "U+2060"},
           {"us\ufeff-east", "U+FEFF"}, {"us\u200d-east", "U+200D"}, {"us\u200c-east", "U+200C"},
           {"1\ufe0f", "U+FE0F"},       {"a\u180b", "U+180B"},       {"🏴\U000e0067", "U+E0067"},
           {"\u3164", "U+3164"},        {"\u115f", "U+115F"},        {"\uffa0", "U+FFA0"},
           {"\ufff9", "U+FFF9"},        {"\u0378", "U+0378"},        {"\ue000", "U+E000"},
           {"\u2028", "U+2028"},        {"\u0085", "U+0085"}}) {
    EXPECT_EQ(texts_refusal({{"a", text}}),
              "a.json:/x/a: expected a text without the character " + name);
  }
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
