// SPDX-License-Identifier: Apache-2.0
// What every page shares: head, bar, navigation, footer; cells of tables; notes; questions.
#pragma once

#include <optional>
#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

// ---- What every page shares: head, bar, navigation, footer.

inline constexpr std::size_t kShortHash = 12;  ///< characters of a catalog's hash on a page

/// The pages in the bar.
enum class SitePage {
  kMatrix,
  kRows,
  kOwn,
  kPrices,
  kAccuracy,
  kGuides,
  kFrameworks,
  kAdvice,
  kMethod,
  kModel,
  kGpus,
  kGlossary,
  kChanges
};

/// Values of the frame; `root` is the way to the site's top ("" or "../").
Json frame_values(const Sheet& sheet, SitePage page, const std::string& title,
                  const std::string& root);

/// "50 M tokens in sequences of 4,096".
std::string run_words(const Sheet& sheet);

/// What no figure of the sheet contains, in words.
std::string not_included(const Sheet& sheet);

// ---- Table cells of the pages: a figure as text and as a raw number, or "–" when unknown.

/// {name: text, name_v: raw}: a printed figure and the number behind it, for sorting.
void put(Json& row, const std::string& name, const std::string& text, double raw);
/// {name: "–", name_v: ""}.
void put_absent(Json& row, const std::string& name);

using UsdFormat = std::string (*)(MicroUsd);
void put_usd(Json& row, const std::string& name, const std::optional<MicroUsd>& usd,
             UsdFormat format);

/// How a row stands, as class ("fits", "tight", "no", "refused") and in words with the free share:
/// "fits, 22 % free", "tight, 4 % free", "no, over by 11.4 GiB", "not modelled".
std::string verdict_class(const Row& row);
std::string verdict_words(const Row& row);
/// The same for a count beside the answer.
std::string verdict_words(const CountCheck& check, std::int64_t capacity);

/// Fragment of a price on the page of prices, from its key.
std::string price_id(const std::string& key);

/// Fragment of the proof of a row on its model's page.
std::string proof_id(const Sheet& sheet, const Row& row);
/// The way to it from the top of the site: "models/size-7b.html#bill-full-h200-sxm".
std::string proof_href(const Sheet& sheet, const Row& row);

// ---- The notes and rules of the pages in words, with the sheet's own options and rates in them.

/// The numbered notes under the matrix: [{note_text}].
Json index_notes(const Sheet& sheet);

/// "room for 10 % above the estimate, so at least 9.1 % of the card is free".
std::string headroom_rule(const Sheet& sheet);

/// Which price wins: tier, offers, age, filters.
std::string price_policy(const Sheet& sheet);

/// What a run on spot is charged beside its hours; "" without an allowance.
std::string spot_rule(const Sheet& sheet);

/// How an owned machine is paid for, from the rates the sheet used.
std::string ownership_rule(const Sheet& sheet);

// ---- The five questions that people come with, as links to the places that answer them.

/// Text and address of each; empty for a sheet without models. A question that this edition cannot
/// answer says so and leads to how it could. About the highlighted model, by adapters where the
/// sheet has them.
Json questions(const Sheet& sheet);

}  // namespace sizesheet
