// SPDX-License-Identifier: Apache-2.0
#include "sheet/build_sheet.h"

#include "evidence/validation.h"
#include "sheet/facts.h"
#include "sheet/framework_tables.h"
#include "sheet/guides.h"
#include "sheet/offers.h"
#include "sheet/ownership_facts.h"
#include "sheet/picks.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// The cell that a row of the main scenario came from.
const Cell* cell_of(const std::vector<Cell>& cells, const Row& row) {
  for (const Cell& cell : cells) {
    if (cell.model->id == row.model && cell.method == row.method && cell.gpu == row.gpu &&
        cell.scenario->id == row.scenario) {
      return &cell;
    }
  }
  return nullptr;
}

void add_series(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const std::vector<Cell> cells = cells_of(spec);
  std::vector<std::pair<const Cell*, const Row*>> wanted;
  for (const Pick& pick : sheet.picks) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    if (row != nullptr) wanted.emplace_back(cell_of(cells, *row), row);
  }
  sheet.series.resize(wanted.size());
  for_each_index(wanted.size(), jobs, [&](std::size_t i) {
    sheet.series[i] = sequence_series(catalog, spec, *wanted[i].first, *wanted[i].second);
  });
}

}  // namespace

Sheet sized_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const RowEdit& edit, const Progress& progress) {
  Sheet sheet;
  sheet.meta = {spec.title,   spec.edition,        spec.as_of,    "",
                catalog.hash, labels.tool_version, spec.currency, labels.base_url,
                labels.paper, labels.templates};
  copy_facts(catalog, spec, sheet);
  const auto keep = [&](Row&& row) {
    edit(row);
    sheet.rows.push_back(std::move(row));
  };
  sweep(catalog, spec, jobs, keep, progress);
  sheet.picks = pick_rows(sheet);
  mark_used_prices(sheet);
  return sheet;
}

Sheet build_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const Progress& progress) {
  Sheet sheet = sized_sheet(
      catalog, spec, labels, jobs, [](Row&) {}, progress);
  add_ownership_facts(catalog, spec, sheet);
  add_offers(catalog, spec, sheet);
  add_series(catalog, spec, jobs, sheet);
  if (!catalog.measured.empty()) sheet.accuracy = validate(catalog, jobs).accuracy;
  add_guides(catalog, sheet);
  add_frameworks(catalog, sheet);
  return sheet;
}

}  // namespace sizesheet
