// SPDX-License-Identifier: Apache-2.0
#include "sheet/build_sheet.h"

#include "evidence/validation.h"
#include "sheet/adapter_ranks.h"
#include "sheet/advice_answers.h"
#include "sheet/asked_row.h"
#include "sheet/facts.h"
#include "sheet/framework_tables.h"
#include "sheet/guides.h"
#include "sheet/offers.h"
#include "sheet/ownership_facts.h"
#include "sheet/picks.h"
#include "sheet/what_if_levers.h"
#include "sheet/worksheets.h"
#include "sheet/zero_stages.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

void add_series(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  std::vector<const Row*> wanted;
  for (const Pick& pick : sheet.picks) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    if (row != nullptr) wanted.push_back(row);
  }
  sheet.series.resize(wanted.size());
  for_each_index(wanted.size(), jobs, [&](std::size_t i) {
    sheet.series[i] = sequence_series(catalog, spec, cell_of(spec, *wanted[i]), *wanted[i]);
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
  add_what_if(catalog, spec, jobs, sheet);
  add_zero_stages(catalog, spec, jobs, sheet);
  add_adapter_ranks(catalog, spec, jobs, sheet);
  if (!catalog.measured.empty()) sheet.accuracy = validate(catalog, jobs).accuracy;
  add_guides(catalog, sheet);
  add_frameworks(catalog, sheet);
  add_advice(catalog, spec, jobs, sheet);
  add_worksheets(catalog, spec, jobs, sheet);
  return sheet;
}

}  // namespace sizesheet
