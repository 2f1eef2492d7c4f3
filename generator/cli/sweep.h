// SPDX-License-Identifier: Apache-2.0
// `sizesheet sweep`: a grid of models, methods, GPU types and lengths as a table, whole or one part
// of it.
#pragma once

#include <ostream>
#include <string>

#include "support/parallel.h"

namespace sizesheet {

struct SweepOptions {
  std::string catalog = "catalog";
  std::string sheet = "quarterly";  ///< whose rules, stack and first scenario hold
  std::string models;               ///< ids with commas between them; "": all of the catalog
  std::string methods;              ///< likewise
  std::string gpus;                 ///< likewise
  std::string lengths;              ///< tokens of a sequence; "": six from 1,024 to 32,768
  std::string shard;                ///< "K/N"; "": the whole
  std::string format = "csv";       ///< csv | jsonl
  std::string out;                  ///< file; "": standard output
  std::string as_of;                ///< "" falls back to SOURCE_DATE_EPOCH, then to the sheet
  int jobs = default_jobs();
};

/// 0. A file appears whole or not at all; an interrupt stops between two rows and throws
/// InputError. Progress goes to `err`, on a terminal only.
int run_sweep(const SweepOptions& options, std::ostream& out, std::ostream& err);

}  // namespace sizesheet
