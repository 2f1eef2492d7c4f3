// SPDX-License-Identifier: Apache-2.0
#include "render/project_words.h"

#include <utility>

#include "render/phrases.h"
#include "sheet/money_words.h"
#include "sheet/project.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {

std::string project_amount(const ProjectCost& cost) {
  return "$" + run_usd(cost.total_usd) + " (" + format_usd_roughly(cost.total_usd_low) + "–" +
         format_usd_roughly(cost.total_usd_high) + ")";
}

std::string project_parts(const ProjectCost& cost) {
  std::string words = shortest(cost.runs) + (cost.runs == 1 ? " run" : " runs");
  if (cost.failed_share > 0) {
    words += ", " + shortest(100 * cost.failed_share) + "\u00a0% of those started lost";
  }
  words += ": $" + run_usd(cost.runs_usd);
  for (const auto& [name, usd] :
       {std::pair{"evaluation", cost.evaluation_usd}, std::pair{"storage", cost.storage_usd},
        std::pair{"transfer out", cost.egress_usd}, std::pair{"engineering", cost.people_usd}}) {
    if (usd.value > 0) words += std::string("; ") + name + " $" + run_usd(usd);
  }
  return words;
}

}  // namespace sizesheet
