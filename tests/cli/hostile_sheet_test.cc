// SPDX-License-Identifier: Apache-2.0
// A sheet.json that somebody broke on purpose: refused with its place, or drawn, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cli/small_sheet.h"
#include "sheet/diff/edition.h"
#include "sheet/sheet_json.h"
#include "support/due.h"
#include "support/json.h"
#include "support/refusal.h"

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

/// A refusal names the file and a place in it; or the file of the edition that lacks something.
bool names_a_place(const std::string& refusal) {
  return refusal.starts_with("sheet.json:/") ||
         refusal.starts_with("cannot be drawn: sheet.xlsx: ");
}

TEST(HostileSheet, EveryMutationIsRefusedWithItsPlaceOrDrawn) {
  Json json = short_document();
  const std::vector<Mutation> all = mutations(json);
  std::size_t tried = 0;
  std::size_t read = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_due(i, 3)) continue;
    ++tried;
    const Mutated scope(json, all[i]);
    const std::string refusal = refusal_of([&] {
      const Sheet sheet = sheet_from_json(json, "sheet.json");
      check_sheet(sheet, "sheet.json");
      if (is_due(++read, 50)) draw(sheet);
    });
    if (refusal == "no refusal") continue;
    EXPECT_TRUE(names_a_place(refusal)) << all[i].pointer << " = " << all[i].put << ": " << refusal;
    ++refused;
  }
  EXPECT_GT(tried, 100U);
  EXPECT_GT(read, tried / 20);
  EXPECT_GT(refused, tried / 3);
}

TEST(HostileSheet, DiffRefusesEveryMutationOrCompares) {
  Json json = short_document();
  const Edition whole = parse_edition(json_text(json), "sheet.json");
  const std::vector<Mutation> all = mutations(json);
  std::size_t tried = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_due(i, 17)) continue;
    ++tried;
    const Mutated scope(json, all[i]);
    const std::string refusal = refusal_of([&] {
      const Edition edition = parse_edition(json_text(json), "sheet.json");
      diff_editions(whole, edition, {});
      diff_editions(edition, whole, {});
    });
    if (refusal == "no refusal") continue;
    EXPECT_TRUE(refusal.starts_with("sheet.json:"))
        << all[i].pointer << " = " << all[i].put << ": " << refusal;
    ++refused;
  }
  EXPECT_GT(tried, 20U);
  EXPECT_GT(refused, tried / 20);
}

TEST(HostileText, IsRefusedByVerifyWithTheWholePlace) {
  const std::vector<std::pair<Mutation, std::string>> cases = {
      {{"/options/headroom", "1e308"}, "expected a number from -1e30 to 1e30, got 1e+308"},
      {{"/options/headroom", "\"ten\""}, "expected a number, got \"ten\""},
      {{"/options/headroom", ""}, "expected a value, got nothing"},
      {{"/options/max_gpus", "9223372036854775808"},
       "expected an integer from -2^53 to 2^53, got 9223372036854775808"},
      {{"/options/max_gpus", "512.5"}, "expected an integer, got 512.5"},
      {{"/schema_version", "2"}, "expected 1, got 2"},
      {{"/meta/paper", "\"lettre\""},
       "expected a4, letter, got \"lettre\" (did you mean \"letter\"?)"},
      {{"/meta/edition", ""}, "expected a value, got nothing"},
      {{"/rows/3/memory/weights", "\"much\""}, "expected an integer, got \"much\""},
      {{"/picks", "3"}, "expected a list, got 3"},
  };
  Json json = to_json(small_sheet());
  for (const auto& [mutation, words] : cases) {
    const Mutated scope(json, mutation);
    EXPECT_EQ(refusal_of([&] { read_sheet(json_text(json), "sheet.json", tool_version()); }),
              "sheet.json:" + mutation.pointer + ": " + words);
  }
}

}  // namespace
}  // namespace sizesheet
