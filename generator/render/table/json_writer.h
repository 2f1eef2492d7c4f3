// SPDX-License-Identifier: Apache-2.0
// sheet.json: the Sheet whole, from which every other file can be written again.
#pragma once

#include "render/writer.h"

namespace sizesheet {

class JsonWriter final : public Writer {
 public:
  void write(const Sheet& sheet, FileSet& files) const override;
};

}  // namespace sizesheet
