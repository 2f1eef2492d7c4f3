// SPDX-License-Identifier: Apache-2.0
// The estimate requests behind the tables by framework: the set's model and GPU, then the keys of
// the framework, the table, its variant and the row, each laid over the one before.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "sizing/question.h"

namespace sizesheet {

Json request_for(const FrameworkSet& set, const FrameworkQuestion& question);
Json request_for(const FrameworkSet& set, const RequestSet& variant, const SequenceStep& step,
                 std::int64_t micro_batch);
Json request_for(const FrameworkSet& set, const RequestTable& table, const RequestSet& row);
/// Adapters are counted on one GPU, with no GPU named.
Json request_for(const FrameworkSet& set, const AdapterMode& mode, std::int64_t rank);

/// The request, understood. A fault throws InputError: `frameworks/ID: layout.ep: …`.
Question understood(const Catalog& catalog, const FrameworkSet& set, const Json& request);

/// Records what is wrong with any request of the catalog's sets, under its place in its file.
void check_frameworks(const Catalog& catalog, const std::string& directory, Faults& faults);

}  // namespace sizesheet
