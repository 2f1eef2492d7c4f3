// SPDX-License-Identifier: Apache-2.0
// The tables by framework: their requests, bytes and counts.
#pragma once

#include <string>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;
struct FrameworkQuestion;
struct FrameworkSet;
struct Question;
struct Sheet;

/// Fills `sheet.frameworks`. A request that the engine refuses throws InputError.
void add_frameworks(const Catalog& catalog, Sheet& sheet);

/// The estimate request behind a job of the table at a glance: the set's model and GPU, then the
/// keys of its framework, then its own, each laid over the one before.
Json request_for(const FrameworkSet& set, const FrameworkQuestion& question);

/// The request, understood. A fault throws InputError: `frameworks/ID: layout.ep: …` of a `place`.
Question understood(const Catalog& catalog, const std::string& place, const Json& request);

/// Records what is wrong with any request of the catalog's sets, under its place in its file.
void check_frameworks(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

}  // namespace sizesheet
