// SPDX-License-Identifier: Apache-2.0
// Two editions, key by key.
#pragma once

namespace sizesheet {

struct Change;
struct ChangeThresholds;
struct Edition;
struct EntryChange;
struct SheetChanges;

/// Everything but causes: `cause`, `because`, `moved` and `causes` stay empty. The order of rows in
/// either edition does not matter. Throws InputError naming a key that stands twice.
SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds);

/// The entry that tells of this added or removed row or pick; nullptr where none does.
const EntryChange* whole_entry(const SheetChanges& changes, const Change& change);

}  // namespace sizesheet
