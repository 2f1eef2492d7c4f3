// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <ostream>

#include "catalog/catalog.h"
#include "evidence/guides.h"
#include "sheet/framework_requests.h"
#include "sheet/worksheets.h"

namespace sizesheet {

int run_check(const std::filesystem::path& catalog, std::ostream& out, std::ostream& /*err*/) {
  Faults faults;
  const Catalog loaded = load_catalog(catalog, faults);
  if (faults.empty()) {
    check_guides(loaded, catalog.generic_string(), faults);
    check_frameworks(loaded, catalog.generic_string(), faults);
    check_worksheets(loaded, catalog.generic_string(), faults);
  }
  for (const Fault& fault : faults.all()) out << to_text(fault) << "\n";
  if (!faults.empty()) return 1;
  out << "catalog: " << loaded.models.size() << " models, " << loaded.gpus.size() << " gpus, "
      << loaded.prices.size() << " prices, " << loaded.stacks.size() << " stacks: no faults\n";
  return 0;
}

}  // namespace sizesheet
