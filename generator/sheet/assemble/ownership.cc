// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/ownership.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "cost/rent_or_own.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/rows/price_row.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "support/described.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// Nodes that rows of the sheet buy, in the catalog's order; true where some row joins several.
std::vector<std::pair<const PurchaseNode*, bool>> nodes_bought(const Purchase& purchase,
                                                               const Sheet& sheet) {
  std::map<std::string, bool> bought;
  for (const Row& row : sheet.rows) {
    if (row.own) bought[row.own->node] |= row.own->nodes > 1;
  }
  std::vector<std::pair<const PurchaseNode*, bool>> nodes;
  for (const PurchaseNode& node : purchase.nodes) {
    const auto found = bought.find(node.id);
    if (found != bought.end()) nodes.emplace_back(&node, found->second);
  }
  return nodes;
}

OwnershipAssumption assumption_of(const OwnershipInput& input, const PurchaseNode& node) {
  OwnershipAssumption assumption;
  copy_named(input, assumption);
  assumption.value = input.typical;
  if (input.id == kUsdPerNode) assumption.id = node.id;
  if (input.id == kKwPerNode) assumption.id = node.id + "/kw";
  if (assumption.id != input.id) assumption.role += ": " + node.title;
  return assumption;
}

/// What belongs to a node once a node, everything else once.
std::vector<OwnershipAssumption> assumptions(const Purchase& purchase, const SheetSpec& spec,
                                             const Sheet& sheet) {
  std::vector<OwnershipAssumption> of_nodes;
  std::vector<OwnershipAssumption> of_all;
  std::set<std::string> seen;
  const auto nodes = nodes_bought(purchase, sheet);
  bool joined = false;
  for (const auto& [node, several] : nodes) joined |= several;
  for (const auto& [node, several] : nodes) {
    for (const OwnershipInput& input : ownership_inputs(purchase, spec.ownership, *node, joined)) {
      OwnershipAssumption assumption = assumption_of(input, *node);
      if (!seen.insert(assumption.id).second) continue;
      (assumption.id == input.id ? of_all : of_nodes).push_back(std::move(assumption));
    }
  }
  of_nodes.insert(of_nodes.end(), of_all.begin(), of_all.end());
  // A later node may have rates that the first has not; the sheet's own choice is still last.
  const auto planned = std::ranges::find(of_nodes, kPlannedHours, &OwnershipAssumption::id);
  if (planned != of_nodes.end()) std::rotate(planned, planned + 1, of_nodes.end());
  return of_nodes;
}

/// The rows of picks that can be bought, each once.
std::vector<const Row*> owned_picks(const Sheet& sheet) {
  std::vector<const Row*> rows;
  std::set<std::string> seen;
  for (const Pick& pick : sheet.picks) {
    for (const auto* key : {&pick.rent_key, &pick.buy_key}) {
      const Row* row = *key ? sheet.find(**key) : nullptr;
      if (row != nullptr && row->own && seen.insert(row->key()).second) rows.push_back(row);
    }
  }
  return rows;
}

/// A part-time machine, the plan of the sheet, and every hour of the month.
std::set<double> typical_uses(const SheetOptions& options) {
  std::set<double> uses{100, 200, 300, options.hours_per_month};
  if (options.planned_hours_per_month > 0) uses.insert(options.planned_hours_per_month);
  uses.erase(uses.upper_bound(options.hours_per_month), uses.end());
  return uses;
}

/// The months of the machine owned, against renting the runs that its hours hold.
UseOfRow use_of_pick(const SheetOptions& options, const Pick& pick) {
  UseOfRow use{*pick.rent_key, {}};
  const OwnPick& own = *pick.own;
  for (const double hours : typical_uses(options)) {
    const double share = hours / options.hours_per_month;
    const double fixed = to_usd(own.fixed_usd_per_month);
    const double moving = to_usd(own.full_use_usd_per_month) - fixed;
    MonthOfUse month{hours, {}, rounded_usd(fixed + moving * share), {}, false};
    month.rent_usd_per_month = rounded_usd(to_usd(*own.rent_usd_per_run) * hours / own.hours.mid);
    month.advice = advice(month.own_usd_per_month, *month.rent_usd_per_month);
    month.close = is_close(month.own_usd_per_month, *month.rent_usd_per_month);
    use.months.push_back(std::move(month));
  }
  return use;
}

/// Nothing where one side is missing.
std::optional<BuyOrRent> buy_or_rent(const Pick& pick) {
  if (!pick.own || !pick.rent_key || !pick.own->rent_usd_per_run) return std::nullopt;
  const OwnPick& own = *pick.own;
  return BuyOrRent{pick.model,
                   pick.method,
                   *pick.buy_key,
                   pick.cheapest_mid ? pick.cheapest_mid->row : *pick.rent_key,
                   own.usd_per_run,
                   *own.rent_usd_per_run,
                   own.break_even_runs_per_month,
                   own.break_even_hours_per_month,
                   *own.advice,
                   own.close,
                   own.quantity_terms};
}

Sensitivity bar_of(const OwnershipInput& input, const OwnershipTerms& typical) {
  const auto owned_at = [&](double value) {
    OwnershipTerms terms = typical;
    input.set(terms, value);
    return cost_of_owning(terms);
  };
  const OwnLine low = owned_at(input.low);
  const OwnLine high = owned_at(input.high);
  Sensitivity bar;
  copy_named(input, bar);
  bar.input = input.id == kPlannedHours ? "hours" : input.id;
  bar.own_usd_per_gpu_hour_low = low.own_usd_per_gpu_hour;
  bar.own_usd_per_gpu_hour_high = high.own_usd_per_gpu_hour;
  bar.break_even_hours_low = low.break_even_hours_per_month;
  bar.break_even_hours_high = high.break_even_hours_per_month;
  return bar;
}

/// From the lowest to the highest list price among providers, and never without the row's own.
OwnershipInput rents_asked(const PriceSpread& spread, MicroUsd rent) {
  const std::string source = "list prices of " + std::to_string(spread.providers) +
                             (spread.providers == 1 ? " provider" : " providers");
  return {{to_usd(std::min(spread.low, rent)), to_usd(rent), to_usd(std::max(spread.high, rent)),
           "source", source, "", ""},
          "rent",
          "",
          "Rent, list price",
          "USD per GPU-hour",
          true,
          [](OwnershipTerms& t, double v) { t.rent_usd_per_gpu_hour = rounded_usd(v); }};
}

std::int64_t own_swing(const Sensitivity& bar) {
  return std::abs(bar.own_usd_per_gpu_hour_high.value - bar.own_usd_per_gpu_hour_low.value);
}

/// Hours; never breaking even counts as just not within the month.
double break_even_swing(const Sensitivity& bar, double hours_per_month) {
  return std::abs(bar.break_even_hours_high.value_or(hours_per_month) -
                  bar.break_even_hours_low.value_or(hours_per_month));
}

/// Whether a rate of the sheet has this role, or counts the option within itself, as a share for
/// operations counts staff.
bool is_paid(const Sheet& sheet, const std::string& option, const std::string& role) {
  return std::any_of(sheet.rates.begin(), sheet.rates.end(), [&](const SheetEstimate& rate) {
    return rate.role == role || contains(rate.covers, option);
  });
}

bool staff_is_paid(const Sheet& sheet) {
  const char* roles[] = {"staff_fte_per_node", "least_fte_per_node", "least_fte_per_site"};
  return std::ranges::any_of(roles,
                             [&](const char* role) { return is_paid(sheet, "staff", role); });
}

}  // namespace

void add_ownership_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  SheetOwnership facts;
  facts.assumptions = assumptions(catalog.purchase, spec, sheet);
  if (facts.assumptions.empty()) return;
  for (const Row* row : owned_picks(sheet)) {
    const auto* node = entry_with(catalog.purchase.nodes, &PurchaseNode::id, row->own->node);
    facts.tornadoes.push_back(tornado(catalog.purchase, spec, *node, *row));
  }
  for (const Pick& pick : sheet.picks) {
    auto choice = buy_or_rent(pick);
    if (!choice) continue;
    facts.buy_or_rent.push_back(std::move(*choice));
    facts.uses.push_back(use_of_pick(sheet.options, pick));
  }
  sheet.ownership = std::move(facts);
}

Tornado tornado(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                const Row& row) {
  const OwnershipTerms typical = row_terms(purchase, spec, node, row);
  const OwnLine owned = cost_of_owning(typical);
  Tornado result;
  result.row_key = row.key();
  result.own_usd_per_gpu_hour = owned.own_usd_per_gpu_hour;
  result.break_even_hours_per_month = owned.break_even_hours_per_month;
  const bool joined = row.layout.gpus > node.gpus;
  for (const OwnershipInput& input : ownership_inputs(purchase, spec.ownership, node, joined)) {
    if (!input.varies) continue;
    Sensitivity bar = bar_of(input, typical);
    // People are paid for at least so many: where more are, that moves nothing.
    const bool idle = own_swing(bar) == 0 && bar.break_even_hours_low == bar.break_even_hours_high;
    if (!idle) result.bars.push_back(std::move(bar));
  }
  if (row.spread && typical.rent_usd_per_gpu_hour) {
    const MicroUsd rent = *typical.rent_usd_per_gpu_hour;
    result.bars.push_back(bar_of(rents_asked(*row.spread, rent), typical));
  }
  const double month = typical.hours_per_month;
  std::stable_sort(result.bars.begin(), result.bars.end(),
                   [month](const Sensitivity& a, const Sensitivity& b) {
                     if (own_swing(a) != own_swing(b)) return own_swing(a) > own_swing(b);
                     return break_even_swing(a, month) > break_even_swing(b, month);
                   });
  return result;
}

std::vector<LeftOut> left_out(const Sheet& sheet) {
  std::vector<LeftOut> all = {
      {"tax", "tax", "List prices without tax and without contract terms."},
      {"storage", "storage", "Data at rest."},
      {"data egress", "egress", "Traffic into and out of a provider's network."},
      {"staff", "staff", "No rate of the sheet pays for people."},
      {"failed runs", "failed runs", "A run is one that succeeds."},
      {"evaluation runs", "evaluation runs", "Beyond the share that Assumptions adds to training."},
      {"the network between nodes unless the price includes it", "unpriced networks between nodes",
       "Of rented machines; a purchase counts it."}};
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

}  // namespace sizesheet
