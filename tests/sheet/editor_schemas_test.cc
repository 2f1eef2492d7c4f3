// SPDX-License-Identifier: Apache-2.0
// Schemas for editors beside that of sheet.json: requests and specifications follow from the
// documents of their keys, answers from those to the requests of the key walk, a comparison from
// its structs. Real documents pass, and what has a wrong key or value does not.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cli/program.h"
#include "cost/ownership.h"
#include "sheet/changes.h"
#include "sheet/quarterly.h"
#include "sheet/schema_of.h"
#include "sheet/sheet_json.h"
#include "sizing/random_request.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/project_catalog.h"
#include "support/text.h"
#include "support/value_texts.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

Json document(const std::string& name) {
  return parse_json(read_file(fs::path(SIZESHEET_SOURCE_DIR) / name), name);
}

const Json& key_walk() {
  static const Json walk = document("tests/oracles/estimate_keys.json");
  return walk;
}

/// The type of a value; whole numbers are numbers, as the next document may have another one.
std::string type_of(const Json& value) { return value.is_number() ? "number" : value.type_name(); }

/// What documents have in common: members that all of them have are required.
Json inferred(const std::vector<Json>& values) {
  std::set<std::string> types;
  std::vector<Json> elements;
  std::map<std::string, std::vector<Json>> members;
  std::size_t objects = 0;
  for (const Json& value : values) {
    types.insert(type_of(value));
    objects += value.is_object() ? 1 : 0;
    for (const auto& [key, part] : value.items()) {
      if (value.is_object()) members[key].push_back(part);
      if (value.is_array()) elements.push_back(part);
    }
  }
  Json schema = {{"type", types}};
  if (!elements.empty()) schema["items"] = inferred(elements);
  for (const auto& [key, parts] : members) {
    schema["properties"][key] = inferred(parts);
    if (parts.size() == objects) schema["required"].push_back(key);
  }
  return schema;
}

/// The rows of a document's tables of keys, whose head begins with "key", cell by cell, without the
/// blanks around them.
std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  std::vector<std::vector<std::string>> rows;
  bool in_keys = false;
  for (const std::string& line : split(read_file(fs::path(SIZESHEET_SOURCE_DIR) / name), '\n')) {
    if (line.starts_with("| ") && !line.starts_with("| `")) in_keys = line.starts_with("| key |");
    if (!in_keys || !line.starts_with("| `")) continue;
    std::vector<std::string> cells = split(line, '|');
    for (std::string& cell : cells) {
      cell = cell.size() < 2 ? "" : cell.substr(1, cell.size() - 2);
    }
    cells[1] = cells[1].substr(1, cells[1].size() - 2);
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// The object that holds the key of a dotted path, and its name there; what is on the way comes to
/// be, and has no keys but those of the document.
std::pair<Json*, std::string> holder_of(Json& schema, const std::string& path) {
  Json* at = &schema;
  std::vector<std::string> parts = split(path, '.');
  for (std::size_t i = 0;; ++i) {
    if (!at->contains("additionalProperties")) (*at)["additionalProperties"] = false;
    const std::string name = parts[i].substr(0, parts[i].find("[]"));
    if (i + 1 == parts.size()) return {at, name};
    at = &(*at)["properties"][name];
    if (name != parts[i]) at = &(*at)["items"];
  }
}

/// The value of a cell such as "`bf16`" or "true"; null for other words.
Json literal(const std::string& word) {
  if (word.starts_with('`') && word.ends_with('`') && word.find('`', 1) == word.size() - 1) {
    return word.substr(1, word.size() - 2);
  }
  const bool plain = word == "true" || word == "false" || word.size() == 1;
  return plain && Json::accept(word) ? Json::parse(word) : Json();
}

/// What a cell of values says: one of a list, a truth, a text, a number, or nothing that a schema
/// could hold a value against.
Json value_schema(std::string cell) {
  if (const std::size_t also = cell.find("; also "); also != cell.npos) {
    cell.replace(also, 7, ", ");
  }
  Json listed = Json::array();
  std::size_t words = 1;
  for (std::size_t at = 0; at != cell.npos; ++words) {
    const std::size_t end = cell.find(", ", at);
    const Json one = literal(cell.substr(at, end - at));
    if (!one.is_null()) listed.push_back(one);
    at = end == cell.npos ? end : end + 2;
  }
  if (listed.size() > 1 && listed.size() + 1 == words) {
    listed.push_back(nullptr);  // as good as left out
    return {{"enum", listed}};
  }
  const auto typed = [](const char* type) { return Json{{"type", {type, "null"}}}; };
  if (cell == "true" || cell == "false") return typed("boolean");
  if (cell == "text") return typed("string");
  const bool counted = contains({"bytes", "tokens", "hours", "examples", "prompts"}, cell);
  return counted || is_digit(cell.front()) ? typed("number") : Json::object();
}

/// Figures that may be texts as people write them, wherever the program reads them so.
void admit_texts(Json& schema, const std::string& key = "") {
  if (key == "model" || key == "ownership") return;
  if (kind_of_key(key) != nullptr && schema.contains("type")) {
    Json types =
        schema.at("type").is_array() ? schema.at("type") : Json::array({schema.at("type")});
    const bool figure = std::ranges::any_of(
        types, [](const Json& type) { return type == "number" || type == "integer"; });
    if (figure) types.push_back("string");
    if (figure) schema["type"] = types;
  }
  if (schema.contains("items") && schema["items"].is_object()) admit_texts(schema["items"]);
  if (!schema.contains("properties")) return;
  for (auto& [name, inner] : schema["properties"].items()) admit_texts(inner, name);
}

Json finished(Json schema, const std::string& title) {
  schema["$schema"] = kDraft;
  schema["title"] = title;
  schema["type"] = "object";
  return schema;
}

Json request_schema() {
  Json schema = {{"required", {"model"}}};
  for (const auto& cells : rows_of("docs/requests.md")) {
    const auto [holder, name] = holder_of(schema, cells[1]);
    Json& key = (*holder)["properties"][name];
    key.update(value_schema(cells[2]));
    key["description"] = cells[3] + ": " + cells[2];
  }
  schema["properties"]["$schema"] = {{"type", "string"}};
  admit_texts(schema);
  return finished(schema, "a request of estimate and explain");
}

Json specification_schema() {
  Json schema = inferred({quarterly_json(), document("docs/alignment.json")});
  const std::function<void(Json&)> open = [&](Json& part) {
    part.erase("required");
    if (part.contains("items")) open(part["items"]);
    for (auto& [key, inner] : part["properties"].items()) open(inner);
    if (part["properties"].empty()) part.erase("properties");
  };
  open(schema);
  schema["properties"]["scenarios"]["items"]["properties"]["request"] = {{"type", "object"}};
  schema["properties"]["currency"]["type"] = {"string", "object"};
  Json& plan = schema["properties"]["plan"]["properties"];
  for (Json* range :
       {&plan["growth_per_quarter"], &plan["runs"]["items"]["properties"]["runs_per_month"]}) {
    (*range)["type"] = {"number", "object"};
  }
  for (const auto& cells : rows_of("docs/sheet.md")) {
    const auto [holder, name] = holder_of(schema, cells[1]);
    (*holder)["properties"][name]["description"] = cells[3];
    if (cells[2].empty()) (*holder)["required"].push_back(name);
  }
  for (const char* part : {"prices", "ownership"}) schema["required"].push_back(part);
  admit_texts(schema);
  schema["properties"]["$schema"] = {{"type", "string"}};
  return finished(schema, "the specification of a sheet");
}

/// The request of a case of the key walk.
Json walked(const std::string& walked_key, const Json& row) {
  Json request = key_walk().at("bases").at(row.at("in").get<std::string>());
  const Json with = row.value("with", Json::object());
  for (const auto& [key, value] : with.items()) set_dotted(request, key, value);
  const std::string key = row.value("key", walked_key);
  const std::string above = key.substr(0, key.find('.'));
  if (above != key && request.value(above, Json()).is_string()) request.erase(above);
  set_dotted(request, key, row.at("value"));
  return request;
}

/// Requests of every kind, with more and with less in the answer.
std::vector<Json> requests() {
  std::vector<Json> all;
  for (const Json& entry : key_walk().at("keys")) {
    for (const Json& row : entry.at("cases")) all.push_back(walked(entry.at("key"), row));
  }
  const Json plain = {{"model", "llama-3.1-8b"},
                      {"method", "lora-r16"},
                      {"gpu", "h100-sxm"},
                      {"workload", {{"tokens", 50000000}}}};
  const auto but = [&](const Json& other) {
    all.push_back(plain);
    all.back().update(other);
  };
  for (const auto& [stack, unused] : project_catalog().stacks) but({{"stack", stack}});
  but({{"gpu", nullptr}, {"layout", {{"gpus", 8}, {"dp", 8}}}});
  but({{"model", "size-400b"}, {"method", "full"}, {"gpu", "rtx-4090"}, {"max_gpus", 8}});
  for (const char* part : {"memory", "money", "frontier", "own", "terms", "words"}) {
    but({{"answer", {part}}, {"limits", true}, {"deadline_hours", 72}});
  }
  return all;
}

/// As many that nobody thought of.
std::vector<Json> random_requests() {
  std::vector<Json> all;
  RandomRequests random(project_catalog(), 29);
  for (int i = 0; i < 200; ++i) all.push_back(random.next(i % 2 == 0));
  return all;
}

std::vector<Json> answers_to(const std::vector<Json>& asked) {
  std::string lines;
  for (const Json& one : asked) lines += json_text(one) + '\n';
  std::vector<Json> answers;
  for (const std::string& line :
       split(program({"estimate", "--catalog", kCatalog}, lines).out, '\n')) {
    if (!line.empty()) answers.push_back(parse_json(line, "answer"));
  }
  return answers;
}

/// What is answered to requests of every kind, or refused.
Json answers_schema(const std::vector<Json>& answers, const Json& refusal, const char* title) {
  Json known = inferred(answers);
  Json refused = inferred({refusal});
  known["properties"]["ok"] = {{"const", true}};
  refused["properties"]["ok"] = {{"const", false}};
  const auto defaults = known["properties"].find("defaults");
  if (defaults != known["properties"].end()) {
    (*defaults)["properties"]["taken"] = {{"type", "object"}};  // of any keys
  }
  return finished({{"anyOf", {known, refused}}}, title);
}

const Json& answer_schema() {
  static const Json kSchema = answers_schema(
      answers_to(requests()), answers_to({Json::object()}).front(), "an answer of estimate");
  return kSchema;
}

std::vector<Json> cost_questions() {
  std::vector<Json> all;
  const Json oracle = document("tests/oracles/ownership.json");
  for (const Json& one : oracle.at("cases")) all.push_back(one.at("request"));
  for (const char* rent : {"rent_usd_per_gpu_hour", "hours_per_run"}) all[0].erase(rent);
  all[1]["hours_per_run"] = 17.5;
  return all;
}

/// What every question of the oracle says is needed.
Json cost_question_schema() {
  Json schema = schema_of<OwnershipTerms>();
  std::vector<std::string> methods;
  for (const auto& [value, name] : kCapitalMethods) methods.emplace_back(name);
  schema["properties"]["capital_method"] = {{"enum", methods}};
  schema["properties"]["id"] = {{"type", "string"}};
  schema["properties"]["$schema"] = {{"type", "string"}};
  schema["required"] = inferred(cost_questions()).at("required");
  admit_texts(schema);
  return finished(schema, "a question of cost");
}

Json cost_answer(const Json& question) {
  return parse_json(program({"cost"}, json_text(question) + '\n').out, "answer");
}

Json cost_answer_schema() {
  std::vector<Json> answers;
  for (const Json& one : cost_questions()) answers.push_back(cost_answer(one));
  return answers_schema(answers, cost_answer(Json::object()), "an answer of cost");
}

Json diff_schema() {
  Json schema = schema_of<SheetChanges>();
  schema["properties"]["schema_version"] = {{"const", kSheetSchemaVersion}};
  schema["required"].push_back("schema_version");
  return finished(schema, "diff --format json");
}

Json manifest_schema() {
  const Json empty = parse_json(manifest_text({}), std::string(kManifestName));
  const Json hash = {{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}};
  return finished({{"properties",
                    {{"schema_version", {{"const", empty.at("schema_version")}}},
                     {"files", {{"type", "object"}, {"additionalProperties", hash}}}}},
                   {"required", {"files", "schema_version"}},
                   {"additionalProperties", false}},
                  "manifest.json of an edition");
}

TEST(EditorSchemas, AreThoseThatAreKept) {
  const std::pair<const char*, Json> schemas[] = {{"request", request_schema()},
                                                  {"answer", answer_schema()},
                                                  {"specification", specification_schema()},
                                                  {"cost-question", cost_question_schema()},
                                                  {"cost-answer", cost_answer_schema()},
                                                  {"diff", diff_schema()},
                                                  {"manifest", manifest_schema()}};
  for (const auto& [name, schema] : schemas) {
    expect_kept("docs/schema/" + std::string(name) + ".schema.json", schema.dump(1) + "\n");
    EXPECT_EQ(program({"schema", name}).out, schema.dump(1) + "\n");
  }
}

TEST(EditorSchemas, HoldWhatTheProgramWrites) {
  EXPECT_EQ(Schema(manifest_schema()).fault(document("output/manifest.json")), "");
  const Schema diff(diff_schema());
  std::size_t compared = 0;
  const fs::path golden = fs::path(SIZESHEET_SOURCE_DIR) / "tests/golden/diff";
  for (const std::string& name : list_files(golden)) {
    if (!name.ends_with(".json")) continue;
    ++compared;
    EXPECT_EQ(diff.fault(parse_json(read_file(golden / name), name)), "") << name;
  }
  EXPECT_GE(compared, 40U);
  const Schema answer(answer_schema());
  std::vector<Json> asked = random_requests();
  asked.insert(asked.end(), {Json{{"model", "llama-3.1-9b"}}, Json::array()});
  for (const Json& one : answers_to(asked)) EXPECT_EQ(answer.fault(one), "") << one;
}

TEST(EditorSchemas, HoldWhatIsAsked) {
  const Schema request(request_schema());
  for (const auto& list : {requests(), random_requests()}) {
    for (const Json& one : list) EXPECT_EQ(request.fault(one), "") << one;
  }
  const Schema cost(cost_question_schema());
  for (const Json& one : cost_questions()) EXPECT_EQ(cost.fault(one), "") << one;
  const Schema specification(specification_schema());
  for (Json sheet : {quarterly_json(), document("docs/alignment.json")}) {
    sheet["$schema"] = "specification.schema.json";
    EXPECT_EQ(specification.fault(sheet), "");
  }
}

TEST(EditorSchemas, RefuseAWrongKeyAndAWrongValue) {
  const auto refused = [](const Json& schema, Json sound, const std::string& path,
                          const Json& wrong) {
    ASSERT_EQ(Schema(schema).fault(sound), "");
    sound[Json::json_pointer(path)] = wrong;
    EXPECT_FALSE(Schema(schema).admits(sound)) << path;
  };
  const Json request = key_walk().at("bases").at("full");
  refused(request_schema(), request, "/modl", "llama-3.1-8b");
  refused(request_schema(), request, "/kernels/recomputes", "full");
  refused(request_schema(), request, "/optimizer", "adam");
  refused(request_schema(), request, "/workload/seq_len", true);
  refused(specification_schema(), quarterly_json(), "/headrom", 0.1);
  refused(specification_schema(), quarterly_json(), "/models/0/sise", "3B");
  refused(specification_schema(), quarterly_json(), "/tokens", true);
  refused(answer_schema(), answers_to({request}).front(), "/ok", "yes");
  refused(answer_schema(), answers_to({request}).front(), "/memory/device", "24 GiB");
  refused(cost_question_schema(), cost_questions().front(), "/gpus_per_nod", 8);
  refused(cost_question_schema(), cost_questions().front(), "/capital_method", "level");
  refused(cost_answer_schema(), cost_answer(cost_questions().front()), "/advice", 1);
  refused(manifest_schema(), document("output/manifest.json"), "/files/index.html", "abc");
  const Json diff = document("tests/golden/diff/dearer/diff.json");
  refused(diff_schema(), diff, "/summary/rows", "many");
  refused(diff_schema(), diff, "/sumary", 1);
}

TEST(EditorSchemas, AreNamedByWhatTheyDescribe) {
  const Json request = {{"$schema", "request.schema.json"},
                        {"model", "size-7b"},
                        {"method", "full"},
                        {"layout", {{"gpus", 1}, {"dp", 1}}}};
  EXPECT_EQ(answers_to({request}).front().at("ok"), true);
  std::size_t kept = 0;
  for (const char* folder : {"catalog/schema", "docs/schema"}) {
    kept += list_files(fs::path(SIZESHEET_SOURCE_DIR) / folder).size();
  }
  EXPECT_EQ(split(program({"schema"}).out, '\n').size(), kept + 1);
}

}  // namespace
}  // namespace sizesheet
