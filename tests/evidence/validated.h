// SPDX-License-Identifier: Apache-2.0
// The project's measurements through the engine, once for all tests.
#pragma once

#include "evidence/validation.h"
#include "support/project_catalog.h"

namespace sizesheet {

inline const Validation& validated() {
  static const Validation validation = validate(project_catalog(), 2);
  return validation;
}

}  // namespace sizesheet
