// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/cells.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "support/text.h"

namespace sizesheet {
namespace {

bool covers(const SpecScenario& scenario, const std::string& method) {
  return scenario.methods.empty() || contains(scenario.methods, method);
}

}  // namespace

std::vector<Cell> cells_of(const SheetSpec& spec) {
  std::vector<Cell> cells;
  for (const SpecModel& model : spec.models) {
    for (const std::string& method : spec.methods) {
      for (const std::string& gpu : spec.gpus) {
        for (const SpecScenario& scenario : spec.scenarios) {
          if (covers(scenario, method)) cells.push_back({&model, method, gpu, &scenario});
        }
      }
    }
  }
  return cells;
}

std::vector<std::string> methods_in_order(const Catalog& catalog, const SheetSpec& policy) {
  std::vector<std::string> methods = policy.methods;
  std::erase_if(methods, [&](const std::string& id) { return !catalog.methods.contains(id); });
  const bool one = catalog.methods.size() == 1;  // which was asked for
  for (const auto& [id, method] : catalog.methods) {
    if (!contains(methods, id) && (one || method.fine_tunes())) methods.push_back(id);
  }
  return methods;
}

}  // namespace sizesheet
