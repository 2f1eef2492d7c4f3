// SPDX-License-Identifier: Apache-2.0
// The pages of the site and the sections of a model's page: the values that templates are drawn
// with, beside those of the frame.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "sheet/changes.h"
#include "sheet/fields.h"
#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {

/// A page of which a site has one. A new page is an entry of the list and a template.
struct SitePage {
  const char* file;  ///< "own" of own.html, drawn with own.mustache
  const char* name;  ///< in the bar, and the page's title before the sheet's
  bool in_bar;
  bool filtered;  ///< has a table that filters.js filters
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
Json own_values(const Sheet& sheet);   ///< of a sheet that has an ownership part
Json plan_values(const Sheet& sheet);  ///< of a sheet that has one
Json prices_values(const Sheet& sheet);
Json rows_values(const Sheet& sheet);

/// A script that hands over the rows of the main scenario in an event "rows". Its detail holds for
/// each cell of the matrix, by id, the printed figures of the columns behind the set-up, each with
/// the number behind it where it has one: [["26.97", 26.97], …, ["rent"]].
std::string rows_script(const Sheet& sheet);

/// The words of the banner on the index, those of the first sentence of the page of changes; null
/// without changes.
void put_changes_banner(Json& values, const Sheet& sheet);

// ---- What several pages show.

/// Adds the values of the frame and the rules that several pages print. `file` is the page, without
/// ending; `root` is the way to the site's top ("" or "../").
void put_frame(Json& values, const Sheet& sheet, const std::string& file, const std::string& title,
               const std::string& root);

/// How a row stands, with the free share: "fits, 22 % free", "tight, 4 % free",
/// "no, over by 11.4 GiB", "not modelled".
std::string verdict_words(const Row& row);

/// The shown row of every method that has one.
std::vector<const Row*> shown_rows(const Sheet& sheet, const std::string& model);

/// Fragment of the proof of a row on its model's page.
std::string proof_id(const Sheet& sheet, const Row& row);

/// A topic of advice with what its runs and its techniques say.
Json topic_json(const Sheet& sheet, const SheetAdviceTopic& topic);

/// Values of worksheet.mustache: `worksheets`, those of the page.
Json worksheet_values(const Sheet& sheet, const std::string& page);

/// Values of the partial proof.mustache: a row with every memory term and every cost line.
Json proof_values(const Sheet& sheet, const Row& row);

/// Lines of a cost table: figures that are no money, with their formulas.
Json quantity_values(const std::vector<QuantityLine>& quantities);

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
void put_choice_charts(Json& values, const Sheet& sheet, const std::string& model);

// ---- Where a page of changes stands: inside an edition, whose titles and pages it may use, or
// alone.

class ChangesPlace {
 public:
  /// `edition` is the sheet on whose site the page stands, and must outlive this; nullptr alone.
  ChangesPlace(const SheetChanges& changes, const Sheet* edition);

  bool alone() const { return edition_ == nullptr; }
  /// `of` as in EntryChange::of; the id where no name is known.
  const std::string& name(const std::string& of, const std::string& id) const {
    return changes_.name_of(of, id);
  }
  std::string gpu(const Change& change) const;
  /// Address of what is changed: the bill of a row, the model's page; "" where there is none.
  std::string href(const Change& change) const;
  /// The scenario where the rows, or the picks, are of several, else "".
  std::string scenario(const Change& change) const;
  /// "1 × L40S, $7.31 a run": what is picked now; absent where that is not known here.
  std::optional<std::string> pick_now(const std::string& model, const std::string& method) const;

 private:
  const SheetChanges& changes_;
  const Sheet* edition_;
  std::set<std::string> row_scenarios_;
  std::set<std::string> pick_scenarios_;
};

// ---- What lies behind the changes: causes in dollars, and the inputs that moved.

inline constexpr int kCents = 2;  ///< decimals of the dollars that changes are told in

/// cause_rows, cause_total …, and causes_unknown in words where they could not be worked out.
void put_causes(Json& values, const SheetChanges& changes);

/// Prices, and every other input: those that a changed row rests on first, the rest folded away.
void put_moved(Json& values, const SheetChanges& changes);

// ---- The tables of the page of changes: verdicts, picks, every changed row, and kinds.

/// verdict_rows: rows that fit, or on how many GPUs, otherwise than before; most severe first.
Json verdict_rows(const SheetChanges& changes, const ChangesPlace& place);

/// pick_rows: the picks, largest change of the dollars of a run first, unknown last.
Json pick_rows(const SheetChanges& changes, const ChangesPlace& place);

/// How many are of a kind.
std::int64_t count_in(const std::map<std::string, std::int64_t>& counts, const std::string& kind);

/// kind_rows: how many rows and picks each kind has.
Json kind_rows(const SheetChanges& changes);

/// equal_rows: rows of one GPU type whose dollars moved by the same share, one line for all of
/// them.
Json equal_rows(const SheetChanges& changes, const ChangesPlace& place);

/// changed_rows: what changed of a row, at most `most`.
Json changed_rows(const SheetChanges& changes, const ChangesPlace& place, std::size_t most);

/// [{cause_id, cause_name}]: the groups of inputs that some pick names, for the filter.
Json cause_choices(const SheetChanges& changes);

/// A drawn page as people read it: labels that are all the text between two tags, or of an
/// attribute that is read, and the sign of money throughout.
std::string worded_page(const std::string& page, const SheetMeta& meta);

/// A script with its labels: whole texts in quotes that begin with a capital, as no name in it
/// does.
std::string worded_script(std::string script, const SheetMeta& meta);

}  // namespace sizesheet
