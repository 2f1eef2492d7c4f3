// SPDX-License-Identifier: Apache-2.0
// The sheet's paper. Both are landscape.
#pragma once

namespace sizesheet {

enum class Paper { kA4, kLetter };

}  // namespace sizesheet
