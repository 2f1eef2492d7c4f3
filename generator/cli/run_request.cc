// SPDX-License-Identifier: Apache-2.0
#include "cli/run_request.h"

#include "support/error.h"

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
  if (at_dotted(request, "workload.micro_batch").is_null()) {
    throw InputError(command + ": expected --micro-batch, the sequences that a GPU took at once");
  }
  if (at_dotted(request, "layout.gpus").is_null()) {
    throw InputError(command + ": expected how many GPUs, such as 8xh100");
  }
  return request;
}

}  // namespace sizesheet
