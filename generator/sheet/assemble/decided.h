// SPDX-License-Identifier: Apache-2.0
// Rent or own where somebody states a demand: the sheet's own plan, or runs or hours asked for.
#pragma once

#include <optional>
#include <string>

#include "cost/rent_or_own.h"

namespace sizesheet {

struct Sheet;
struct SheetPlan;

/// What the plan decides for the runs of a model and method. Where most of them are on machines or
/// reservations, that is to buy; else to rent. It is close where the plan and the same months
/// without that choice are within 10 % of each other. Empty for a job that the plan has no runs of.
std::optional<RentOrOwn> decided_by(const SheetPlan& plan, const std::string& model,
                                    const std::string& method);

/// Gives the machines to own of the plan's jobs its decision. An example plan, and one that was not
/// found, decide nothing.
void decide_by_plan(Sheet& sheet);

/// Gives each machine to own the decision at the use that its figures are of, which somebody asked
/// for.
void decide_by_use(Sheet& sheet);

}  // namespace sizesheet
