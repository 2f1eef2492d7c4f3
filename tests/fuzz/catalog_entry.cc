// SPDX-License-Identifier: Apache-2.0
// An entry of the catalog that a pull request brings: refused, or fit to be sized with; and a
// config.json from a hub: refused by name, or an entry that the catalog takes and can count.
#include <functional>
#include <map>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/models/model.h"
#include "catalog/models/model_entry.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "catalog/published/convention.h"
#include "catalog/published/measured.h"
#include "catalog/published/worksheet.h"
#include "fuzz/target.h"
#include "sizing/answer/estimate.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet::fuzz {
namespace {

const std::string kId = "fuzzed";

/// Answers, and the answer can be written. What the question itself says wrong is a refusal.
void size(const Catalog& catalog, const std::string& model, const std::string& gpu) {
  const Json request = {{"model", model},
                        {"gpu", gpu},
                        {"method", {{"kind", "lora"}, {"rank", 16}}},
                        {"layout", {{"gpus", 2}, {"shard", "zero3"}}},
                        {"kernels", {{"recompute", "full"}}},
                        {"workload", {{"seq_len", 4096}, {"micro_batch", 1}}}};
  const Sizing sizing = whole_answer(read_whole_question(request, catalog, catalog.engine.current));
  expect(sizing.plan.chosen.device() >= 0, "bytes are not negative");
  json_text(to_json(sizing));
}

void read_and_size_model(ObjectReader reader, Faults& faults) {
  static Catalog catalog = project_catalog();
  Model model = read_model(std::move(reader));
  faults.refuse();
  catalog.models[kId] = std::move(model);
  size(catalog, kId, "h100-sxm");
}

void read_and_size_gpu(ObjectReader reader, Faults& faults) {
  static Catalog catalog = project_catalog();
  Gpu gpu = read_gpu(std::move(reader));
  faults.refuse();
  catalog.gpus[kId] = std::move(gpu);
  size(catalog, "llama-3.2-1b", kId);
}

void read_and_size_engine(ObjectReader reader, Faults& faults) {
  static Catalog catalog = project_catalog();
  EngineCatalog engine = read_engine(std::move(reader), SpeedsIn::kFilesOfCards);
  check_engine_names(engine, "entry.json", faults);
  faults.refuse();
  add_speeds(catalog.gpus, engine);
  catalog.engine = std::move(engine);
  size(catalog, "llama-3.2-1b", "h100-sxm");
}

void read_prices(ObjectReader reader, Faults& faults) {
  const std::string provider = read_filled_text(reader, "provider");
  for (ObjectReader& row : read_rows(reader, "rows")) {
    const Price price = read_price(row, provider, project_catalog().exchange);
    if (faults.empty()) expect(price.key().size() > provider.size(), "a price has a key");
  }
  reader.done();
}

void read_series(ObjectReader reader, Faults& /*faults*/) {
  for (ObjectReader& row : read_rows(reader, "series")) read_price_history(row);
}

void read_providers(ObjectReader reader, Faults& /*faults*/) {
  for (ObjectReader& row : read_rows(reader, "providers")) read_provider(row);
  reader.done();
}

std::vector<std::string> gpu_ids() {
  std::vector<std::string> ids;
  for (const auto& [id, unused] : project_catalog().gpus) ids.push_back(id);
  return ids;
}

using Reading = std::function<void(ObjectReader, Faults&)>;

const std::map<std::string_view, Reading>& readings() {
  static const std::map<std::string_view, Reading> kReadings{
      {"model", read_and_size_model},
      {"gpu", read_and_size_gpu},
      {"engine", read_and_size_engine},
      {"prices", read_prices},
      {"providers", read_providers},
      {"series", read_series},
      {"method", [](ObjectReader reader, Faults&) { read_method(std::move(reader)); }},
      {"stack", [](ObjectReader reader, Faults&) { read_stack(std::move(reader)); }},
      {"measured", [](ObjectReader reader, Faults&) { read_measured_source(std::move(reader)); }},
      {"convention", [](ObjectReader reader, Faults&) { read_convention(std::move(reader)); }},
      {"worksheet", [](ObjectReader reader, Faults&) { read_worksheet(std::move(reader)); }},
      {"intervals", [](ObjectReader reader, Faults&) { read_intervals(std::move(reader)); }},
      {"exchange", [](ObjectReader reader, Faults&) { read_exchange(std::move(reader)); }},
      {"advice",
       [](ObjectReader reader, Faults&) { read_advice_topic(std::move(reader), gpu_ids()); }},
      {"frameworks", [](ObjectReader reader, Faults&) {
         read_framework_set(std::move(reader), {{"llama-3.1-8b"}, gpu_ids()});
       }}};
  return kReadings;
}

}  // namespace

void catalog_entry(std::string_view bytes) {
  const auto kind_and_text = cut(bytes, "\n");
  const auto reading = readings().find(kind_and_text.first);
  if (reading == readings().end()) return;
  refusal_of([&] {
    const Json document = parse_json(kind_and_text.second, "entry.json");
    Faults faults;
    check_texts(document, "entry.json", faults);
    check_nulls(document, "entry.json", faults);
    reading->second(ObjectReader(document, "entry.json", "", faults), faults);
    faults.refuse();
  });
}

void hf_config(std::string_view bytes) {
  Json entry = Json::object();
  const std::string refusal = refusal_of([&] {
    const Json config = parse_json(bytes, "config.json");
    Faults faults;
    const EntryKeys keys = model_entry(
        config, "config.json", {"fuzzed", "Fuzzed", "", "config.json", "2026-01-01"}, faults);
    faults.refuse();
    for (const auto& [key, value] : keys) entry[key] = value;
  });
  if (refusal != "no refusal") return;
  Faults faults;
  const Model model = read_model(ObjectReader(entry, "entry.json", "", faults));
  expect(faults.empty(), "the catalog takes what import-model writes: " +
                             (faults.empty() ? std::string() : to_text(faults.all().front())));
  expect(count_parameters(model.architecture).total() >= 0, "counts are not negative");
}

}  // namespace sizesheet::fuzz
