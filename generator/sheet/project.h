// SPDX-License-Identifier: Apache-2.0
// The whole project of a sheet: what its specification asks for, and what it costs beside the one
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/prices/project_rates.h"
#include "catalog/prices/purchase.h"
#include "cost/project_cost.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

/// `project` of a specification. Zero is nothing of the kind.
struct ProjectAsked {
  std::string model;                   ///< whose pick the project of the sheet is of
  std::string method;                  ///< likewise
  double runs = 1;                     ///< that are finished
  double failed_share = 0;             ///< of all runs started, those whose work is lost
  std::int64_t evaluation_tokens = 0;  ///< read in a finished run
  std::int64_t checkpoints = 0;        ///< stored of a finished run
  double storage_months = 0;
  double dataset_gib = 0;
  double egress_gib = 0;
  double engineering_hours = 0;
  bool index_column = false;  ///< the index has a column of it
};
BOOST_DESCRIBE_STRUCT(ProjectAsked, (),
                      (model, method, runs, failed_share, evaluation_tokens, checkpoints,
                       storage_months, dataset_gib, egress_gib, engineering_hours, index_column))

/// A rate that the dollars follow from: the catalog's, or the sheet's own.
struct ProjectFigure : Estimate {
  std::string id;  ///< of a ProjectRateKind
  std::string title;
  std::string unit;
};
BOOST_DESCRIBE_STRUCT(ProjectFigure, (Estimate), (id, title, unit))

/// What a specification asks for, with the rates that this needs.
struct ProjectSpec : ProjectAsked {
  std::vector<ProjectFigure> rates;
};

/// What the project of one set-up costs.
struct ProjectCost : ProjectDollars {
  double runs = 0;
  double failed_share = 0;
  std::int64_t evaluation_tokens = 0;
  MicroUsd usd_per_run = {};  ///< expected, on demand
  double stored_gib = 0;
  MicroUsd total_usd_low = {};   ///< the run and all rates at their low ends
  MicroUsd total_usd_high = {};  ///< at their high ends

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(ProjectCost, (ProjectDollars),
                      (runs, failed_share, evaluation_tokens, usd_per_run, stored_gib,
                       total_usd_low, total_usd_high))

/// Of the whole sheet: what was asked for, by which rates, and what the pick's project costs.
struct SheetProject : ProjectAsked {
  std::vector<ProjectFigure> rates = {};
  std::optional<std::string> row_key = {};  ///< of the pick; the rest is absent without one
  std::optional<MicroUsd> usd_per_run = {};
  std::optional<double> stored_gib = {};
  std::optional<MicroUsd> runs_usd = {};
  std::optional<MicroUsd> evaluation_usd = {};
  std::optional<MicroUsd> storage_usd = {};
  std::optional<MicroUsd> egress_usd = {};
  std::optional<MicroUsd> people_usd = {};
  std::optional<MicroUsd> total_usd = {};
  std::optional<MicroUsd> total_usd_low = {};
  std::optional<MicroUsd> total_usd_high = {};

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(SheetProject, (ProjectAsked),
                      (rates, row_key, usd_per_run, stored_gib, runs_usd, evaluation_usd,
                       storage_usd, egress_usd, people_usd, total_usd, total_usd_low,
                       total_usd_high))

}  // namespace sizesheet
