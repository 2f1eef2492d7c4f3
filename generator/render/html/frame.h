// SPDX-License-Identifier: Apache-2.0
// What every page shares: head, bar, navigation, footer; cells of tables; notes; questions.
#pragma once

#include <optional>
#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

inline constexpr std::size_t kShortHash = 12;  ///< characters of a catalog's hash on a page

/// Adds the values of the frame and the rules that several pages print. `file` is the page, without
/// ending; `root` is the way to the site's top ("" or "../").
void put_frame(Json& values, const Sheet& sheet, const std::string& file, const std::string& title,
               const std::string& root);

/// How a row stands, with the free share: "fits, 22 % free", "tight, 4 % free",
/// "no, over by 11.4 GiB", "not modelled".
std::string verdict_words(const Row& row);
/// The same for a count beside the answer.
std::string verdict_words(const CountCheck& check, std::int64_t capacity);

/// Fragment of the proof of a row on its model's page.
std::string proof_id(const Sheet& sheet, const Row& row);
/// The way to it from the top of the site: "models/size-7b.html#bill-full-h200-sxm".
std::string proof_href(const Sheet& sheet, const Row& row);

/// The numbered notes under the matrix: [{note_text}].
Json index_notes(const Sheet& sheet);

/// What a run on spot is charged beside its hours; "" without an allowance.
std::string spot_rule(const Sheet& sheet);

/// Text and address of each; empty for a sheet without models. A question that this edition cannot
/// answer says so and leads to how it could. About the highlighted model, by adapters where the
/// sheet has them.
Json questions(const Sheet& sheet);

}  // namespace sizesheet
