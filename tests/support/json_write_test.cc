// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/json.h"

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

}  // namespace
}  // namespace sizesheet
