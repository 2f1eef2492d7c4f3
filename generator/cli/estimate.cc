// SPDX-License-Identifier: Apache-2.0
#include "cli/estimate.h"

#include "catalog/catalog.h"
#include "cli/json_lines.h"
#include "sizing/estimate.h"

namespace sizesheet {

int run_estimate(const std::filesystem::path& catalog, int jobs, std::istream& in,
                 std::ostream& out) {
  const Catalog facts = load_sound_catalog(catalog, {});
  return for_each_json_line(in, out, jobs, [&](const Json& request, std::int64_t) {
    return to_json(estimate(request, facts, facts.engine.current));
  });
}

}  // namespace sizesheet
