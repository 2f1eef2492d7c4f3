// SPDX-License-Identifier: Apache-2.0
// What runs without an error and is still not what its owner means, and what was taken for granted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sizing/time/throughput.h"

namespace sizesheet {

class ObjectText;
struct Candidate;
struct Question;

/// What runs without an error and is still not what its owner means: slow, idle or larger than
/// thought, with the bytes it is about in this job.
struct Lint {
  std::string id;
  std::string words;  ///< a sentence without its stop
};

/// Lints of the chosen job, in a fixed order. Those about extra bytes speak only from a hundredth
/// of the device's on. `speed`: the job's, where it is known.
std::vector<Lint> lints(const Question& question, const Candidate& chosen,
                        const std::optional<Throughput>& speed);

/// What a request left open and what was taken for it, so that an answer says which job it is of:
/// {"stack": id or null, "taken": {"workload.micro_batch": 8, …}}: the settings of the stack that
/// hold for the chosen layout, and with or without one the workload, the recomputation, the loss
/// and the state of what is trained. The layout is not among them: the answer shows it whole.
ObjectText defaults_of(const Question& question, const Candidate& chosen);

}  // namespace sizesheet
