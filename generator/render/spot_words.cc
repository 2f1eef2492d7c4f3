// SPDX-License-Identifier: Apache-2.0
#include "render/spot_words.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sheet/money.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "sheet/spot.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The sellers whose instances are taken back at one rate.
struct SpotSellers {
  const SpotRate* rate = nullptr;
  std::set<std::string> names;
};

/// "At AWS, Google Cloud and 2 others, an instance is interrupted 0.00026 times per hour (source:
/// …)."
std::string rate_words(const SpotSellers& of) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names(of.names.begin(), of.names.end());
  if (names.size() > kNamed + 1) {
    const std::string others = std::to_string(names.size() - kNamed) + " others";
    names.resize(kNamed);
    names.push_back(others);
  }
  return "At " + joined_words(names) + ", an instance is interrupted " +
         shortest(of.rate->per_hour) + " times per hour (" + of.rate->basis + ": " +
         of.rate->source + ").";
}

}  // namespace

std::string spot_rule_words(const Sheet& sheet) {
  const auto& rule = sheet.options.price_rules.spot_rule;
  if (!rule) return "";
  std::map<std::string, SpotSellers> by_rate;
  for (const SheetPrice& price : sheet.prices) {
    if (!price.spot || !price.excluded.empty()) continue;
    SpotSellers& of_rate = by_rate[price.spot->id];
    of_rate.rate = &*price.spot;
    of_rate.names.insert(seller_name(sheet, price.provider));
  }
  std::vector<std::string> rates;
  for (const auto& [id, of] : by_rate) rates.push_back(rate_words(of));
  std::string words =
      "The model pages show the cost of a run on spot twice: without interruptions, and with the "
      "expected ones. Checkpoints are " +
      shortest(rule->checkpoint_hours) + "\u00a0h apart (" + rule->checkpoint_basis +
      "). Each interruption costs half of this time and one restart.";
  for (const std::string& rate : rates) words += " " + rate;
  return words;
}

}  // namespace sizesheet
