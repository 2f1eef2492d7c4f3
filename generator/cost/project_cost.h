// SPDX-License-Identifier: Apache-2.0
// What a whole project costs: all runs that are started, evaluation, storage, transfer and people.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/cost_line.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

/// What a project is of. Zero is nothing of the kind.
struct ProjectTerms {
  MicroUsd usd_per_run;
  std::int64_t tokens_per_run = 0;  ///< that a run trains on; 0 where they are not known
  double runs = 1;                  ///< that are finished
  double failed_share = 0;  ///< of all runs that are started, those whose work is lost; below 1
  double evaluation_tokens = 0;  ///< of a finished run
  double forward_share = 0;      ///< of a trained token's cost, what a token that is read costs
  double stored_gib = 0;
  double storage_months = 0;
  MicroUsd usd_per_gib_month;
  double egress_gib = 0;
  MicroUsd usd_per_gib;
  double engineering_hours = 0;
  MicroUsd usd_per_engineering_hour;
};

/// Each rounded once; the total is their sum.
struct ProjectDollars {
  MicroUsd runs_usd;
  MicroUsd evaluation_usd;
  MicroUsd storage_usd;
  MicroUsd egress_usd;
  MicroUsd people_usd;
  MicroUsd total_usd;
  bool operator==(const ProjectDollars&) const = default;
};
BOOST_DESCRIBE_STRUCT(ProjectDollars, (),
                      (runs_usd, evaluation_usd, storage_usd, egress_usd, people_usd, total_usd))

/// Throws std::invalid_argument for a term below 0, a failed share of 1 or more, and evaluation
/// tokens of a run whose own tokens are not known; std::overflow_error for too large an amount.
ProjectDollars project_cost(const ProjectTerms& terms);

/// The same amounts with their formulas, those that are asked for; the total last. The source of
/// each is a definition.
std::vector<CostLine> explain_project(const ProjectTerms& terms);

}  // namespace sizesheet
