// SPDX-License-Identifier: Apache-2.0
// From catalog and spec to a whole Sheet.
#pragma once

#include "sheet/sweep.h"

namespace sizesheet {

struct EditionLabels {
  std::string tool_version;
  std::string base_url;
};

/// Sweeps every cell, picks, draws the series. The same inputs give the same Sheet for any `jobs`.
Sheet build_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const Progress& progress);

}  // namespace sizesheet
