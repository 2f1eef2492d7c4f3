// SPDX-License-Identifier: Apache-2.0
// The request's `objective`: what a search minimises, or what the run is trained for, or both.
#pragma once

#include <string>

#include "sizing/job/training.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Architecture;
struct Catalog;
struct MethodKeys;
struct Question;
struct RunKeys;

/// The path of its loss, which names its bytes in the catalog. Those of Liger follow from its
/// chunks.
std::string loss_of(const TrainingObjective& training);

/// What is trained for, checked against all else.
void check_objective(ObjectReader& request, const Architecture& model, const MethodKeys& method,
                     const RunKeys& run);
/// Whether there are adapters whose absence makes the reference.
void check_adapter_off(ObjectReader& reader, Reference reference, const MethodKeys& method);

/// Sets what is searched for and what is trained for.
void read_objective(ObjectReader& request, const Catalog& catalog, Question& question);

/// The request with the method that it names spelled out, under what it says of its objective or of
/// generation itself.
Json with_method(const Json& request, const Catalog& catalog, Faults& faults);

}  // namespace sizesheet
