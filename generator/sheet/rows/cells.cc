// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/cells.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

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

}  // namespace sizesheet
