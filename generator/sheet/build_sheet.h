// SPDX-License-Identifier: Apache-2.0
// From catalog and spec to a whole Sheet.
#pragma once

#include "sheet/sweep.h"

namespace sizesheet {

struct EditionLabels {
  std::string tool_version;
  std::string base_url;
  std::string paper = "a4";    ///< a4 | letter
  std::string templates = {};  ///< "" or the SHA-256 of a set of one's own
};

/// Sees a row before the sheet keeps it, and may take from it what nobody needs any more.
using RowEdit = std::function<void(Row& row)>;

/// The part of a sheet that a comparison looks at: facts, rows and picks; without offers, series,
/// levers, accuracy, guides, frameworks and advice. The same inputs give the same rows for any
/// `jobs`.
Sheet sized_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const RowEdit& edit, const Progress& progress);

/// Sweeps every cell, picks, draws the series. The same inputs give the same Sheet for any `jobs`.
Sheet build_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const Progress& progress);

}  // namespace sizesheet
