// SPDX-License-Identifier: Apache-2.0
// Why an edition differs: OLD's inputs are sized again with this engine (state B), then groups of
// NEW's inputs are put in their place.
//
// The rule. Kinds of change fall into aspects: what fits, the card picked, dollars to rent, dollars
// to own, hours, advice, memory terms and so on. Two editions are compared by `compare_editions`
// under the caller's thresholds, so that a drift that is not worth listing is no cause either.
// The day of the sheet and the ages of prices are a group, `age`: prices grow older though nobody
// touched them. NEW's prices are held against OLD's on NEW's day.
// A group is a cause of a change when it alone, switched from OLD to NEW in B, moves the row or the
// pick in an aspect in which it changed. `engine` is one also when B differs so from OLD as stored,
// or NEW's inputs sized by this engine from NEW as stored: then another program wrote that edition.
// Where no group does it alone, the causes are those whose return to OLD, from NEW, takes an aspect
// of the move away (a combination); failing that, those that alone move it below the thresholds;
// failing that, every group whose inputs differ. A new name is the doing of the group it is in.
#pragma once

#include "sheet/changes.h"
#include "sheet/diff/edition.h"

namespace sizesheet {

/// Compares and finds causes: `cause` and `because` of every change, `moved` and `causes`. Where an
/// edition does not hold all that its rows were made from, those stay empty and `causes_unknown`
/// says why.
SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const ChangeThresholds& thresholds, int jobs = 1);

}  // namespace sizesheet
