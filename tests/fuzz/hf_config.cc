// SPDX-License-Identifier: Apache-2.0
// A config.json from a hub: refused by name, or an entry that the catalog takes and can count.
#include "catalog/loader.h"
#include "catalog/models/model.h"
#include "fuzz/target.h"
#include "sizing/memory/parameters.h"
#include "support/json.h"
#include "support/refusal.h"

namespace sizesheet::fuzz {

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
