// SPDX-License-Identifier: Apache-2.0
// The reader of JSON objects: every kind of fault with its whole text.
#include <gtest/gtest.h>

#include <functional>

#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// The faults of one reading of `text`.
Texts faults_of(const std::string& text, const std::function<void(ObjectReader&)>& read) {
  const Json value = parse_json(text, "f");
  Faults faults;
  ObjectReader reader(value, "f", "", faults);
  read(reader);
  return texts_of(faults);
}

TEST(ObjectReader, returns_what_stands_there) {
  const Json value = parse_json(
      R"({"t":"x","i":4,"n":1.5,"f":true,"u":3.82,"l":["a"],"c":[1,2],"o":{"k":1}})", "f");
  Faults faults;
  ObjectReader reader(value, "f", "", faults);
  EXPECT_EQ(reader.text("t"), "x");
  EXPECT_EQ(reader.integer("i"), 4);
  EXPECT_EQ(reader.number("n"), 1.5);
  EXPECT_EQ(reader.number("i"), 4.0);
  EXPECT_TRUE(reader.flag("f"));
  EXPECT_EQ(reader.usd("u").value, 3820000);
  EXPECT_EQ(reader.texts("l"), Texts{"a"});
  EXPECT_EQ(reader.integers("c"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(reader.object("o").integer("k"), 1);
  reader.done();
  EXPECT_EQ(texts_of(faults), Texts{});
}

TEST(ObjectReader, absent_and_null_are_left_to_the_fallback) {
  const Json value = parse_json(R"({"a": null})", "f");
  Faults faults;
  ObjectReader reader(value, "f", "", faults);
  for (const char* key : {"a", "b"}) {
    EXPECT_FALSE(reader.has(key));
    EXPECT_EQ(reader.text_or(key, "x"), "x");
    EXPECT_EQ(reader.integer_or(key, 7), 7);
    EXPECT_EQ(reader.number_or(key, 2.5), 2.5);
    EXPECT_TRUE(reader.flag_or(key, true));
    EXPECT_EQ(reader.one_of_or(key, {"p", "q"}, "q"), "q");
    EXPECT_EQ(reader.optional_text(key), std::nullopt);
    EXPECT_EQ(reader.optional_integer(key), std::nullopt);
    EXPECT_EQ(reader.optional_number(key), std::nullopt);
    EXPECT_EQ(reader.optional_usd(key), std::nullopt);
    EXPECT_FALSE(reader.optional_object(key).has_value());
  }
  EXPECT_TRUE(reader.mentions("a"));
  EXPECT_FALSE(reader.mentions("b"));
  EXPECT_EQ(texts_of(faults), Texts{});
}

TEST(ObjectReader, missing_keys) {
  EXPECT_EQ(
      faults_of(R"({"n": null})",
                [](ObjectReader& reader) {
                  reader.text("t");
                  reader.integer("i", {1, 8});
                  reader.number("n");
                  reader.flag("f");
                  reader.usd("u");
                  reader.one_of("c", {"fits", "tight"});
                  reader.texts("l");
                  reader.integers("k");
                  reader.object("o");
                  reader.objects("p");
                  reader.members("m");
                }),
      (Texts{"f:/t: expected text, got nothing", "f:/i: expected an integer, got nothing",
             "f:/n: expected a number, got null", "f:/f: expected true or false, got nothing",
             "f:/u: expected US dollars, not negative, with at most six decimals, got nothing",
             "f:/c: expected one of fits, tight; got nothing",
             "f:/l: expected a list of texts, got nothing",
             "f:/k: expected a list of integers, got nothing",
             "f:/o: expected an object, got nothing",
             "f:/p: expected a list of objects, got nothing",
             "f:/m: expected an object, got nothing"}));
}

TEST(ObjectReader, integers_out_of_kind_or_bounds) {
  const auto read = [](const std::string& value, Bounds<std::int64_t> bounds) {
    return faults_of("{\"i\": " + value + "}",
                     [&](ObjectReader& reader) { reader.integer("i", bounds); });
  };
  EXPECT_EQ(read("\"abc\"", {1, 8}), Texts{"f:/i: expected an integer, got \"abc\""});
  EXPECT_EQ(read("4.5", {1, 8}), Texts{"f:/i: expected an integer, got 4.5"});
  EXPECT_EQ(read("4.0", {1, 8}), Texts{"f:/i: expected an integer, got 4.0"});
  EXPECT_EQ(read("true", {}), Texts{"f:/i: expected an integer, got true"});
  EXPECT_EQ(read("9", {1, 8}), Texts{"f:/i: expected an integer from 1 to 8, got 9"});
  EXPECT_EQ(read("0", {.low = 1}), Texts{"f:/i: expected an integer of at least 1, got 0"});
  EXPECT_EQ(read("9", {.high = 8}), Texts{"f:/i: expected an integer of at most 8, got 9"});
  EXPECT_EQ(read("18446744073709551615", {.low = 1}),
            Texts{"f:/i: expected an integer of at least 1, got 18446744073709551615"});
  EXPECT_EQ(read("8", {1, 8}), Texts{});
}

TEST(ObjectReader, numbers_out_of_kind_or_bounds) {
  const auto read = [](const std::string& value, Bounds<double> bounds) {
    return faults_of("{\"n\": " + value + "}",
                     [&](ObjectReader& reader) { reader.number("n", bounds); });
  };
  constexpr double kLeast = std::numeric_limits<double>::min();
  EXPECT_EQ(read("\"1\"", {0, 1}), Texts{"f:/n: expected a number, got \"1\""});
  EXPECT_EQ(read("1.5", {0, 1}), Texts{"f:/n: expected a number from 0 to 1, got 1.5"});
  EXPECT_EQ(read("-1", {.low = 0}), Texts{"f:/n: expected a number of at least 0, got -1"});
  EXPECT_EQ(read("0", {.low = kLeast}), Texts{"f:/n: expected a number above 0, got 0"});
  EXPECT_EQ(read("2", {kLeast, 1}), Texts{"f:/n: expected a number above 0 and at most 1, got 2"});
}

TEST(ObjectReader, a_faulty_number_gives_the_bound_nearest_to_zero) {
  const Json value = parse_json(R"({"i": "x", "n": "x"})", "f");
  Faults faults;
  ObjectReader reader(value, "f", "", faults);
  EXPECT_EQ(reader.integer("i", {1, 8}), 1);
  EXPECT_EQ(reader.integer("i", {-5, 8}), 0);
  EXPECT_EQ(reader.number("n", {.high = -2}), -2);
}

TEST(ObjectReader, money_is_exact_or_refused) {
  const auto read = [](const std::string& value) {
    return faults_of("{\"u\": " + value + "}", [&](ObjectReader& reader) { reader.usd("u"); });
  };
  const std::string head =
      "f:/u: expected US dollars, not negative, with at most six decimals, got ";
  EXPECT_EQ(read("0.000001"), Texts{});
  EXPECT_EQ(read("250000"), Texts{});
  EXPECT_EQ(read("1e3"), Texts{});
  EXPECT_EQ(read("0.0000001"), Texts{head + "1e-07"});
  EXPECT_EQ(read("1.2345678"), Texts{head + "1.2345678"});
  EXPECT_EQ(read("-1"), Texts{head + "-1"});
  EXPECT_EQ(read("\"1\""), Texts{head + "\"1\""});
  EXPECT_EQ(read("1e300"), Texts{head + "1e+300"});
}

TEST(ObjectReader, choices_suggest_a_near_miss) {
  const auto read = [](const std::string& value) {
    return faults_of("{\"c\": " + value + "}", [&](ObjectReader& reader) {
      reader.one_of("c", {"fits", "tight", "no"});
    });
  };
  EXPECT_EQ(read("\"fitz\""),
            Texts{"f:/c: expected one of fits, tight, no; got \"fitz\" (did you mean \"fits\"?)"});
  EXPECT_EQ(read("\"banana\""), Texts{"f:/c: expected one of fits, tight, no; got \"banana\""});
  EXPECT_EQ(read("5"), Texts{"f:/c: expected one of fits, tight, no; got 5"});
}

TEST(ObjectReader, lists_and_objects_of_the_wrong_kind) {
  EXPECT_EQ(
      faults_of(R"({"l": ["a", 5], "k": [1, 2.5], "o": 3, "p": [{}, 4], "m": {"a": 1}, "q": {}})",
                [](ObjectReader& reader) {
                  reader.texts("l");
                  reader.integers("k", {1, 8});
                  reader.object("o");
                  reader.objects("p");
                  reader.members("m");
                  reader.texts("q");
                }),
      (Texts{"f:/l/1: expected text, got 5", "f:/k/1: expected an integer, got 2.5",
             "f:/o: expected an object, got 3", "f:/p/1: expected an object, got 4",
             "f:/m/a: expected an object, got 1", "f:/q: expected a list of texts, got {}"}));
}

TEST(ObjectReader, a_missing_object_is_told_once) {
  EXPECT_EQ(faults_of("{}",
                      [](ObjectReader& reader) {
                        ObjectReader inner = reader.object("o");
                        inner.text("t");
                        inner.object("deep").integer("i");
                        inner.objects("l");
                        inner.done();
                      }),
            Texts{"f:/o: expected an object, got nothing"});
}

TEST(ObjectReader, unknown_keys_are_refused_last) {
  EXPECT_EQ(faults_of(R"({"title": "x", "titel": "y", "zebra": 1, "a/b": 2})",
                      [](ObjectReader& reader) {
                        reader.text("title");
                        reader.done();
                      }),
            (Texts{"f:/a~1b: unknown key", "f:/titel: unknown key (did you mean \"title\"?)",
                   "f:/zebra: unknown key"}));
}

TEST(ObjectReader, what_lies_under_a_document_stands_where_it_is_silent) {
  const Json value = parse_json(R"({"kernels": {"loss": "own", "ops": null}, "state": null})", "f");
  const Json under = "under";
  const Json batch = 4;
  const DefaultValue practice[] = {{"", "state", &under},
                                   {"kernels", "loss", &under},
                                   {"kernels", "ops", &under},
                                   {"kernels", "typo", &under},
                                   {"workload", "batch", &batch}};
  Faults faults;
  ObjectReader reader(value, "f", "", faults, practice);
  EXPECT_EQ(reader.text("state"), "under");
  EXPECT_EQ(reader.within("kernels", "loss"), "own");
  EXPECT_EQ(reader.within("kernels", "ops"), "under");
  EXPECT_EQ(reader.within("workload", "batch"), 4);
  EXPECT_TRUE(reader.within("layout", "gpus").is_null());
  ObjectReader kernels = reader.object("kernels");
  EXPECT_EQ(kernels.text("loss"), "own");
  EXPECT_EQ(kernels.text("ops"), "under");
  EXPECT_FALSE(kernels.has("batch"));
  kernels.text_or("type", "");
  kernels.done();
  EXPECT_EQ(reader.object("workload").integer("batch"), 4);
  EXPECT_FALSE(reader.optional_object("layout").has_value());
  reader.done();
  EXPECT_EQ(texts_of(faults), Texts{"f:/kernels/typo: unknown key (did you mean \"type\"?)"});
}

TEST(ObjectReader, members_come_with_their_names) {
  const Json value = parse_json(R"({"m": {"a": {"i": 1}, "b": {"i": 2}}})", "f");
  Faults faults;
  ObjectReader reader(value, "f", "/top", faults);
  auto members = reader.members("m");
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[1].first, "b");
  EXPECT_EQ(members[1].second.integer("i"), 2);
  EXPECT_EQ(members[1].second.pointer("i"), "/top/m/b/i");
}

TEST(ObjectReader, knows_which_values_are_sound) {
  const Json value = parse_json(R"({"a": {"i": "x"}, "ab": 1})", "f");
  Faults faults;
  ObjectReader reader(value, "f", "", faults);
  reader.object("a").integer("i");
  EXPECT_FALSE(reader.sound("a"));
  EXPECT_TRUE(reader.sound("ab"));
  EXPECT_FALSE(reader.sound(""));
}

TEST(Shown, is_compact_and_short) {
  EXPECT_EQ(shown(Json{{"a", {1, 2}}}), R"({"a":[1,2]})");
  EXPECT_EQ(shown(Json(std::string(58, 'x'))), "\"" + std::string(58, 'x') + "\"");
  EXPECT_EQ(shown(Json(std::string(59, 'x'))), "\"" + std::string(59, 'x') + "…");
  EXPECT_EQ(shown(Json(std::string(58, 'x') + "üü")), "\"" + std::string(58, 'x') + "…");
}

}  // namespace
}  // namespace sizesheet
