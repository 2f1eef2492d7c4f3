// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/project.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/prices/project_rates.h"
#include "cost/project_cost.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/project.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr double kGibBytes = 1024.0 * 1024.0 * 1024.0;

/// An end of what is uncertain: of the dollars of a run, and of each rate.
struct ProjectEnd {
  MicroUsd UsdRange::*run;
  double Estimate::*rate;
};
constexpr ProjectEnd kExpectedEnd{&UsdRange::mid, &Estimate::typical};
constexpr ProjectEnd kLowEnd{&UsdRange::low, &Estimate::low};
constexpr ProjectEnd kHighEnd{&UsdRange::high, &Estimate::high};

/// 0 for what the project does not have.
double rate_at(const ProjectSpec& project, const ProjectRateKind& kind, const ProjectEnd& end) {
  const auto* rate = entry_with(project.rates, &ProjectFigure::id, std::string(kind.id));
  return rate == nullptr ? 0 : rate->*end.rate;
}

ProjectTerms project_terms(const ProjectSpec& project, const Row& row, std::int64_t tokens,
                           const ProjectEnd& end) {
  ProjectTerms terms;
  terms.usd_per_run = row.set_up()->usd.*end.run;
  terms.tokens_per_run = tokens;
  terms.runs = project.runs;
  terms.failed_share = project.failed_share;
  terms.evaluation_tokens = as_double(project.evaluation_tokens);
  terms.forward_share = rate_at(project, kForwardShare, end);
  if (project.storage_months > 0) {
    const double kept = project.runs * as_double(project.checkpoints);
    const double bytes = row.files ? as_double(row.files->checkpoint) : 0;
    terms.stored_gib = project.dataset_gib + kept * bytes / kGibBytes;
  }
  terms.storage_months = project.storage_months;
  terms.usd_per_gib_month = rounded_usd(rate_at(project, kStorageRate, end));
  terms.egress_gib = project.egress_gib;
  terms.usd_per_gib = rounded_usd(rate_at(project, kEgressRate, end));
  terms.engineering_hours = project.engineering_hours;
  terms.usd_per_engineering_hour = rounded_usd(rate_at(project, kEngineerRate, end));
  return terms;
}

void add_row_project(const ProjectSpec& project, std::int64_t tokens, Row& row) {
  const ProjectTerms terms = project_terms(project, row, tokens, kExpectedEnd);
  ProjectCost cost{project_cost(terms)};
  cost.runs = project.runs;
  cost.failed_share = project.failed_share;
  cost.evaluation_tokens = project.evaluation_tokens;
  cost.usd_per_run = terms.usd_per_run;
  cost.stored_gib = terms.stored_gib;
  cost.total_usd_low = project_cost(project_terms(project, row, tokens, kLowEnd)).total_usd;
  cost.total_usd_high = project_cost(project_terms(project, row, tokens, kHighEnd)).total_usd;
  row.project = cost;
  for (CostLine& line : explain_project(terms)) row.cost_terms.push_back(std::move(line));
}

/// The pick's project is that of the sheet.
void put_pick_project(const Sheet& sheet, SheetProject& project) {
  const Pick* pick = sheet.pick(project.model, project.method);
  if (pick == nullptr || !pick->project) return;
  const ProjectCost& cost = *pick->project;
  project.row_key = pick->rent_key;
  project.usd_per_run = cost.usd_per_run;
  project.stored_gib = cost.stored_gib;
  project.runs_usd = cost.runs_usd;
  project.evaluation_usd = cost.evaluation_usd;
  project.storage_usd = cost.storage_usd;
  project.egress_usd = cost.egress_usd;
  project.people_usd = cost.people_usd;
  project.total_usd = cost.total_usd;
  project.total_usd_low = cost.total_usd_low;
  project.total_usd_high = cost.total_usd_high;
}

}  // namespace

void add_project(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  if (!spec.project) return;
  for (Row& row : sheet.rows) {
    if (row.set_up() == nullptr) continue;
    try {
      add_row_project(*spec.project, tokens_of(spec, catalog.method(row.method)), row);
    } catch (const std::overflow_error&) {
      throw InputError(row.key() +
                       ": the project of this row is too large to count in micro-dollars");
    }
  }
  for (Pick& pick : sheet.picks) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    if (row != nullptr) pick.project = row->project;
  }
  SheetProject project{static_cast<const ProjectAsked&>(*spec.project)};
  project.rates = spec.project->rates;
  put_pick_project(sheet, project);
  sheet.project = std::move(project);
}

}  // namespace sizesheet
