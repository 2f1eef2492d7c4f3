// SPDX-License-Identifier: Apache-2.0
// Why an edition differs: OLD's inputs are sized again with this engine, then one group of NEW's
// inputs after the other is put in their place.
#pragma once

#include "sheet/diff/edition.h"

namespace sizesheet {

/// Fills `cause` and `because` of every change, `moved` and `causes`; or `causes_unknown`.
void find_causes(const Edition& old_edition, const Edition& new_edition, int jobs,
                 SheetChanges& changes);

}  // namespace sizesheet
