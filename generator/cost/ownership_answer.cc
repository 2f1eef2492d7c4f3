// SPDX-License-Identifier: Apache-2.0
#include "cost/ownership_answer.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "catalog/files/loader.h"
#include "cost/cost_line.h"
#include "cost/ownership.h"
#include "cost/ownership_formulas.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/trace.h"
#include "support/value_texts.h"

namespace sizesheet {
namespace {

using TracedTerms = owning::Quantities<Traced>;
using Results = owning::Results<Traced>;

constexpr const char* kMonthlyModel =
    "ewyluda/gpu-price-index src/gpu_index/tco.py@a3b9e64a, 2026-10-10";

struct CapitalWords {
  CapitalMethod method;
  const char* title;
  const char* source;
};

constexpr CapitalWords kCapitalWords[] = {
    {CapitalMethod::kRecoveryFactor, "Capital, by recovery factor",
     "Koomey, A Simple Model for Determining True Total Cost of Ownership for Data Centers, Uptime "
     "Institute, 2008"},
    {CapitalMethod::kStraightLine, "Capital, on the average balance", kMonthlyModel},
    {CapitalMethod::kNone, "Capital, not charged", kDefinition}};

CostLine line(const char* name, const char* title, MicroUsd usd, const char* unit,
              const Traced& computed, const char* source) {
  return {name, title, usd, unit, formula_of(computed), source};
}

void add_parts(const TracedTerms& q, const OwnershipTerms& terms, const OwnershipParts& parts,
               std::vector<CostLine>& lines) {
  const auto month = [&](const char* name, const char* title, MicroUsd usd, const Traced& computed,
                         const char* source) {
    lines.push_back(line(name, title, usd, "$/month", computed, source));
  };
  month("depreciation", "Depreciation", parts.depreciation, q.depreciation(), kMonthlyModel);
  const auto capital =
      std::ranges::find(kCapitalWords, terms.capital_method, &CapitalWords::method);
  month("capital", capital->title, parts.capital, q.capital(terms.capital_method), capital->source);
  month("colo", "Colocation", parts.colo, q.colo(), kMonthlyModel);
  month("support", "Support", parts.support, q.support(), kMonthlyModel);
  month("energy", "Energy", parts.energy, q.energy(q.utilisation), kMonthlyModel);
  month("staff", "Staff", parts.staff, q.staff(), kDefinition);
  month("network", "Network (bought: within depreciation and capital)", parts.network, 0.0,
        kDefinition);
  month("licence", "Licences", parts.licence, q.licence(), kDefinition);
}

OwnershipTerms read_cost_request(const Json& request, Faults& faults) {
  ObjectReader reader(request, "", "", faults);
  reader.text("id");
  const auto terms = read_entry<OwnershipTerms>(
      reader, {.counts = {},
               .may_lack = {"cabling_share", "staff_fte_per_node", "usd_per_fte_year",
                            "least_fte_per_node", "least_fte_per_site", "support_covers_staff",
                            "network_usd_per_gpu", "licence_usd_per_gpu_year"}});
  if (terms.support_covers_staff && terms.least_fte_per_node == 0 &&
      terms.least_fte_per_site == 0 && reader.sound("")) {
    reader.fault(
        "support_covers_staff",
        "expected least_fte_per_node or least_fte_per_site above 0 beside it, got neither");
  }

  // A key that could not be read holds a neutral value; its range says nothing.
  std::set<std::string> unread;
  for (const Fault& fault : faults.all()) unread.insert(fault.pointer);
  Faults ranges;
  check_terms(terms, "", "", ranges);
  for (const Fault& fault : ranges.all()) {
    if (unread.count(fault.pointer) == 0) faults.add(fault.file, fault.pointer, fault.message);
  }
  return terms;
}

Json cost_answer(const OwnLine& ownership) {
  Json answer = as_json(ownership);
  for (const char* of_a_sheet :
       {"node", "node_title", "gpus_bought", "own_usd_per_run", "fixed_usd_per_month",
        "full_use_usd_per_month", "parts_usd_per_month"}) {
    answer.erase(of_a_sheet);
  }
  answer.update({{"parts", as_json(ownership.parts)},
                 {"residual_usd", to_usd(ownership.residual_usd)},
                 {"rent_usd_per_month", as_json(ownership.rent_usd_per_month)},
                 {"payback_years_cash", as_json(ownership.payback_years_cash)}});
  return answer;
}

}  // namespace

std::vector<CostLine> explain_ownership(const OwnershipTerms& terms) {
  const OwnLine result = cost_of_owning(terms);
  const TracedTerms q(terms);
  const Results r(result);
  std::vector<CostLine> lines = {
      line("capex_usd", "Purchase", result.capex_usd, "$", q.purchase(), kDefinition)};
  add_parts(q, terms, result.parts, lines);
  Traced sum = 0.0;
  for (const auto& [name, usd] : result.parts.named()) {
    sum = sum + Traced::input(name, to_usd(usd));
  }
  lines.push_back(line("own_usd_per_month", "Owning, per month", result.own_usd_per_month,
                       "$/month", sum, "sum of the rounded parts"));
  lines.push_back(line("own_usd_per_gpu_hour", "Owning, a used GPU-hour",
                       result.own_usd_per_gpu_hour, "$/h", q.own_per_gpu_hour(r), kMonthlyModel));
  if (result.unused_gpus > 0) {
    lines.push_back(line("unused_usd_per_month", "GPUs bought beyond the need, per month",
                         result.unused_usd_per_month, "$/month",
                         r.unused(result.unused_gpus, result.gpus_bought), kDefinition));
  }
  if (!terms.rent_usd_per_gpu_hour) return lines;
  lines.push_back(line("rent_usd_per_month", "Renting, per month", *result.rent_usd_per_month,
                       "$/month", q.rent(), kMonthlyModel));
  lines.push_back(line("savings_usd_over_life", "Saved by owning, over the life",
                       *result.savings_usd_over_life, "$", q.savings(r), kMonthlyModel));
  lines.push_back(line("npv_usd", "Net present value of owning", *result.npv_usd, "$",
                       q.net_present_value(r), kDefinition));
  return lines;
}

std::vector<QuantityLine> explain_break_even(const OwnershipTerms& terms) {
  const OwnLine result = cost_of_owning(terms);
  const TracedTerms q(terms);
  std::vector<QuantityLine> lines = {{"nodes", "Nodes bought", static_cast<double>(result.nodes),
                                      "nodes", formula_of(q.nodes()), kDefinition}};
  if (result.payback_years_cash) {
    lines.push_back({"payback_years_cash", "Payback, capital charge left out",
                     *result.payback_years_cash, "years",
                     formula_of(Results(result).payback_years()), kDefinition});
  }
  if (!terms.rent_usd_per_gpu_hour) return lines;
  const Traced slope = q.rent_over_own_slope();
  if (!(slope.value() > 0)) return lines;
  const Traced share = q.own_at_zero(Results(result)) / slope;
  lines.push_back({"break_even_utilisation",
                   result.break_even_utilisation
                       ? "Break-even, share of a month's hours"
                       : "Break-even, share of a month's hours: above 1, so never",
                   share.value(), "", formula_of(share), kMonthlyModel});
  if (!result.break_even_utilisation) return lines;
  // Like the totals above, each builds on the figure before it and not on how that came about.
  const Traced hours = Traced::input("break_even_utilisation", share.value()) * q.hours;
  lines.push_back({"break_even_hours_per_month", "Break-even hours per month",
                   *result.break_even_hours_per_month, "h/month", formula_of(hours),
                   kMonthlyModel});
  if (!result.break_even_runs_per_month) return lines;
  const Traced runs = Traced::input("break_even_hours_per_month", hours.value()) /
                      Traced::input("hours_per_run", *terms.hours_per_run);
  lines.push_back({"break_even_runs_per_month", "Break-even runs per month",
                   *result.break_even_runs_per_month, "runs/month", formula_of(runs), kDefinition});
  return lines;
}

Json answer_cost_request(const Json& request) {
  Faults faults;
  const OwnershipTerms terms = read_cost_request(request_with_values(request), faults);
  if (!faults.empty()) throw InputError(faults.request_text());
  try {
    return cost_answer(cost_of_owning(terms));
  } catch (const std::overflow_error&) {
    throw InputError("the amounts are too large to add up exactly");
  }
}

}  // namespace sizesheet
