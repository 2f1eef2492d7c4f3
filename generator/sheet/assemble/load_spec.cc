// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/load_spec.h"

#include <algorithm>
#include <functional>
#include <set>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "sheet/assemble/checks.h"
#include "sheet/spec.h"
#include "sheet/spec_words.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

void check_sheet_spec(const SheetSpec& spec, const std::filesystem::path& file,
                      const CatalogLayers& layers, const Catalog& catalog, Faults& faults) {
  check_rates(spec.ownership, catalog.purchase, layers.shown("purchase/rates.json"), "/rates",
              faults);
  check_rate_day(spec, shown_path(file), faults);
  check_requests(spec, catalog, shown_path(file), faults);
}

SheetSpec load_sheet_spec(const std::string& id_or_file, const CatalogLayers& layers,
                          const Catalog& catalog) {
  const std::filesystem::path path = sheet_file(id_or_file, layers, catalog);
  Faults faults;
  SheetSpec spec = read_sheet_file(path, catalog, faults);
  if (faults.empty()) check_sheet_spec(spec, path, layers, catalog, faults);
  faults.refuse();
  return spec;
}

}  // namespace sizesheet
