// SPDX-License-Identifier: Apache-2.0
#include "render/spot_words.h"

#include <set>
#include <vector>

#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spot.h"
#include "support/text.h"

namespace sizesheet {

std::string spot_rule_words(const Sheet& sheet) {
  const auto& rule = sheet.options.price_rules.spot_rule;
  if (!rule) return "";
  std::set<std::string> seen;
  std::vector<std::string> rates;
  for (const SheetPrice& price : sheet.prices) {
    if (!price.spot || !price.excluded.empty() || !seen.insert(price.spot->id).second) continue;
    rates.push_back(shortest(price.spot->per_hour) + " times per hour (" + price.spot->basis +
                    ": " + price.spot->source + ")");
  }
  std::string words =
      "The model pages show the cost of a run on spot twice: without interruptions, and with the "
      "expected ones. Checkpoints are " +
      shortest(rule->checkpoint_hours) + "\u00a0h apart (" + rule->checkpoint_basis +
      "). Each interruption costs half of this time and one restart.";
  if (!rates.empty()) words += " An instance is interrupted " + join(rates, ", or ") + ".";
  return words;
}

}  // namespace sizesheet
