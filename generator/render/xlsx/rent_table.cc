// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/rent_table.h"

#include <algorithm>

#include "render/xlsx/labels.h"
#include "render/xlsx/rent_columns.h"
#include "sheet/tiers.h"

namespace sizesheet::xlsx {
namespace {

using Lines = std::map<std::string, std::int64_t>;

/// A member of an entry of the inputs; null where the entry is of another form.
Json member(const Json& entry, const char* key) {
  return entry.is_object() ? entry.value(key, Json()) : Json();
}

/// A figure of a scenario's workload; `otherwise` where the request does not say.
double workload(const Sheet& sheet, const std::string& scenario, const char* key,
                double otherwise) {
  for (const Json& entry : member(sheet.inputs, "scenarios")) {
    if (member(entry, "id") != scenario) continue;
    const Json figure = member(member(member(entry, "request"), "workload"), key);
    return figure.is_number() ? figure.get<double>() : otherwise;
  }
  return otherwise;
}

void add_tier(const std::optional<RentLine>& line, const std::string& name, const Lines& lines,
              TableRow& row) {
  const auto found = line ? lines.find(line->price_key) : lines.end();
  row.cells[name + "_line"] = cell(found == lines.end() ? std::int64_t{0} : found->second);
}

void add_tiers(const Sheet& sheet, const Row& priced, const Lines& lines, TableRow& row) {
  for (const RentTier& tier : kRentTiers) add_tier(priced.rents[tier], tier.name, lines, row);
  if (priced.rents[kSpot]) {
    const auto& lost = priced.rents[kSpot]->usd_per_run_interrupted;
    row.cells["spot_lost"] = cell(lost ? lost : priced.rents[kSpot]->usd_per_run);
  }
  if (!priced.rents[kOnDemand]) return;
  for (const SheetPrice& price : sheet.prices) {
    if (price.key == priced.rents[kOnDemand]->price_key)
      row.cells["list_provider"] = cell(price.provider);
  }
}

void add_own(const Sheet& sheet, const Row& priced, TableRow& row) {
  const std::vector<SetUp> owned = set_ups(sheet);
  const auto found = std::find_if(owned.begin(), owned.end(), [&](const SetUp& set_up) {
    return set_up.gpu == priced.gpu && set_up.gpus == priced.layout.gpus;
  });
  row.cells["own_line"] = cell(found == owned.end() ? std::int64_t{0} : found - owned.begin() + 1);
  if (!priced.own) return;
  row.cells["close"] = cell(std::string(priced.own->close ? "close" : ""));
}

/// No row of the same model, method and scenario that fits is cheaper to run.
bool is_cheapest(const std::vector<const Row*>& rows, const Row& row) {
  if (row.verdict != "fits" || !row.rents[kOnDemand] || !row.rents[kOnDemand]->usd_per_run)
    return false;
  return std::none_of(rows.begin(), rows.end(), [&](const Row* other) {
    return other->model == row.model && other->method == row.method &&
           other->scenario == row.scenario && other->verdict == "fits" && other->rents[kOnDemand] &&
           other->rents[kOnDemand]->usd_per_run &&
           *other->rents[kOnDemand]->usd_per_run < *row.rents[kOnDemand]->usd_per_run;
  });
}

std::int64_t scenario_line(const Sheet& sheet, const std::string& id) {
  const auto found = std::find_if(sheet.scenarios.begin(), sheet.scenarios.end(),
                                  [&](const Scenario& scenario) { return scenario.id == id; });
  return found - sheet.scenarios.begin() + 1;
}

TableRow described_row(const Sheet& sheet, const Row& priced) {
  const std::int64_t line = scenario_line(sheet, priced.scenario);
  TableRow row;
  row.cells = {{"size", cell(sheet.model(priced.model).size)},
               {"model", cell(sheet.model(priced.model).title)},
               {"method", cell(sheet.method(priced.method).short_title)},
               {"gpu", cell(gpu_label(sheet, priced.gpu))},
               {"scenario", cell(sheet.scenarios.at(static_cast<std::size_t>(line - 1)).title)},
               {"node", cell(sheet.gpu(priced.gpu).gpus_per_node)},
               {"scenario_line", cell(line)}};
  return row;
}

}  // namespace

Table scenarios_table(const Sheet& sheet) {
  Table table{"Assumptions",
              {{"title", "", "Scenario", "", 52, Style::kText, "", false, ""},
               {"startup", "", "Start-up", "h a run", 16, Style::kInputNumber, "", false,
                "scenario_startup_hours"},
               {"saving", "", "Saving and evaluation", "share of training", 24,
                Style::kInputPercent, "", false, "scenario_checkpoint_share"}},
              {}};
  for (const Scenario& scenario : sheet.scenarios) {
    TableRow row;
    row.cells = {{"title", cell(scenario.title)},
                 {"startup", cell(workload(sheet, scenario.id, "startup_hours", 0))},
                 {"saving", cell(workload(sheet, scenario.id, "checkpoint_share", 0))}};
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table rent_table(const Sheet& sheet) {
  Table table{"Rent vs buy", rent_columns(), {}};
  const Lines lines = line_numbers(price_lines(sheet));
  const std::vector<const Row*> rows = priced_rows(sheet);
  for (const Row* priced : rows) {
    TableRow row = described_row(sheet, *priced);
    add_measured(table.columns, *priced, row);
    add_tiers(sheet, *priced, lines, row);
    add_own(sheet, *priced, row);
    row.cells["cheapest"] = cell(std::string(is_cheapest(rows, *priced) ? "yes" : ""));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace sizesheet::xlsx
