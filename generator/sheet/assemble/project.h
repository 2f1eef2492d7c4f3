// SPDX-License-Identifier: Apache-2.0
// Gives rows, picks and the sheet their project where the specification asks for one.
#pragma once

namespace sizesheet {

struct Catalog;
struct Sheet;
struct SheetSpec;

/// After the picks are made. Throws InputError where the amounts cannot be counted.
void add_project(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

}  // namespace sizesheet
