// SPDX-License-Identifier: Apache-2.0
// A reading of each small config agrees with a request that was worked out from the framework's
// code, apart from the formats of the catalog.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/config_cases.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Figures = std::map<std::string, Json>;

/// The request with one dotted key for each value; an own kind of states is one value.
void flatten(const Json& object, const std::string& above, Figures& all) {
  for (const auto& [key, value] : object.items()) {
    const std::string path = above.empty() ? key : above + "." + key;
    if (value.is_object() && path != "state") {
      flatten(value, path, all);
    } else {
      all[path] = value;
    }
  }
}

/// A list as the set that it is.
Json as_set(Json value) {
  if (value.is_array()) std::sort(value.begin(), value.end());
  return value;
}

/// What says nothing more than leaving it out: one rank of a kind of parallelism, false.
bool is_usual(const std::string& key, const Json& value) {
  const bool ranks = contains({"layout.tp", "layout.cp", "layout.pp", "layout.ep"}, key);
  return value == Json(false) || (ranks && value == Json(1)) ||
         contains({"optimizer_foreach", "workload.packed"}, key);
}

bool tells(const std::vector<ConfigRemark>& remarks, const std::string& key) {
  return std::ranges::any_of(remarks, [&](const ConfigRemark& one) {
    return one.key == key || one.key.ends_with("." + key) || key.ends_with("." + one.key);
  });
}

/// Where the reading is another than expected.
std::set<std::string> differences(const Json& one, const ConfigReading& reading) {
  std::set<std::string> keys;
  if (!reading.format.starts_with(one.at("format").get<std::string>())) keys.insert("format");
  Figures got;
  flatten(reading.request, "", got);
  const Json& expected = one.at("request");
  const Json more = one.value("more", Json::object());
  for (const auto& [key, value] : expected.items()) {
    const auto found = got.find(key);
    if (found == got.end() || as_set(found->second) != as_set(value)) keys.insert(key);
  }
  for (const auto& [key, value] : got) {
    if (expected.contains(key) || is_usual(key, value)) continue;
    if (!more.contains(key) || more.at(key) != value) keys.insert("more " + key);
  }
  const Json data = one.value("data", Json::object());
  for (const auto& [key, value] : data.items()) {
    if (reading.waiting.value(key, Json()) != value) keys.insert("data " + key);
  }
  const Json told_keys = one.value("told", Json::array());
  for (const Json& key : told_keys) {
    const auto name = key.get<std::string>();
    const bool told =
        tells(reading.told, name) || tells(reading.refused, name) || tells(reading.asked, name);
    if (!told) keys.insert("warn " + name);
  }
  const Json refused_keys = one.value("refused", Json::array());
  for (const Json& key : refused_keys) {
    const bool refused = std::ranges::any_of(reading.refused, [&](const ConfigRemark& remark) {
      return remark.key.find(key.get<std::string>()) != std::string::npos;
    });
    if (!refused) keys.insert("refused " + key.get<std::string>());
  }
  if (!one.contains("refused") && !reading.refused.empty()) keys.insert("refused");
  return keys;
}

TEST(ConfigCorpus, every_reading_is_as_worked_out) {
  const std::string file = SIZESHEET_SOURCE_DIR "/tests/config/corpus.json";
  const Json corpus = parse_json(read_file(file), file);
  for (const Json& one : corpus.at("cases")) {
    const auto name = one.at("name").get<std::string>();
    std::set<std::string> known;
    const Json differs = one.value("differs", Json::object());
    for (const auto& [key, why] : differs.items()) {
      EXPECT_FALSE(why.get<std::string>().empty()) << name << ": " << key;
      known.insert(key);
    }
    Json asked = one;
    asked.erase("format");  // it is recognised
    EXPECT_EQ(differences(one, read_case(asked)), known) << name;
  }
}

}  // namespace
}  // namespace sizesheet
