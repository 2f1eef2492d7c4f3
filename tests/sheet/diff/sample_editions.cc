// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/sample_editions.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "catalog/files/loader.h"
#include "cost/rent.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {

namespace {

/// GPUs of an instance, by the price's key.
std::int64_t gpus_of(const std::string& price_key) {
  const std::vector<std::string> parts = split(price_key, '/');
  return parts.size() < 2 ? 1 : std::stoll(parts[parts.size() - 2]);
}

}  // namespace

void reprice(EditionRow& row) {
  ChangeSide& side = row.side;
  side.gpus_billed = side.instances * gpus_of(side.price_key);
  side.list_usd_per_hour = *side.usd_per_instance_hour * side.instances;
  side.list_usd_per_run = run_cost(*side.list_usd_per_hour, round_hours(*side.hours));
}

void set_figure(EditionRow& row, const std::string& id, const FigureValue& value) {
  for (std::size_t i = 0; i < row.figures.size(); ++i) {
    if (compared_measures()[i]->id == id) row.figures[i] = value;
  }
}

EditionRow sample_row(const std::string& model, const std::string& gpu, std::int64_t gpus,
                      std::int64_t price) {
  EditionRow row;
  row.model = model;
  row.method = "lora";
  row.gpu = gpu;
  row.scenario = "s";
  row.side.row_key = row.key();
  row.side.gpu = gpu;
  row.side.gpu_name = gpu == "a" ? "A" : "B";
  row.side.verdict = Verdict::kFits;
  row.side.gpus = gpus;
  row.side.device_bytes = 60LL << 30;
  row.side.capacity_bytes = 80LL << 30;
  row.side.hours = 10;
  row.side.price_key = "p/any//" + gpu + "/on_demand/1/2026-10-01";
  row.side.instances = gpus;
  row.side.usd_per_instance_hour = MicroUsd{price};
  row.side.own_usd_per_month = MicroUsd{500'000'000};
  row.side.break_even_hours_per_month = 400;
  row.side.advice = "rent";
  row.side.decision = "rent";
  row.terms = {{"weights", "Weights", 40LL << 30}, {"activations", "Activations", 20LL << 30}};
  row.figures.resize(compared_measures().size());
  set_figure(row, "spread_low_usd_per_gpu_hour", MicroUsd{price});
  set_figure(row, "spread_providers", std::int64_t{4});
  set_figure(row, "confidence", "A");
  reprice(row);
  return row;
}

Pick sample_pick(const std::string& model, const std::optional<std::string>& rent_key,
                 const std::optional<std::string>& buy_key) {
  Pick pick;
  pick.model = model;
  pick.method = "lora";
  pick.scenario = "s";
  pick.rent_key = rent_key;
  pick.buy_key = buy_key;
  return pick;
}

Edition sample_edition() {
  Edition edition;
  edition.file = "new.json";
  edition.knows_services = true;
  edition.label = {"Sheet", "2026-Q4", "2026-11-20", "2026-10-10", "abc", "0.1.0"};
  edition.models = {{"m", {}}, {"n", {}}};
  edition.methods = {{"lora", {}}};
  edition.gpus = {{"a", {}}, {"b", {}}};
  edition.scenarios = {{"s", {}}};
  edition.rows = {sample_row("m", "a", 2, 2'000'000), sample_row("m", "b", 1, 5'000'000),
                  sample_row("n", "a", 4, 2'000'000), sample_row("n", "b", 2, 5'000'000)};
  edition.picks = {sample_pick("m", "m/lora/a/s", "m/lora/a/s"),
                   sample_pick("n", "n/lora/a/s", "n/lora/b/s")};
  return edition;
}

EditionRow& row_of(Edition& edition, const std::string& key) {
  for (EditionRow& row : edition.rows) {
    if (row.key() == key) return row;
  }
  throw std::out_of_range(key);
}

Json small_inputs() {
  static const Json kInputs = inputs_of(
      project_catalog(), spec_of(quarterly_of({"llama-3.1-8b", "size-70b"}, {"full", "lora-r16"},
                                              {"a100-80-sxm", "h100-sxm"})));
  return kInputs;
}

Json edited_inputs(const InputsEdit& edit) {
  Json inputs = small_inputs();
  edit(inputs);
  return inputs;
}

const Edition& edition_from(const Json& inputs, const std::string& file) {
  static std::map<std::string, Edition> editions;
  const auto [known, is_new] = editions.try_emplace(file + inputs.dump());
  if (!is_new) return known->second;
  const EditionInputs read = read_inputs(inputs, file);
  const Sheet sheet = sized_alone(read.catalog, read.spec);
  known->second = edition_of(sheet, file);
  known->second.inputs = inputs;
  return known->second;
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
