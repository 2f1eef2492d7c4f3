// SPDX-License-Identifier: Apache-2.0
#include "cli/cost.h"

#include "cli/json_lines.h"
#include "cost/cost_request.h"

namespace sizesheet {

int run_cost(std::istream& in, std::ostream& out, std::ostream& /*err*/) {
  return for_each_json_line(in, out, 1, [](const Json& request, std::int64_t /*line_number*/) {
    return answer_cost_request(request);
  });
}

}  // namespace sizesheet
