// SPDX-License-Identifier: Apache-2.0
// The closed set of quantities that the figures of published guides are: each a named function of a
// convention and the figure's inputs. There are no formulas in the data.
#pragma once

#include <string>
#include <vector>

#include "catalog/convention.h"

namespace sizesheet {

/// A quantity asked under one variant of a convention.
struct GuideQuestion {
  const ConventionRules& rules;
  std::string quantity;
  ObjectReader& inputs;
};

/// The value by the convention's rules. Throws InputError for a quantity that does not exist (with
/// a near miss) and for what the convention has no rule for; missing inputs are recorded as faults.
GuideValue guide_quantity(const GuideQuestion& question);

/// Names of all quantities, sorted.
std::vector<std::string> guide_quantities();

}  // namespace sizesheet
