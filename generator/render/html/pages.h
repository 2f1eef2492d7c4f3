// SPDX-License-Identifier: Apache-2.0
// The pages of the site and the sections of a model's page: the values that templates are drawn
// with, beside those of the frame.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

/// A page of which a site has one. A new page is an entry of the list and a template.
struct SitePage {
  const char* file;  ///< "own" of own.html, drawn with own.mustache
  const char* name;  ///< in the bar, and the page's title before the sheet's
  bool in_bar;
  bool (*is_in)(const Sheet& sheet);
  Json (*values)(const Sheet& sheet);
};
std::span<const SitePage> site_pages();

Json accuracy_values(const Accuracy& accuracy);
Json advice_values(const Sheet& sheet);   ///< of a sheet that has advice
Json changes_values(const Sheet& sheet);  ///< of a sheet that has changes
Json frameworks_values(const Sheet& sheet);
Json gpu_values(const Sheet& sheet, const SheetGpu& gpu);
Json gpus_values(const Sheet& sheet);
Json guides_values(const Sheet& sheet);
Json index_values(const Sheet& sheet);
Json model_values(const Sheet& sheet, const SheetModel& model);
Json own_values(const Sheet& sheet);  ///< of a sheet that has an ownership part
Json prices_values(const Sheet& sheet);
Json rows_values(const Sheet& sheet);

/// A script that hands over the rows of the main scenario in an event "rows". Its detail holds for
/// each cell of the matrix, by id, the printed figures of the columns behind the set-up, each with
/// the number behind it where it has one: [["26.97", 26.97], …, ["rent"]].
std::string rows_script(const Sheet& sheet);

/// The page of changes as one HTML document that needs no other file: stylesheet and script stand
/// in it. Models and methods are named by id, and nothing links to an edition.
std::string changes_page(const SheetChanges& changes);

/// has_banner and the banner's words, on the index; the figures are those of the first sentence of
/// the page of changes.
void put_changes_banner(Json& values, const Sheet& sheet);

// ---- What several pages show.

inline constexpr std::size_t kShortHash = 12;  ///< characters of a catalog's hash on a page

/// Adds the values of the frame and the rules that several pages print. `file` is the page, without
/// ending; `root` is the way to the site's top ("" or "../").
void put_frame(Json& values, const Sheet& sheet, const std::string& file, const std::string& title,
               const std::string& root);

/// How a row stands, with the free share: "fits, 22 % free", "tight, 4 % free",
/// "no, over by 11.4 GiB", "not modelled".
std::string verdict_words(const Row& row);

/// Fragment of the proof of a row on its model's page.
std::string proof_id(const Sheet& sheet, const Row& row);
/// The way to it from the top of the site: "models/size-7b.html#bill-full-h200-sxm".
std::string proof_href(const Sheet& sheet, const Row& row);

/// A topic of advice with what its runs and its techniques say.
Json topic_json(const Sheet& sheet, const SheetAdviceTopic& topic);

/// Values of worksheet.mustache: `worksheets`, those of the page.
Json worksheet_values(const Sheet& sheet, const std::string& page);

/// Values of the partial proof.mustache: a row with every memory term and every cost line.
Json proof_values(const Sheet& sheet, const Row& row);

/// Lines of a cost table: figures that are no money, with their formulas.
Json quantity_values(const std::vector<QuantityLine>& quantities);

// ---- Of the index, and of the page of prices.

/// The numbered notes under the matrix: [{note_text}].
Json index_notes(const Sheet& sheet);

/// What a run on spot is charged beside its hours; "" without an allowance.
std::string spot_rule(const Sheet& sheet);

/// Text and address of each; empty for a sheet without models. A question that this edition cannot
/// answer says so and leads to how it could. About the highlighted model, by adapters where the
/// sheet has them.
Json questions(const Sheet& sheet);

// ---- The sections of a model's page; `best` is its best_row.

/// The cards at the top: one answer a method.
Json card_list(const Sheet& sheet, const std::string& model, const Row* best);

/// One block a method: the other GPU types, cheapest run first, and the counts below the answer.
Json choice_list(const Sheet& sheet, const std::string& model, const Row* best);

/// The model's rows of other scenarios beside the same row of the main one.
Json stack_list(const Sheet& sheet, const std::string& model);

/// The five segments of a bill, as cells.
Json segment_parts(const MemoryBill& bill);

/// What would save memory: the levers of the best method open, those of the others folded.
void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

/// Where the picks can be rented, why the cheapest hour is not the cheapest run, and what a run
/// leaves on disk.
void put_offers(Json& values, const Sheet& sheet, const std::string& model);

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model);
void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model);
void put_run_costs(Json& values, const Sheet& sheet, const std::string& model);

}  // namespace sizesheet
