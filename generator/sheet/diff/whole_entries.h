// SPDX-License-Identifier: Apache-2.0
// Models, GPU types, methods and scenarios that only one edition has, so that a new model is one
// line and not one for each of its rows.
#pragma once

#include "sheet/diff/edition.h"

namespace sizesheet {

/// Fills `entries`. Both editions must have the same names for the same things.
void find_whole_entries(const Edition& old_edition, const Edition& new_edition,
                        SheetChanges& changes);

/// The entry that tells of this added or removed row or pick; nullptr where none does.
const EntryChange* whole_entry(const SheetChanges& changes, const Change& change);

}  // namespace sizesheet
