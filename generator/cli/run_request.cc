// SPDX-License-Identifier: Apache-2.0
#include "cli/run_request.h"

#include <vector>

#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

Json request_of_run(Json request, const std::string& command) {
  for (const char* key : {"id", "objective", "deadline_hours", "vary", "max_gpus", "headroom",
                          "limits", "answer", "search"}) {
    request.erase(key);
  }
  for (const char* key : {"tokens", "examples", "mean_length", "epochs", "startup_hours",
                          "startup_hours_per_node", "checkpoint_share"}) {
    if (request.contains("workload")) request["workload"].erase(key);
  }
  std::vector<std::string> open;
  if (at_dotted(request, "workload.micro_batch").is_null()) {
    open.emplace_back("--micro-batch, the sequences that a GPU took at once");
  }
  if (at_dotted(request, "layout.gpus").is_null()) {
    open.emplace_back("how many GPUs, such as 8xh100");
  }
  if (!open.empty()) throw InputError(command + ": expected " + join(open, "; and "));
  return request;
}

}  // namespace sizesheet
