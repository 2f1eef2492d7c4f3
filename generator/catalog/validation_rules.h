// SPDX-License-Identifier: Apache-2.0
// What the comparison with measurements is held to: the bars it must clear, the reasons for which a
// row may stand outside the model, and how the held-out sources were chosen. All of it is data.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// A figure of the comparison and the most it may be. `id` is one of `bar_ids()`.
struct Bar {
  std::string id;
  std::string title;
  double limit = 0;  ///< a share, or a count or a ratio where the title says so
  std::string reason;
};

/// A reason for which a published run is outside what a request can say.
struct OutOfModelReason {
  std::string id;  ///< a row's flag, or "refused"
  std::string title;
};

struct ValidationRules {
  std::string held_out;  ///< how the held-out sources were chosen, one sentence
  std::vector<OutOfModelReason> reasons;
  std::vector<Bar> bars;
};

/// What the engine itself refuses is counted under this reason; no row may be flagged with it.
inline constexpr const char* kRefused = "refused";

/// Every figure that can have a bar.
const std::vector<std::string>& bar_ids();

ValidationRules read_validation_rules(ObjectReader reader);

}  // namespace sizesheet
