// SPDX-License-Identifier: Apache-2.0
// Families whose layers differ from one another by keys of their own: which layer has linear
// attention, a state-space mixer, a convolution or a window, and of what size. As the configuration
// and modelling classes of huggingface/transformers have them, or where it has none the code beside
// the weights.
#pragma once

#include <string>
#include <vector>

#include "catalog/models/families.h"

namespace sizesheet {

/// Model types of one family, which has no type of its own yet.
struct FamilyRow {
  std::vector<std::string> model_types;
  Family family;
};

/// Of the families whose layers differ, each with its rule.
const std::vector<FamilyRow>& layered_rows();

}  // namespace sizesheet
