// SPDX-License-Identifier: Apache-2.0
// Works out the tables of catalog/worksheets.

#include <algorithm>

#include "sheet/build/rows.h"
#include "sheet/tables/tables.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kLargest = "largest_";  // then a method: the largest model that one GPU holds

/// What every table of a sheet is worked out from.
struct Basis {
  const Catalog& catalog;
  const SheetSpec& spec;
  CurrentPrices prices;  ///< on demand
};

std::string place_of(const Worksheet& table) { return "worksheets/" + table.id; }

/// The table's keys, the group's, the row's, and what the sheet holds for all.
Json request_for(const SheetSpec& spec, const Worksheet& table, const WorksheetGroup& group,
                 const WorksheetRow& row) {
  Json request = {{"headroom", spec.headroom}};
  for (const Json* part : {&table.request, &group.request, &*row.request})
    request.merge_patch(*part);
  return request;
}

/// The sheet's largest model that the request's GPU holds alone with a method.
void put_largest(const Catalog& catalog, const SheetSpec& spec, const std::string& column,
                 Json request, SheetWorksheetRow& row) {
  request["method"] = column.substr(std::string(kLargest).size());
  request["layout"] = {{"gpus", 1}};
  std::int64_t most = 0;
  for (const SpecModel& model : spec.models) {
    request["model"] = model.id;
    const Sizing one = answer(read_whole_question(request, catalog, catalog.engine.current));
    if (one.plan.chosen.verdict != Verdict::kFits || one.parameters.total() <= most) continue;
    most = one.parameters.total();
    row.words[column] = model.size;
  }
}

void put_answers(const Basis& basis, const Worksheet& table, const Json& request,
                 SheetWorksheetRow& row) {
  const auto largest = [](const WorksheetColumn& one) { return starts_with(one.id, kLargest); };
  for (const WorksheetColumn& column : table.columns) {
    if (largest(column)) put_largest(basis.catalog, basis.spec, column.id, request, row);
  }
  if (!request.contains("model")) return;
  const Question question = understood(basis.catalog, place_of(table), request);
  const Sizing sizing = answer(question);
  row.layout = shape_of(sizing.plan.chosen.job);
  row.device = sizing.plan.chosen.bill.device;
  row.capacity = sizing.plan.chosen.bill.capacity;
  const std::vector<std::string> known = worksheet_measures();
  for (const WorksheetColumn& column : table.columns) {
    if (!std::binary_search(known.begin(), known.end(), column.id)) continue;
    put_measure({basis.catalog, basis.spec, basis.prices, question, sizing}, column.id, row);
  }
}

struct Asked {
  const Worksheet* table;
  const WorksheetGroup* group;
  const WorksheetRow* row;
};

SheetWorksheetRow worked_out(const Basis& basis, const Asked& asked) {
  SheetWorksheetRow row;
  row.id = asked.group->id + (asked.group->id.empty() ? "" : "-") + asked.row->id;
  row.group = asked.group->title;
  row.title = asked.row->title;
  row.words = asked.row->facts;
  row.note = asked.row->note;
  if (asked.row->request) {
    const Json request = request_for(basis.spec, *asked.table, *asked.group, *asked.row);
    put_answers(basis, *asked.table, request, row);
  }
  return row;
}

std::vector<const Worksheet*> tables_in_order(const Catalog& catalog) {
  std::vector<const Worksheet*> tables;
  for (const auto& [id, table] : catalog.worksheets) tables.push_back(&table);
  std::stable_sort(tables.begin(), tables.end(), [](const Worksheet* a, const Worksheet* b) {
    return std::pair(a->page, a->position) < std::pair(b->page, b->position);
  });
  return tables;
}

std::vector<Asked> asked_of(const Worksheet& table) {
  std::vector<Asked> all;
  for (const WorksheetGroup& group : table.groups) {
    for (const WorksheetRow& row : table.rows) all.push_back({&table, &group, &row});
  }
  return all;
}

void check_columns(const Catalog& catalog, const Worksheet& table, const std::string& file,
                   Faults& faults) {
  std::vector<std::string> known = worksheet_measures();
  for (const auto& [id, method] : catalog.methods) known.push_back(kLargest + id);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& id = table.columns[i].id;
    const bool is_fact = std::ranges::any_of(
        table.rows, [&](const WorksheetRow& row) { return row.facts.contains(id); });
    if (is_fact || contains(known, id)) continue;
    faults.add(file, "/columns/" + std::to_string(i) + "/id",
               "no measure or fact " + in_quotes(id) + did_you_mean(id, known));
  }
}

}  // namespace

void add_worksheets(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const Basis basis{catalog, spec, {catalog.prices, policy_of(spec, "on_demand")}};
  for (const Worksheet* table : tables_in_order(catalog)) {
    SheetWorksheet& shown = sheet.worksheets.emplace_back();
    static_cast<WorksheetHead&>(shown) = *table;
    shown.columns = table->columns;
    const std::vector<Asked> asked = asked_of(*table);
    shown.rows.resize(asked.size());
    for_each_index(asked.size(), jobs,
                   [&](std::size_t i) { shown.rows[i] = worked_out(basis, asked[i]); });
  }
}

void check_worksheets(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  for (const auto& [id, table] : catalog.worksheets) {
    const std::string file = layers.shown("worksheets/" + id + ".json");
    check_columns(catalog, table, file, faults);
    for (const Asked& asked : asked_of(table)) {
      if (!asked.row->request) continue;
      const Json request = request_for(SheetSpec{}, table, *asked.group, *asked.row);
      if (!request.contains("model")) continue;
      try {
        understood(catalog, place_of(table), request);
      } catch (const InputError& error) {
        const std::string said = std::string(error.what()).substr(place_of(table).size() + 2);
        const std::string at = std::to_string(asked.row - table.rows.data());
        faults.add(file, "/rows/" + at, "asks what no request may: " + said);
      }
    }
  }
}

}  // namespace sizesheet
