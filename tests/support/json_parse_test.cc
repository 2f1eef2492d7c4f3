// SPDX-License-Identifier: Apache-2.0
// JSON text that is refused, each with its place.
#include "support/json_parse.h"

#include <gtest/gtest.h>

#include <random>

#include "support/due.h"
#include "support/json.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string json_refusal(const std::string& text) {
  return refusal_of([&] { parse_json(text, "a.json"); });
}

TEST(ParseJson, reads_every_kind_of_value) {
  const Json value = parse_json(R"({"a": [1, -2, 1.5, "x", true, false, null, {}, []]})", "a.json");
  EXPECT_EQ(value.dump(), R"({"a":[1,-2,1.5,"x",true,false,null,{},[]]})");
  EXPECT_EQ(parse_json(" 7 ", "a.json"), Json(7));
}

TEST(ParseJson, names_line_and_column_of_malformed_text) {
  EXPECT_EQ(json_refusal("{\"a\": 1,}"), "a.json:1:9: not JSON near '1,}'");
  EXPECT_EQ(json_refusal("{\n  \"a\" 1\n}"), "a.json:2:7: not JSON near '1'");
  EXPECT_EQ(json_refusal("{\"ü\": ?}"), "a.json:1:7: not JSON near '\"ü\": ?'");
  EXPECT_EQ(json_refusal("[NaN]"), "a.json:1:2: not JSON near '[N'");
  EXPECT_EQ(json_refusal(""), "a.json:1:1: not JSON: the text ends too early");
}

TEST(ParseJson, skips_comments_where_they_may_stand_and_keeps_every_place) {
  const auto commented = [](const std::string& text) {
    return parse_json(text, "a.json", kMostValues, Comments::kSkipped);
  };
  EXPECT_EQ(commented("// ü\n{\"a\": /* \" */ 1 // ]\n}\n//"), Json({{"a", 1}}));
  EXPECT_EQ(commented(R"({"a": "// no comment"})"), Json({{"a", "// no comment"}}));
  EXPECT_EQ(refusal_of([&] { commented("// ü\n{ /* ü */ \"a\" 1}"); }),
            "a.json:2:15: not JSON near '1'");
  EXPECT_EQ(refusal_of([&] { commented("{/* \"a\": 1}"); }),
            "a.json:1:12: not JSON near '{/* \"a\": 1}'");
  EXPECT_EQ(json_refusal("{\"a\": 1} // one"), "a.json:1:10: not JSON near '1} /'");
}

TEST(ParseJson, refuses_duplicate_keys) {
  EXPECT_EQ(json_refusal("{\"a\": 1,\n \"a\": 2}"), "a.json:2:4: duplicate key \"a\"");
  EXPECT_EQ(json_refusal(R"({"x": [0, {"a/b": 1, "a/b": 2}]})"),
            "a.json:1:26: duplicate key \"a/b\" (at /x/1/a~1b)");
  EXPECT_EQ(json_refusal(R"({"a": {"b": 1}, "c": {"b": 1}})"), "no refusal");
}

/// `text` with some of its characters others, gone or twice.
std::string mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view kLetters = "{}[]:,\"\\ue-+.0195tfnl \n\t/*\xC3\xA9\xFF\x01";
  for (int left = 1 + static_cast<int>(random() % 3); left > 0; --left) {
    const std::size_t at = random() % text.size();
    const char letter = kLetters[random() % kLetters.size()];
    switch (random() % 3) {
      case 0:
        text[at] = letter;
        break;
      case 1:
        text.insert(at, 1, letter);
        break;
      default:
        text.erase(at, 1 + random() % 2);
    }
    if (text.empty()) text = " ";
  }
  return text;
}

TEST(ParseJson, takes_what_the_library_takes_and_reads_the_same) {
  const std::string base =
      R"({"a": [1, -2, 1.5e3, "x\u00e9\n", true, false, null, {}, []], "b": {"c": -0.0, "é": 1e-9}})";
  std::mt19937 random(7);
  int taken = 0;
  int read_at_all = 0;
  for (std::size_t i = 0; i < 200'000; ++i) {
    const std::string text = mutated(base, random);
    if (!is_due(i, 1)) continue;
    ++read_at_all;
    std::optional<Json> read;
    const std::string refusal = refusal_of([&] { read = parse_json(text, "a.json"); });
    if (refusal.find("duplicate key") != std::string::npos) continue;
    ASSERT_EQ(read.has_value(), Json::accept(text)) << text << '\n' << refusal;
    if (!read) continue;
    ASSERT_EQ(*read, Json::parse(text)) << text;
    ++taken;
  }
  EXPECT_GT(taken, read_at_all / 20);
}

TEST(ParseJson, hands_over_the_elements_of_a_list_one_by_one) {
  std::string seen;
  const Json rest = parse_json(
      R"({"a": [{"rows": [{"x": 0}]}], "rows": [{"x": 1}, 7, {"x": {"rows": [{}]}}], "z": 2})",
      "a.json", "rows", [&](Json&& element, std::size_t index) {
        seen += std::to_string(index) + " " + element.dump() + "\n";
      });
  EXPECT_EQ(seen, "0 {\"x\":1}\n1 7\n2 {\"x\":{\"rows\":[{}]}}\n");
  EXPECT_EQ(rest.dump(), R"({"a":[{"rows":[{"x":0}]}],"rows":[],"z":2})");
}

TEST(ParseJson, hands_over_each_element_once_where_the_document_is_read_again) {
  std::string seen;
  const auto note = [&](Json&& element, std::size_t) { seen += element.dump() + " "; };
  const std::string text = R"({"rows": [1, 2, 123456789012345678901, 4]})";
  EXPECT_EQ(parse_json(text, "a.json", "rows", note).dump(), R"({"rows":[]})");
  EXPECT_EQ(seen, "1 2 1.2345678901234568e+20 4 ");
  seen.clear();
  EXPECT_EQ(refusal_of([&] { parse_json(R"({"rows": [1, 2, ]})", "a.json", "rows", note); }),
            "a.json:1:17: not JSON near '2, ]'");
  EXPECT_EQ(seen, "1 2 ");
}

TEST(ParseJson, knows_the_place_in_a_list_that_is_handed_over) {
  const auto refused_in_rows = [](const std::string& text) {
    return refusal_of([&] { parse_json(text, "a.json", "rows", [](Json&&, std::size_t) {}); });
  };
  EXPECT_EQ(refused_in_rows(R"({"rows": [{"x": 1}, {"x": 1, "x": 2}]})"),
            "a.json:1:32: duplicate key \"x\" (at /rows/1/x)");
  EXPECT_EQ(refused_in_rows(R"({"rows": [{"x": 1}, {"x" 1}]})"), "a.json:1:26: not JSON near '1'");
  EXPECT_EQ(refused_in_rows("[[1], [2], {}]"), "no refusal");
}

TEST(ParseJson, refuses_a_number_beyond_all_bounds) {
  EXPECT_EQ(json_refusal("[1, 1e400]"), "a.json:1:9: the number 1e400 is out of range");
}

TEST(ParseJson, its_messages_are_utf8_whatever_the_text_is) {
  EXPECT_EQ(json_refusal("[\"\xC3\x28\"]"), "a.json:1:4: not JSON: the text is not UTF-8");
  std::string text = "\"";
  for (int i = 0; i < 60; ++i) text += "ü";
  EXPECT_EQ(json_refusal(text), "a.json:1:62: not JSON near '" + text.substr(0, 39) + "'");
}

TEST(ParseJson, ends_at_200_levels) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(json_refusal(nested(200)), "no refusal");
  EXPECT_EQ(json_refusal(nested(201)), "a.json:1:201: nested more than 200 levels deep");
  EXPECT_EQ(json_refusal(std::string(1000000, '[')),
            "a.json:1:201: nested more than 200 levels deep");
}

TEST(ParseJson, nothing_follows_a_zero_byte) {
  using std::string_literals::operator""s;
  const std::string refused = "not JSON: the text goes on after a zero byte";
  EXPECT_EQ(json_refusal("{}\0{\"id\": 2}"s), "a.json:1:3: " + refused);
  EXPECT_EQ(json_refusal("{}\n\0"s), "a.json:2:1: " + refused);
  EXPECT_EQ(json_refusal("[1, \0 2]"s).substr(0, 18), "a.json:1:5: not JS");
}

TEST(ParseJson, a_byte_order_mark_is_no_json) {
  EXPECT_EQ(json_refusal("\xEF\xBB\xBF{}"),
            "a.json:1:1: not JSON: the text begins with a byte order mark");
}

}  // namespace
}  // namespace sizesheet
