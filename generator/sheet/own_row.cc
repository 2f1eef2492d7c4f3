// SPDX-License-Identifier: Apache-2.0
#include "sheet/own_row.h"

#include "sheet/ownership_inputs.h"
#include "sheet/rent_row.h"

namespace sizesheet {
namespace {

void add_own_run_line(const OwnLine& own, double planned_hours, Row& row) {
  if (!own.own_usd_per_run) return;
  const Traced cost = Traced::input("own_usd_per_month", to_usd(own.own_usd_per_month)) *
                      Traced::input("hours", *row.hours_mid) /
                      Traced::input("planned_hours_per_month", planned_hours);
  row.cost_terms.push_back({"own_usd_per_run", "Own, one run", *own.own_usd_per_run, "$/run",
                            formula_of(cost), "method.html#own"});
}

}  // namespace

const PurchaseNode* cheapest_nodes(const Purchase& purchase, const std::string& gpu,
                                   std::int64_t gpus) {
  const PurchaseNode* best = nullptr;
  double least = 0;
  for (const PurchaseNode& node : purchase.nodes) {
    const std::int64_t count = (gpus + node.gpus - 1) / node.gpus;
    if (node.gpu != gpu || (count > 1 && !node.multi_node)) continue;
    const double price = static_cast<double>(count) * node.usd.typical;
    if (best != nullptr && price >= least) continue;
    best = &node;
    least = price;
  }
  return best;
}

OwnershipTerms row_terms(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                         const Row& row) {
  const std::int64_t gpus = row.layout.gpus;
  const auto inputs = ownership_inputs(purchase, spec.ownership, node, gpus > node.gpus);
  OwnershipTerms terms = typical_terms(inputs, node, gpus);
  // Rounding the rent to a GPU-hour loses at most half a micro-dollar an hour.
  if (row.rents[kOnDemand])
    terms.rent_usd_per_gpu_hour = scaled(row.rents[kOnDemand]->usd_per_hour, 1, gpus);
  const auto hours = hours_of(row);
  if (hours && hours->value > 0) terms.hours_per_run = to_hours(*hours);
  return terms;
}

void add_ownership(const Catalog& catalog, const SheetSpec& spec, Row& row) {
  const PurchaseNode* node = cheapest_nodes(catalog.purchase, row.gpu, row.layout.gpus);
  if (node == nullptr) return;
  const OwnershipTerms terms = row_terms(catalog.purchase, spec, *node, row);
  OwnLine own = cost_of_owning(terms);
  own.node = node->id;
  own.node_title = node->title;
  const double planned = spec.ownership.planned_hours_per_month;
  if (const auto hours = hours_of(row)) {
    // One run's share of the machine: own $/month spread over the planned hours.
    own.own_usd_per_run = scaled(own.own_usd_per_month, hours->value, round_hours(planned).value);
  }
  add_cost_lines(explain_ownership(terms), "", row);
  row.quantity_terms = explain_break_even(terms);
  add_own_run_line(own, planned, row);
  row.own = std::move(own);
}

}  // namespace sizesheet
