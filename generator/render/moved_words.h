// SPDX-License-Identifier: Apache-2.0
// One change in words: how a row stood on either side, which inputs moved, and what that did.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sheet/changes.h"

namespace sizesheet {

/// "8 × H100".
std::string side_setup(const ChangeSide& side);
/// "8 × H100, 12 % free", "8 × H100, tight, 4 % free", "no, over by 0.4 GiB", "not modelled"; "not
/// listed" for a side that is absent.
std::string side_standing(const std::optional<ChangeSide>& side);

using MovedById = std::map<std::string, const MovedInput*>;
MovedById moved_by_id(const SheetChanges& changes);

/// JSON text of a value: strings without their quotes and escapes, all else as it stands.
std::string bare_value(const std::string& json_text);
/// "overhead.dynamic_share": the entry, and where in it when that needs saying.
std::string moved_title(const MovedInput& moved);
/// A value as JSON text for people: strings bare, long ones cut, "–" where there is none.
std::string moved_value(const std::string& json_text);
/// "overhead.dynamic_share 0.16 → 0.1", "l40s added".
std::string moved_words(const MovedInput& moved);

/// "Engine: overhead.dynamic_share 0.16 → 0.1"; "–" where no cause is known.
std::string cause_title(const Change& change, const MovedById& moved);
/// "H100 $2.29 → $2.09; 1 → 2 GPUs; …": what a pick's figures and inputs did.
std::string pick_moves(const Change& change, const MovedById& moved);

}  // namespace sizesheet
