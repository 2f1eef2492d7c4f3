// SPDX-License-Identifier: Apache-2.0
#include "sheet/scope.h"

#include <algorithm>

#include "support/text.h"

namespace sizesheet {
namespace {

/// Whether a rate of the sheet has this role, or counts the option within itself, as a share for
/// operations counts staff.
bool is_paid(const Sheet& sheet, const std::string& option, const std::string& role) {
  return std::any_of(sheet.rates.begin(), sheet.rates.end(), [&](const SheetEstimate& rate) {
    return rate.role == role ||
           std::find(rate.covers.begin(), rate.covers.end(), option) != rate.covers.end();
  });
}

bool staff_is_paid(const Sheet& sheet) { return is_paid(sheet, "staff", "staff_fte_per_node"); }

}  // namespace

std::vector<LeftOut> left_out(const Sheet& sheet) {
  std::vector<LeftOut> all = {
      {"tax", "tax", "List prices without tax and without contract terms."},
      {"storage", "storage", "Data at rest."},
      {"data egress", "egress", "Traffic into and out of a provider's network."},
      {"staff", "staff", "No rate of the sheet pays for people."},
      {"failed runs", "failed runs", "A run is one that succeeds."},
      {"evaluation runs", "evaluation runs", "Beyond the share that Assumptions adds to training."},
      {"the network between nodes where no price states it",
       "networks between nodes where unpriced", "Of rented machines; a purchase counts it."}};
  if (staff_is_paid(sheet))
    std::erase_if(all, [](const auto& out) { return out.words == "staff"; });
  return all;
}

std::vector<std::string> running_costs(const Sheet& sheet) {
  std::vector<std::string> costs;
  if (is_paid(sheet, "support", "support_share_per_year")) costs.emplace_back("support");
  if (staff_is_paid(sheet)) costs.emplace_back("staff");
  if (is_paid(sheet, "licence", "licence_usd_per_gpu_year")) costs.emplace_back("licences");
  return costs;
}

std::string running_costs_words(const Sheet& sheet) {
  const std::vector<std::string> costs = running_costs(sheet);
  if (!sheet.ownership || costs.empty()) return "";
  return "Running costs of an owned machine include " + joined_words(costs) +
         (staff_is_paid(sheet) ? "; rent includes no staff." : ".");
}

std::string joined_words(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words, "");
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return join(first, ", ") + " and " + words.back();
}

}  // namespace sizesheet
