// SPDX-License-Identifier: Apache-2.0
#include "catalog/sample_catalog.h"

#include "catalog/facts/engine_constants.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// With an entry for every name that the engine asks for.
void complete_engine(Json& engine) {
  Json constant = engine["constants"][0];
  for (const std::string& name : engine_constant_names()) {
    if (name == "nf4.block") continue;
    constant.update({{"id", name}, {"reference", 1}, {"current", 1}});
    engine["constants"].push_back(constant);
  }
  Json recipe = engine["recipes"][0];
  recipe["id"] = "fsdp-mixed";
  engine["recipes"].push_back(recipe);
  Json loss = engine["losses"][0];
  loss["id"] = kCompiledChunks;
  engine["losses"].push_back(loss);
  for (const LossName& name : kLossNames) {
    if (name.id == "hf") continue;
    loss["id"] = name.id;
    engine["losses"].push_back(loss);
  }
}

}  // namespace

Json sample_model() { return oracle("sample_catalog.json").at("models/small.json"); }

Documents sample_documents() {
  static const Documents kSample = [] {
    Documents documents = oracle("sample_catalog.json");
    complete_engine(documents.at("engine.json"));
    return documents;
  }();
  return kSample;
}

void write_documents(const TempDir& dir, const Documents& documents) {
  for (const auto& [path, document] : documents) dir.write(path, document.dump(2) + "\n");
}

Catalog loaded(const Documents& documents) {
  const TempDir dir;
  write_documents(dir, documents);
  return load_sound_catalog(dir.path());
}

Texts faults_in(const Documents& documents) {
  // What the folder holds from the time before is not written again.
  static const TempDir dir;
  static std::map<std::string, std::string> held;
  for (const auto& [path, text] : held) {
    if (!documents.contains(path)) std::filesystem::remove(dir.path() / path);
  }
  std::map<std::string, std::string> written;
  for (const auto& [path, document] : documents) {
    const auto found = held.find(path);
    std::string& text = written[path] = document.dump(2) + "\n";
    if (found == held.end() || found->second != text) dir.write(path, text);
  }
  held = written;
  Faults faults;
  load_catalog(dir.path(), faults);
  Texts texts = texts_of(faults);
  for (std::string& text : texts) text.erase(0, dir.path().string().size() + 1);
  return texts;
}

Json changed_at(Json json, const std::string& pointer, const std::optional<Json>& value) {
  const Json::json_pointer at(pointer);
  if (value) {
    json[at] = *value;
  } else {
    json[at.parent_pointer()].erase(at.back());
  }
  return json;
}

Json shipped_document(const std::string& name) {
  const std::string path = SIZESHEET_SOURCE_DIR "/catalog/" + name + ".json";
  return parse_json(read_file(path), path);
}

std::vector<std::string> advice_gpus() {
  return shipped_document("advice/choosing").at("cards").at("gpus");
}

}  // namespace sizesheet
