// SPDX-License-Identifier: Apache-2.0
// The request's `objective`: what a search minimises, or what the run is trained for, or both.
#pragma once

#include "sizing/job/job.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct Question;

/// What is trained for, checked against all else; it sets the loss.
void settle_objective(ObjectReader& request, Job& job);
/// Whether there are adapters whose absence makes the reference.
void check_adapter_off(ObjectReader& reader, Reference reference, const Job& job);

/// Sets what is searched for and what is trained for.
void read_objective(ObjectReader& request, const Catalog& catalog, Question& question);

/// The request with the method that it names spelled out, under what it says of its objective or of
/// generation itself.
Json with_method(const Json& request, const Catalog& catalog, Faults& faults);

}  // namespace sizesheet
