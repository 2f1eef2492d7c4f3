// SPDX-License-Identifier: Apache-2.0
// The quantities that figures of published guides are: bytes, counts, and arithmetic between
// figures.
#pragma once

#include <string>

namespace sizesheet {

struct GuideInputs;
struct GuideValue;

/// One of a closed set of named functions of a convention and a figure's inputs; there are no
/// formulas in the data. Throws InputError for a name out of the set.
GuideValue guide_quantity(const std::string& name, const GuideInputs& inputs);

}  // namespace sizesheet
