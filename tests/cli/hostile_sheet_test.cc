// SPDX-License-Identifier: Apache-2.0
// A sheet.json that somebody broke on purpose: refused with its place, or drawn, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "catalog/sample_catalog.h"
#include "cli/edition_files.h"
#include "cli/small_sheet.h"
#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/sample_sheet.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/read_edition.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/sheet_json_check.h"
#include "support/due.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// The pointer of every value of a document, each list's first element only.
void collect(const Json& value, const std::string& pointer, std::vector<std::string>& pointers) {
  if (!pointer.empty()) pointers.push_back(pointer);
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      collect(member, pointer + "/" + pointer_token(key), pointers);
    }
  } else if (value.is_array() && !value.empty()) {
    collect(value[0], pointer + "/0", pointers);
  }
}

/// What is put in the place of a value; as text, since some is no JSON.
const Texts kReplacements = {"null",
                             "\"x\"",
                             "\"\"",
                             "true",
                             "[]",
                             "{}",
                             "[[[]]]",
                             "-1",
                             "0",
                             "0.5",
                             "1e308",
                             "-1e29",
                             "9007199254740992",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "1e-300"};

struct Mutation {
  std::string pointer;
  std::string put;  ///< "" deletes the value
};

/// Every value deleted, and every value replaced by two of the replacements in turn.
std::vector<Mutation> mutations(const Json& json) {
  std::vector<std::string> pointers;
  collect(json, "", pointers);
  std::vector<Mutation> all;
  std::size_t turn = 0;
  for (const std::string& pointer : pointers) {
    all.push_back({pointer, ""});
    for (int i = 0; i < 2; ++i) {
      all.push_back({pointer, kReplacements[turn++ % kReplacements.size()]});
    }
  }
  return all;
}

/// A mutated document that is itself again at the end of the scope.
class Mutated {
 public:
  Mutated(Json& json, const Mutation& mutation)
      : parent_(json[Json::json_pointer(mutation.pointer).parent_pointer()]), before_(parent_) {
    const Json::json_pointer place(mutation.pointer);
    if (!mutation.put.empty()) {
      json[place] = parse_json(mutation.put, "replacement");
    } else if (parent_.is_array()) {
      parent_.erase(0);
    } else {
      parent_.erase(place.back());
    }
  }
  Mutated(const Mutated&) = delete;
  Mutated& operator=(const Mutated&) = delete;
  ~Mutated() { parent_ = std::move(before_); }

 private:
  Json& parent_;
  Json before_;
};

/// The document that is mutated: without the lists that only make it long.
Json short_document() {
  Sheet sheet = small_sheet();
  sheet.inputs = Json::object();
  sheet.prices.resize(std::min<std::size_t>(sheet.prices.size(), 3));
  return to_json(sheet);
}

/// Draws; what is thrown without a place is told with one, as `verify` does.
void draw(const Sheet& sheet) {
  try {
    edition_files(sheet, edition_templates(""), [](const auto&) {});
  } catch (const std::exception& error) {
    throw InputError("cannot be drawn: " + std::string(error.what()));
  }
}

/// What became of the mutations that were tried.
struct Tally {
  std::size_t tried = 0;
  std::size_t refused = 0;
};

/// Does something with every `step`th mutation in the document; refusals must begin so.
Tally each_mutation(Json& json, std::size_t step, const Texts& beginnings,
                    const std::function<void()>& act) {
  Tally tally;
  const std::vector<Mutation> all = mutations(json);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_due(i, step)) continue;
    ++tally.tried;
    const Mutated scope(json, all[i]);
    const std::string refusal = refusal_of(act);
    if (refusal == "no refusal") continue;
    ++tally.refused;
    EXPECT_TRUE(std::ranges::any_of(
        beginnings, [&](const std::string& begins) { return refusal.starts_with(begins); }))
        << all[i].pointer << " = " << all[i].put << ": " << refusal;
  }
  return tally;
}

/// The refusal names the file and a place in it; or the file of the edition that lacks something.
TEST(HostileSheet, EveryMutationIsRefusedWithItsPlaceOrDrawn) {
  Json json = short_document();
  std::size_t read = 0;
  const Texts places = {"sheet.json:/", "cannot be drawn: sheet.xlsx: "};
  const Tally tally = each_mutation(json, 3, places, [&] {
    const Sheet sheet = sheet_from_json(json, "sheet.json");
    check_sheet(sheet, "sheet.json");
    if (is_due(++read, 50)) draw(sheet);
  });
  EXPECT_GT(tally.tried, 100U);
  EXPECT_GT(read, tally.tried / 20);
  EXPECT_GT(tally.refused, tally.tried / 3);
}

/// Numbers at the places that axes are made of; the hashes of an edition are no help against them.
TEST(HostileSheet, AxesOfAnyFiguresAreDrawn) {
  const Json whole = short_document();
  const Texts places = {"/prices/0/usd_per_gpu_hour",
                        "/prices/1/usd_per_gpu_hour",
                        "/rows/0/candidates/0/hours/mid",
                        "/rows/0/candidates/0/usd/high",
                        "/accuracy/all/by_source/0/errors/high",
                        "/accuracy/all/by_source/0/errors/low",
                        "/accuracy/speed/all/by_source/0/errors/high",
                        "/price_histories/0/points/0/usd_per_gpu_hour"};
  std::size_t drawn = 0;
  for (const std::string& place : places) {
    ASSERT_TRUE(whole.contains(Json::json_pointer(place))) << place;
    for (const double value : {0.0, 1e-6, 1e6, 1e9, 1e12}) {
      Json json = whole;
      json[Json::json_pointer(place)] = value;
      const std::string refusal = refusal_of([&] {
        const Sheet sheet = sheet_from_json(json, "sheet.json");
        check_sheet(sheet, "sheet.json");
        FileSet files;
        write_site(sheet, builtin_templates(), 1, files);
        for (const auto& [name, bytes] : files) EXPECT_LT(bytes.size(), 1U << 22U) << name;
      });
      drawn += refusal == "no refusal" ? 1 : 0;
      EXPECT_TRUE(refusal == "no refusal" || refusal.starts_with("sheet.json:/")) << refusal;
    }
  }
  EXPECT_GE(drawn, 30U);
}

TEST(HostileSheet, APriceOfALaterTimeThanThereIsIsRefusedWithItsPlace) {
  Json json = short_document();
  const Json::json_pointer place("/price_histories/0/points/0/date");
  ASSERT_TRUE(json.contains(place));
  const auto refusal = [&] {
    return refusal_of([&] { check_sheet(sheet_from_json(json, "sheet.json"), "sheet.json"); });
  };
  EXPECT_EQ(refusal(), "no refusal");
  json[place] = "1e99-01";
  EXPECT_EQ(refusal(),
            "sheet.json:/price_histories/0/points/0/date: expected a date, got \"1e99-01\"");
  json[Json::json_pointer("/price_histories/0/points")] = Json::array();
  EXPECT_EQ(refusal(), "sheet.json:/price_histories/0/points: expected one or more, got []");
}

/// What other parts of the sheet are looked up by.
TEST(HostileSheet, ANameThatNothingBearsIsRefusedWithItsPlace) {
  const Json whole = short_document();
  const std::pair<const char*, const char*> places[] = {
      {"/picks/0/second_source/gpu", "no GPU type \"zz\" in this sheet"},
      {"/plan/assignments/0/method", "no method \"zz\" in this sheet"},
      {"/machines/0/id", "no price of a machine \"zz\" in this sheet"},
  };
  for (const auto& [place, words] : places) {
    Json json = whole;
    ASSERT_TRUE(json.contains(Json::json_pointer(place))) << place;
    json[Json::json_pointer(place)] = "zz";
    EXPECT_EQ(refusal_of([&] { check_sheet(sheet_from_json(json, "sheet.json"), "sheet.json"); }),
              "sheet.json:" + std::string(place) + ": " + words);
  }
  Json json = whole;
  const Json::json_pointer columns("/worksheets/0/columns");
  ASSERT_TRUE(json.contains(columns));
  json[columns] = Json::array();
  EXPECT_EQ(refusal_of([&] { check_sheet(sheet_from_json(json, "sheet.json"), "sheet.json"); }),
            "sheet.json:/worksheets/0/columns: expected one or more, got []");
}

TEST(HostileSheet, DiffRefusesEveryMutationOrCompares) {
  Json json = short_document();
  const Edition whole = parse_edition(json_text(json), "sheet.json");
  const Tally tally = each_mutation(json, 17, {"sheet.json:"}, [&] {
    const Edition edition = parse_edition(json_text(json), "sheet.json");
    diff_editions(whole, edition, {});
    diff_editions(edition, whole, {});
  });
  EXPECT_GT(tally.tried, 20U);
  EXPECT_GT(tally.refused, tally.tried / 20);
}

/// What `verify` says of a sheet.json.
std::string read_refusal(const std::string& text) {
  return refusal_of([&] {
    check_sheet(read_sheet(text, "sheet.json", changed_sheet().meta.tool_version), "sheet.json");
  });
}

TEST(ReadSheet, WhatTheProgramWritesIsSoundAndWhatItDoesNotIsRefusedWithItsPlace) {
  check_sheet(quarterly_sheet(), "sheet.json");
  check_sheet(changed_sheet(), "sheet.json");
  const Json whole = to_json(changed_sheet());
  const Json rows = oracle("sheet_refusals.json").at("sheets");
  for (const Json& row : rows) {
    EXPECT_EQ(read_refusal(json_text(changed_at(whole, row.at(0), change_of(row)))),
              "sheet.json:" + row.at(0).get<std::string>() + row.at(2).get<std::string>());
  }
  Sheet twice = changed_sheet();
  twice.picks.push_back(twice.picks[0]);
  EXPECT_EQ(read_refusal(to_json_text(twice)),
            "sheet.json:/picks/4: there is a pick of model \"llama-3.1-8b\", method \"full\" and "
            "scenario \"main\" already");
  Sheet uncovered = changed_sheet();
  uncovered.accuracy->speed.all.errors.emplace();
  EXPECT_EQ(read_refusal(to_json_text(uncovered)),
            "sheet.json:/accuracy/speed/all/covered: expected a number beside errors, got null");
}

}  // namespace
}  // namespace sizesheet
