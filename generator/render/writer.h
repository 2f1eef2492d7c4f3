// SPDX-License-Identifier: Apache-2.0
// The one seam with inheritance: a writer turns a Sheet into files of the edition.
#pragma once

#include "sheet/sheet.h"
#include "support/files.h"

namespace sizesheet {

class Writer {
 public:
  virtual ~Writer() = default;
  /// Adds this writer's files (relative path -> bytes). Throws InputError naming what cannot be
  /// drawn.
  virtual void write(const Sheet& sheet, FileSet& files) const = 0;
};

}  // namespace sizesheet
