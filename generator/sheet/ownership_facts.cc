// SPDX-License-Identifier: Apache-2.0
#include "sheet/ownership_facts.h"

#include <map>
#include <set>

#include "cost/run_break_even.h"
#include "sheet/own_row.h"
#include "sheet/ownership_inputs.h"
#include "sheet/rent_row.h"
#include "sheet/tornado.h"

namespace sizesheet {
namespace {

const PurchaseNode& node_of(const Purchase& purchase, const Row& row) {
  for (const PurchaseNode& node : purchase.nodes) {
    if (node.id == row.own->node) return node;
  }
  throw std::logic_error("no node " + row.own->node);
}

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
  OwnershipAssumption assumption{input.id,   input.role,  input.unit,   input.typical, input.low,
                                 input.high, input.basis, input.source, input.date};
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

UseOfRow use_of_row(const SheetOptions& options, OwnershipTerms terms, const Row& row) {
  UseOfRow use{row.key(), {}};
  for (const double hours : typical_uses(options)) {
    terms.utilisation = hours / terms.hours_per_month;
    const OwnLine owned = cost_of_owning(terms);
    MonthOfUse month{hours, {}, owned.own_usd_per_month, owned.advice, owned.close};
    if (row.rents[kOnDemand]) {
      month.rent_usd_per_month = run_cost(row.rents[kOnDemand]->usd_per_hour, round_hours(hours));
    }
    use.months.push_back(std::move(month));
  }
  return use;
}

/// Nothing where one side is missing, or the card is the same: then the row compares them.
std::optional<BuyOrRent> buy_or_rent(const Sheet& sheet, const Pick& pick) {
  const Row* bought = pick.buy_key ? sheet.find(*pick.buy_key) : nullptr;
  const Row* rented = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
  if (bought == nullptr || rented == nullptr || bought->gpu == rented->gpu) return std::nullopt;
  const auto hours = hours_of(*bought);
  if (!hours || !bought->own->own_usd_per_run || !rented->rents[kOnDemand]->usd_per_run)
    return std::nullopt;
  BuyOrRent choice;
  choice.model = pick.model;
  choice.method = pick.method;
  choice.buy_key = *pick.buy_key;
  choice.rent_key = *pick.rent_key;
  choice.own_usd_per_run = *bought->own->own_usd_per_run;
  choice.rent_usd_per_run = *rented->rents[kOnDemand]->usd_per_run;
  const OwnedMachine machine{bought->own->fixed_usd_per_month, bought->own->full_use_usd_per_month,
                             sheet.options.hours_per_month, to_hours(*hours)};
  if (const auto found = run_break_even(machine, choice.rent_usd_per_run)) {
    choice.break_even_runs_per_month = found->runs_per_month;
    choice.break_even_hours_per_month = found->hours_per_month;
  }
  choice.quantity_terms = explain_run_break_even(machine, choice.rent_usd_per_run);
  choice.advice = advice(choice.own_usd_per_run, choice.rent_usd_per_run);
  choice.close = is_close(choice.own_usd_per_run, choice.rent_usd_per_run);
  return choice;
}

}  // namespace

void add_ownership_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  SheetOwnership facts;
  facts.assumptions = assumptions(catalog.purchase, spec, sheet);
  if (facts.assumptions.empty()) return;
  for (const Row* row : owned_picks(sheet)) {
    const PurchaseNode& node = node_of(catalog.purchase, *row);
    facts.tornadoes.push_back(tornado(catalog.purchase, spec, node, *row));
    facts.uses.push_back(
        use_of_row(sheet.options, row_terms(catalog.purchase, spec, node, *row), *row));
  }
  for (const Pick& pick : sheet.picks) {
    if (auto choice = buy_or_rent(sheet, pick)) facts.buy_or_rent.push_back(std::move(*choice));
  }
  sheet.ownership = std::move(facts);
}

}  // namespace sizesheet
