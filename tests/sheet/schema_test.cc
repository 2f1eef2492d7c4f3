// SPDX-License-Identifier: Apache-2.0
// docs/schema/sheet.schema.json follows from the structs that sheet.json is written from; schema
// and reader refuse the same; the tiers of the catalog's schemas are those of the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

#include "catalog/prices/price.h"
#include "sheet/measures.h"
#include "sheet/quarterly.h"
#include "sheet/schema_of.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/described.h"
#include "support/due.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A figure has its unit in its name, and may be unknown.
Json figure_schema(const std::string& id) {
  const bool number = id.find("usd") != id.npos || id.find("hours") != id.npos;
  return {{"type", {number ? "number" : "string", "null"}}};
}

Json sheet_schema() {
  Json schema = schema_of<Sheet>();
  SchemaWriter rows(schema["properties"]["rows"]["items"]);
  fields(rows, quarterly_sheet().rows.front());
  rows.put("key", {{"type", "string"}});
  rows.put("floor_bytes", {{"type", {"integer", "null"}}});
  for (const Measure& one : measures()) {
    if (one.flat) rows.put(one.id, figure_schema(one.id));
  }
  schema["properties"]["schema_version"] = {{"const", kSheetSchemaVersion}};
  schema["required"].push_back("schema_version");
  schema["$schema"] = kDraft;
  schema["title"] = "sheet.json of an edition";
  return schema;
}

/// The document with the first element of its lists alone, so that it is soon read.
Json shortened(const Json& document) {
  if (!document.is_structured()) return document;
  Json out = document.is_array() ? Json::array() : Json::object();
  for (const auto& [key, value] : document.items()) {
    if (document.is_object()) out[key] = shortened(value);
    if (document.is_array() && out.empty()) out.push_back(shortened(value));
  }
  return out;
}

/// Calls `visit` with every object of a document, the name of each member that its schema knows,
/// and what the schema says of that member.
void each_member(const Json& schema, Json& document,
                 const std::function<void(Json&, const std::string&, const Json&)>& visit) {
  if (document.is_array() && schema.contains("items")) {
    for (Json& element : document) each_member(schema.at("items"), element, visit);
  }
  if (!document.is_object()) return;
  const Json known = schema.value("properties", Json::object());
  for (const auto& [key, of] : known.items()) {
    if (!document.contains(key)) continue;
    visit(document, key, of);
    each_member(of, document.at(key), visit);
  }
}

TEST(SheetSchema, IsTheOneThatIsKept) {
  expect_kept("docs/schema/sheet.schema.json", sheet_schema().dump(1) + "\n");
}

TEST(SheetSchema, HoldsTheCommittedEdition) {
  const Schema schema(sheet_schema());
  const std::string text = read_file(SIZESHEET_SOURCE_DIR "/output/sheet.json");
  EXPECT_EQ(schema.fault(parse_json(text, "sheet.json")), "");
}

TEST(SheetSchema, RefusesWhatTheReaderRefuses) {
  const Json json = sheet_schema();
  const Schema schema(json);
  Json document = shortened(quarterly_document());
  document["inputs"] = Json::object();
  ASSERT_EQ(schema.fault(document), "");
  std::set<std::string> not_read{"key", "floor_bytes"};
  const std::set<std::string> may_lack{"at_lengths", "project", "service", "spot", "spot_rule"};
  for (const Measure& one : measures()) {
    if (one.flat) not_read.insert(one.id);
  }
  std::size_t places = 0;
  const auto refused = [&](const char* how, const std::string& key) {
    if (!is_due(places++, 1)) return;
    EXPECT_FALSE(schema.admits(document)) << key << " " << how;
    EXPECT_NE(refusal_of([&] { sheet_from_json(document, "sheet.json"); }), "no refusal")
        << key << " " << how;
  };
  each_member(json, document, [&](Json& object, const std::string& key, const Json& of) {
    const bool of_row = object.contains("floor_bytes");
    if ((of_row && not_read.contains(key)) || may_lack.contains(key)) return;
    const Json whole = object;
    object.erase(key);
    refused("is missing", key);
    object[key + "s"] = whole.at(key);
    refused("is renamed", key);
    object = whole;
    if (of.empty()) return;  // whatever a catalog says
    object[key] = {true};
    refused("is a list of true", key);
    object = whole;
  });
  EXPECT_GT(places, 1000U);
}

TEST(CatalogSchema, HoldsTheCatalog) {
  // The first that a path begins with counts.
  const std::pair<const char*, const char*> kSchemas[] = {
      {"advice/", "advice"},
      {"configs/", "config-format"},
      {"conventions/differences/", "guide-differences"},
      {"conventions/figures/", "guide-figures"},
      {"conventions/", "convention"},
      {"engine.json", "engine"},
      {"exchange.json", "exchange"},
      {"frameworks/", "framework-set"},
      {"gpus/", "gpu"},
      {"import/", "accelerator-names"},
      {"intervals.json", "intervals"},
      {"measured/", "measured"},
      {"methods/", "method"},
      {"model_aliases.json", "model-aliases"},
      {"models/", "model"},
      {"price_age.json", "price-age"},
      {"price_history.json", "price-history"},
      {"prices/excluded.json", "excluded-prices"},
      {"prices/", "prices"},
      {"project.json", "project"},
      {"providers.json", "providers"},
      {"purchase/cards.json", "purchase-cards"},
      {"purchase/nodes.json", "purchase-nodes"},
      {"purchase/rates.json", "purchase-rates"},
      {"services/", "services"},
      {"speed_intervals.json", "intervals"},
      {"stacks/", "stack"},
      {"validation.json", "validation"},
      {"worksheets/", "worksheet"},
      {"writers/", "config-writer"},
  };
  const std::filesystem::path catalog = SIZESHEET_SOURCE_DIR "/catalog";
  std::map<std::string, Schema> schemas;
  for (const std::string& path : list_files(catalog)) {
    const std::string top = path.substr(0, path.find('/'));
    if (contains({"schema", "sheets", "labels"}, top)) continue;
    const auto* const of =
        std::find_if(std::begin(kSchemas), std::end(kSchemas),
                     [&](const auto& one) { return starts_with(path, one.first); });
    ASSERT_NE(of, std::end(kSchemas)) << path;
    const std::string file = "schema/" + std::string(of->second) + ".schema.json";
    const Schema& schema =
        schemas.try_emplace(file, parse_json(read_file(catalog / file), file)).first->second;
    EXPECT_EQ(schema.fault(parse_json(read_file(catalog / path), path)), "") << path;
  }
}

TEST(CatalogSchema, KnowsTheTiersOfTheTable) {
  const auto known = [](const std::string& file, const char* list) {
    const Json schema = parse_json(read_file(SIZESHEET_SOURCE_DIR "/catalog/schema/" + file), file);
    const Json& row = schema.at("properties").at(list).at("items").at("properties");
    return row.at("tier").at("enum").get<std::vector<std::string>>();
  };
  std::vector<std::string> tiers = price_tiers();
  EXPECT_EQ(known("prices.schema.json", "rows"), tiers) << "catalog/schema/prices.schema.json";
  tiers.emplace_back("index");  // of a row that is left out
  EXPECT_EQ(known("excluded-prices.schema.json", "excluded"), tiers)
      << "catalog/schema/excluded-prices.schema.json";
}

}  // namespace
}  // namespace sizesheet
