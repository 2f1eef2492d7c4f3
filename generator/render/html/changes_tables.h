// SPDX-License-Identifier: Apache-2.0
// The tables of the page of changes: verdicts, picks, every changed row, and kinds.
#pragma once

#include "render/html/changes_place.h"

namespace sizesheet {

/// verdict_rows: rows that fit, or on how many GPUs, otherwise than before; most severe first.
Json verdict_rows(const SheetChanges& changes, const ChangesPlace& place);

/// pick_rows: the picks, largest change of the dollars of a run first, unknown last.
Json pick_rows(const SheetChanges& changes, const ChangesPlace& place);

/// kind_rows: how many rows and picks each kind has.
Json kind_rows(const SheetChanges& changes);

/// changed_rows: what changed of a row, at most `most`.
Json changed_rows(const SheetChanges& changes, const ChangesPlace& place, std::size_t most);

/// [{cause_id, cause_name}]: the groups of inputs that some pick names, for the filter.
Json cause_choices(const SheetChanges& changes);

}  // namespace sizesheet
