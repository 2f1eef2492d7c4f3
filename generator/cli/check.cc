// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <ostream>

#include "catalog/catalog.h"
#include "sheet/check_facts.h"
#include "support/printable.h"

namespace sizesheet {

int run_check(const std::filesystem::path& catalog, std::ostream& out, std::ostream& /*err*/) {
  Faults faults;
  const Catalog loaded = load_catalog(catalog, faults);
  if (faults.empty()) check_facts(loaded, catalog.generic_string(), faults);
  for (const Fault& fault : faults.all()) out << plain_text(to_text(fault)) << "\n";
  if (!faults.empty()) return 1;
  out << "catalog: " << loaded.models.size() << " models, " << loaded.gpus.size() << " gpus, "
      << loaded.prices.size() << " prices, " << loaded.stacks.size() << " stacks: no faults\n";
  return 0;
}

}  // namespace sizesheet
