// SPDX-License-Identifier: Apache-2.0
// Values of frameworks.mustache: what training frameworks need for one model, table by table, each
// figure with what it rests on.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json frameworks_values(const Sheet& sheet);

// Its counted tables.

/// component_rows, component_total …, and the split between experts and the rest.
void put_components(Json& values, const SheetFrameworkSet& set);
/// adapter_modes, each with its adapter_rows.
void put_adapters(Json& values, const SheetFrameworkSet& set);
/// layer_sets, each with its layer_rows.
void put_layers(Json& values, const SheetFrameworkSet& set);
/// comparison_rows: one method each, its bill by term.
void put_comparison(Json& values, const SheetFrameworkSet& set);

/// {name_mark, name_words, name_class} of a verdict over bytes.
void put_verdict(Json& row, const std::string& name, const std::string& verdict,
                 std::int64_t device, std::int64_t capacity);

/// "6.20 M", "31,577.9 M": parameters in millions.
std::string millions(std::int64_t count);

}  // namespace sizesheet
