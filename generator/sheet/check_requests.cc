// SPDX-License-Identifier: Apache-2.0
#include "sheet/check_requests.h"

#include <optional>

#include "sheet/sweep.h"

namespace sizesheet {
namespace {

/// The first fault of the cell's question; nullopt where it can be asked.
std::optional<Fault> refusal_of(const SheetSpec& spec, const Catalog& catalog, const Cell& cell) {
  Faults faults;
  read_question(request_of(spec, cell), catalog, catalog.engine.current, faults);
  return faults.empty() ? std::nullopt : std::optional(faults.all().front());
}

/// True when the pointer leads to a value of the request as the sheet states it.
bool is_stated(const Json& request, const std::string& pointer) {
  return !pointer.empty() && request.contains(Json::json_pointer(pointer));
}

}  // namespace

void check_requests(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                    Faults& faults) {
  for (std::size_t i = 0; i < spec.scenarios.size(); ++i) {
    const SpecScenario& scenario = spec.scenarios[i];
    std::optional<Fault> first;
    bool asked = false;
    for (const Cell& cell : cells_of(spec)) {
      if (cell.scenario != &scenario || asked) continue;
      const auto refusal = refusal_of(spec, catalog, cell);
      asked = !refusal;
      if (refusal && !first) first = refusal;
    }
    if (asked || !first) continue;
    const std::string place = "/scenarios/" + std::to_string(i) + "/request";
    const bool stated = is_stated(scenario.request, first->pointer);
    faults.add(file, stated ? place + first->pointer : place,
               "no row of this scenario can be asked: " +
                   (stated ? first->message : to_request_text(*first)));
  }
}

}  // namespace sizesheet
