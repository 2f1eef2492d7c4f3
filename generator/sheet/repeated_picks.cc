// SPDX-License-Identifier: Apache-2.0
#include "sheet/repeated_picks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "sheet/money.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

void refuse_repeated_picks(const std::vector<Pick>& picks, const std::string& file) {
  std::set<std::array<std::string, 3>> cells;
  for (std::size_t i = 0; i < picks.size(); ++i) {
    const Pick& pick = picks[i];
    if (cells.insert({pick.model, pick.method, pick.scenario}).second) continue;
    throw InputError(file + ":/picks/" + std::to_string(i) + ": there is a pick of model " +
                     in_quotes(pick.model) + ", method " + in_quotes(pick.method) +
                     " and scenario " + in_quotes(pick.scenario) + " already");
  }
}

}  // namespace sizesheet
