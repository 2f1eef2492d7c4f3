// SPDX-License-Identifier: Apache-2.0
// Every key of an estimate request: each documented value moves a named figure of the answer the
// way it must, and each key is refused in words where it cannot apply. Keys, values and cases stand
// in tests/oracles/estimate_keys.json; docs/requests.md must have the same keys and values.
#include <gtest/gtest.h>

#include <filesystem>

#include "catalog/facts/engine_constants.h"
#include "sizing/sized.h"
#include "support/files.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Documented, and refused on every model: no kernel calls an adapter there.
bool always_refused(const std::string& key, const Json& value) {
  return key == "method.targets" && value == "conv1d";
}

void put(Json& request, const std::string& key, const Json& value) {
  Json* place = &request;
  for (const std::string& part : split(key, '.')) place = &(*place)[part];
  *place = value;
}

/// The case's base request with what the case changes and the key at this value.
Json request_of(const Json& walk, const std::string& key, const Json& row, const Json& value) {
  Json request = walk.at("bases").at(row.at("in").get<std::string>());
  const Json with = row.value("with", Json::object());
  for (const auto& [other, setting] : with.items()) put(request, other, setting);
  put(request, row.value("key", key), value);
  return request;
}

Json answer_to(const Json& request) { return to_json(sized(request)); }

void expect_turn(const Json& walk, const std::string& key, const Json& row) {
  const testing::ScopedTrace where(__FILE__, __LINE__, key + ": " + row.dump());
  const std::string figure = row.at("figure");
  const Json value = at_dotted(answer_to(request_of(walk, key, row, row.at("value"))), figure);
  const Json against = at_dotted(answer_to(request_of(walk, key, row, row.at("against"))), figure);
  const std::string turns = row.at("turns");
  if (turns == "other") {
    EXPECT_NE(value, against);
    return;
  }
  ASSERT_TRUE(value.is_number() && against.is_number()) << value << " " << against;
  if (turns == "up") {
    EXPECT_GT(value, against);
  } else {
    ASSERT_EQ(turns, "down");
    EXPECT_LT(value, against);
  }
}

void expect_refusal(const Json& walk, const std::string& key, const Json& row) {
  const Json request = request_of(walk, key, row, row.at("value"));
  EXPECT_EQ(refusal_of([&] { answer_to(request); }), row.at("error").get<std::string>())
      << key << " " << request;
}

/// The value that a case shows: the key's own, or one of its list.
bool shows(const Json& row, const Json& value) {
  const Json& shown = row.contains("shows") ? row.at("shows") : row.at("value");
  if (!shown.is_array()) return shown == value;
  return std::find(shown.begin(), shown.end(), value) != shown.end();
}

bool any_shows(const Json& rows, const Json& value) {
  return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return shows(row, value); });
}

std::map<std::string, Json> rows_by_key(const Json& walk) {
  std::map<std::string, Json> rows;
  for (const Json& entry : walk.at("keys")) rows[entry.at("key")] = entry;
  return rows;
}

TEST(KeyWalk, CoversEveryDocumentedValue) {
  for (const auto& [key, entry] : rows_by_key(oracle("estimate_keys.json"))) {
    const Json& cases = entry.at("cases");
    const Json& refused = entry.at("refused");
    EXPECT_FALSE(cases.empty()) << key;
    EXPECT_FALSE(refused.empty()) << key;
    const Json values = entry.value("values", Json::array());
    for (const Json& value : values) {
      EXPECT_TRUE(any_shows(always_refused(key, value) ? refused : cases, value))
          << key << " " << value;
    }
  }
}

/// The rows of tables whose first column has keys of requests.
std::vector<std::string> rows_of_keys(const std::string& document) {
  std::vector<std::string> rows;
  bool within = false;
  for (const std::string& line : split(document, '\n')) {
    if (!starts_with(line, "|")) within = false;
    if (starts_with(line, "| key |")) within = true;
    if (within) rows.push_back(line);
  }
  return rows;
}

/// The row of a key in the document of requests; "" where it has none.
std::string row_of(const std::vector<std::string>& lines, const std::string& key) {
  for (const std::string& line : lines) {
    if (starts_with(line, "| `" + key + "` |")) return line;
  }
  return "";
}

TEST(KeyWalk, TheDocumentOfRequestsHasEveryKeyAndValue) {
  const std::filesystem::path document =
      std::filesystem::path(SIZESHEET_SOURCE_DIR) / "docs/requests.md";
  const std::vector<std::string> lines = rows_of_keys(read_file(document));
  const Json walk = oracle("estimate_keys.json");
  const auto keys = rows_by_key(walk);
  const std::set<std::string> elsewhere = walk.at("elsewhere");
  for (const auto& [key, entry] : keys) {
    const std::string row = row_of(lines, key);
    EXPECT_FALSE(row.empty()) << key;
    const Json values = entry.value("values", Json::array());
    for (const Json& value : values) {
      const std::string shown =
          value.is_string() ? "`" + value.get<std::string>() + "`" : value.dump();
      EXPECT_NE(row.find(shown), std::string::npos) << key << " " << shown;
    }
  }
  for (const std::string& line : lines) {
    if (!starts_with(line, "| `")) continue;
    const std::string key = line.substr(3, line.find('`', 3) - 3);
    EXPECT_NE(keys.contains(key), elsewhere.contains(key)) << key;
  }
}

TEST(KeyWalk, EveryBaseIsAnswered) {
  const Json walk = oracle("estimate_keys.json");
  for (const auto& [name, request] : walk.at("bases").items()) {
    EXPECT_TRUE(answer_to(request).at("ok")) << name;
  }
}

TEST(KeyWalk, EveryValueMovesItsFigure) {
  const Json walk = oracle("estimate_keys.json");
  for (const auto& [key, entry] : rows_by_key(walk)) {
    for (const Json& row : entry.at("cases")) expect_turn(walk, key, row);
  }
}

TEST(KeyWalk, EveryKeyIsRefusedInWords) {
  const Json walk = oracle("estimate_keys.json");
  for (const auto& [key, entry] : rows_by_key(walk)) {
    for (const Json& row : entry.at("refused")) expect_refusal(walk, key, row);
  }
}

}  // namespace
}  // namespace sizesheet
