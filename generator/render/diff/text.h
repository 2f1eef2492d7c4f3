// SPDX-License-Identifier: Apache-2.0
// A comparison as text of a hundred columns, its changes aligned by characters.
#pragma once

#include <string>

namespace sizesheet {

struct SheetChanges;

struct DiffTextOptions {
  bool all = false;     ///< every line, else `kListedAtMost` of a table
  bool colour = false;  ///< repeats the marks; never the only bearer of meaning
};

/// Ends in a line end. Holds no control character but line ends and, with colour, its own.
std::string diff_text(const SheetChanges& changes, const DiffTextOptions& options);

}  // namespace sizesheet
