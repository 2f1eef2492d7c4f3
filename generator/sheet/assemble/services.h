// SPDX-License-Identifier: Apache-2.0
// What fine-tuning services ask for the runs of a sheet.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct Catalog;
struct Row;
struct Sheet;
struct SheetSpec;

/// Adds to the sheet what services ask for the model and method of `rows`, where some are of its
/// main scenario; those rows have the cheapest from then on. Of the sheet only facts are read.
void add_services(const Catalog& catalog, const SheetSpec& spec, std::vector<Row>& rows,
                  Sheet& sheet);

}  // namespace sizesheet
