// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/small_editions.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sheet/build/build_sheet.h"
#include "sheet/diff/inputs.h"
#include "sheet/quarterly.h"
#include "support/project_catalog.h"

namespace sizesheet {

Json small_inputs() {
  static const Json kInputs = [] {
    Json sheet = quarterly_json();
    Json models = Json::array();
    for (const char* id : {"llama-3.1-8b", "size-70b"}) {
      models.push_back(entry_of(sheet.at("models"), id));
    }
    sheet["models"] = models;
    for (const char* of_other_models : {"handout", "plan"}) sheet.erase(of_other_models);
    sheet["methods"] = {"full", "lora-r16"};
    sheet["gpus"] = {"a100-80-sxm", "h100-sxm"};
    sheet["scenarios"].erase(1);
    Faults faults;
    const SheetSpec spec =
        read_sheet_spec(ObjectReader(sheet, "small.json", "", faults), project_catalog());
    if (!faults.empty()) throw InputError(to_text(faults.all().front()));
    return inputs_of(project_catalog(), spec);
  }();
  return kInputs;
}

Json edited_inputs(const InputsEdit& edit) {
  Json inputs = small_inputs();
  edit(inputs);
  return inputs;
}

Edition edition_from(const Json& inputs, const std::string& file) {
  const EditionInputs read = read_inputs(inputs, file);
  const Sheet sheet = sized_sheet(
      read.catalog, read.spec, {"test", ""}, 2, [](Row&) {}, [](std::size_t, std::size_t) {});
  Edition edition = edition_of(sheet, file);
  edition.inputs = inputs;
  return edition;
}

Json& entry_of(Json& list, const std::string& id) {
  for (Json& entry : list) {
    if (entry.at("id") == id) return entry;
  }
  throw std::out_of_range("no entry " + id);
}

void scale_prices(Json& inputs, const std::string& gpu, const std::string& tier, double factor) {
  for (Json& row : inputs.at("prices")) {
    if (row.at("gpu") != gpu || row.at("tier") != tier) continue;
    const double usd = row.at("usd_per_instance_hour").get<double>() * factor;
    row["usd_per_instance_hour"] = to_usd(rounded_usd(usd));
  }
}

const Change& change_at(const SheetChanges& changes, const std::string& key) {
  for (const Change& change : changes.changes) {
    if (change.key == key) return change;
  }
  throw std::out_of_range("no change of " + key);
}

void expect_causes_add_up(const SheetChanges& changes) {
  MicroUsd sum;
  for (const CauseTotal& cause : changes.causes) sum += cause.usd;
  EXPECT_EQ(changes.pick_totals.effects.total, sum);
}

}  // namespace sizesheet
