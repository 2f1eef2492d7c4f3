// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/sample_editions.h"

#include <stdexcept>

#include "cost/rent.h"

namespace sizesheet {

void reprice(EditionRow& row) {
  ChangeSide& side = row.side;
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

}  // namespace sizesheet
