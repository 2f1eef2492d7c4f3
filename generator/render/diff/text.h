// SPDX-License-Identifier: Apache-2.0
// A comparison as text for a terminal or an e-mail: a hundred columns, one sentence first.
#pragma once

#include <string>

#include "sheet/changes.h"

namespace sizesheet {

struct DiffTextOptions {
  bool all = false;     ///< every line, else `kListedAtMost` of a table
  bool colour = false;  ///< repeats the marks; never the only bearer of meaning
};

/// Ends in a line end. Holds no control character but line ends and, with colour, its own.
std::string diff_text(const SheetChanges& changes, const DiffTextOptions& options);

}  // namespace sizesheet
