// SPDX-License-Identifier: Apache-2.0
// The jobs that the page decides: a model, a method and the run that is picked.
#pragma once

#include <vector>

namespace sizesheet {

struct Pick;
struct RunCandidate;
struct Sheet;
struct SheetMethod;
struct SheetModel;

/// A job of the handout, and what it is rented as.
struct DecidedJob {
  const Pick* pick = nullptr;
  const SheetModel* model = nullptr;
  const SheetMethod* method = nullptr;
  const RunCandidate* run = nullptr;  ///< nullptr where nothing is picked to rent
};
std::vector<DecidedJob> decided_jobs(const Sheet& sheet);

}  // namespace sizesheet
