// SPDX-License-Identifier: Apache-2.0
// What a request left open and what was taken for it, so that an answer says which job it is of.
#pragma once

#include "sizing/candidate.h"
#include "sizing/question.h"

namespace sizesheet {

/// {"stack": id or null, "taken": {"workload.micro_batch": 8, …}}: the settings of the stack that
/// hold for the chosen layout, and with or without one the workload, the recomputation, the loss
/// and the state of what is trained. The layout is not among them: the answer shows it whole.
Json defaults_of(const Question& question, const Candidate& chosen);

}  // namespace sizesheet
