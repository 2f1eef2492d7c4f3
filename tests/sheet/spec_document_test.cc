// SPDX-License-Identifier: Apache-2.0
// The document of the sheet's specification: what it lists is read, and what our sheets say is
// listed.
#include <gtest/gtest.h>

#include <set>

#include "sheet/quarterly.h"
#include "support/files.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "models[].size" of "| `models[].size` | | …", in the order of the document.
std::vector<std::string> listed_keys() {
  std::vector<std::string> keys;
  for (const std::string& line : split(read_file(SIZESHEET_SOURCE_DIR "/docs/sheet.md"), '\n')) {
    if (!starts_with(line, "| `")) continue;
    keys.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return keys;
}

/// The pointer to a key, in the first element of a list: "/models/0/size".
Json::json_pointer pointer_to(const std::string& key) {
  std::string pointer;
  for (const std::string& part : split(key, '.')) {
    const std::size_t list = part.find("[]");
    pointer += "/" + part.substr(0, list) + (list == std::string::npos ? "" : "/0");
  }
  return Json::json_pointer(pointer);
}

void add_keys(const Json& json, const std::string& before, std::set<std::string>& keys) {
  for (const auto& [key, value] : json.items()) {
    const std::string path = before.empty() ? key : before + "." + key;
    // The keys of a request are another document's, those of a range stand above the plan's.
    // Those of ages are the ids of kinds of prices.
    const bool whole = path == "scenarios[].request" || path == "prices.max_age_days_of" ||
                       value.contains("expected");
    if (value.is_object() && !whole) {
      add_keys(value, path, keys);
      continue;
    }
    keys.insert(path);
    if (value.is_array() && !value.empty() && value.front().is_object()) {
      for (const Json& one : value) add_keys(one, path + "[]", keys);
    }
  }
}

TEST(SpecDocument, ListsWhatOurSheetsSay) {
  const std::vector<std::string> listed = listed_keys();
  std::set<std::string> said;
  for (const char* sheet : {"catalog/sheets/quarterly", "docs/alignment"}) {
    const std::string path = SIZESHEET_SOURCE_DIR "/" + std::string(sheet) + ".json";
    add_keys(parse_json(read_file(path), path), "", said);
  }
  for (const std::string& key : said) EXPECT_TRUE(contains(listed, key)) << key;
}

TEST(SpecDocument, EveryKeyThatItListsIsRead) {
  // A value that no key can have is refused at its place, and not as unknown.
  const Json impossible = Json::array({Json::array()});
  for (const std::string& key : listed_keys()) {
    Json json = quarterly_json();
    json["ownership"]["staff"] = {{"fte_per_node", ""}, {"usd_per_fte_year", ""}};
    const Json::json_pointer place = pointer_to(key);
    if (key.starts_with("currency.")) json["currency"] = Json::object();
    json[place] = impossible;
    Faults faults;
    read_sheet_spec(ObjectReader(json, "", "", faults), project_catalog());
    bool refused = false;
    for (const Fault& fault : faults.all()) {
      if (!fault.pointer.starts_with(place.to_string())) continue;
      EXPECT_EQ(fault.message.find("unknown key"), std::string::npos) << key;
      refused = true;
    }
    EXPECT_TRUE(refused) << key;
  }
}

}  // namespace
}  // namespace sizesheet
