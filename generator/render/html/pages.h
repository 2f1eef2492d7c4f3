// SPDX-License-Identifier: Apache-2.0
// The pages of the site and the sections of a model's page: the values that templates are drawn
// with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

// ---- The pages of the site: the values that each one's template is drawn with, beside the
// frame's.

/// A page of which a site has one. A new page is an entry of the list and a template.
struct SitePage {
  const char* file;  ///< "own" of own.html, drawn with own.mustache
  const char* name;  ///< in the bar, and the page's title before the sheet's
  bool in_bar;
  bool (*is_in)(const Sheet& sheet);
  Json (*values)(const Sheet& sheet);
};
std::span<const SitePage> site_pages();

// ---- The page of accuracy: estimates against published measurements, in total and row by row.

Json accuracy_values(const Accuracy& accuracy);

// ---- Values of advice.mustache: what a card holds, techniques with what they save and cost,
// warnings with what prints them, symptoms, notes. Its settings stand on the page of frameworks.

Json advice_values(const Sheet& sheet);

/// A topic with what its runs and its techniques say: of this page, or of that of frameworks.
Json topic_json(const Sheet& sheet, const SheetAdviceTopic& topic);

// ---- Values of frameworks.mustache: what training frameworks need for one model, table by table,
// each figure with what it rests on.

Json frameworks_values(const Sheet& sheet);

// ---- Values of gpu.mustache: one GPU type, what fits on how many, what it costs and cost, its
// facts.

Json gpu_values(const Sheet& sheet, const SheetGpu& gpu);

// ---- Values of gpus.mustache: the sheet's GPU types side by side, with what they hold and cost.

Json gpus_values(const Sheet& sheet);

// ---- Values of guides.mustache: what published guides say, where they contradict themselves, and
// why the sheet differs.

Json guides_values(const Sheet& sheet);

// ---- Values of index.mustache: the matrix of the main scenario and the list of every row.

Json index_values(const Sheet& sheet);

// ---- Values of method.mustache: how the figures come about, and the constants behind them.

Json method_values(const Sheet& sheet);

// ---- The page of renting against buying: every pick owned, what moves the figure, one card bought
// against another rented, and the assumptions with their basis.

/// Values of own.mustache, for a sheet that has an ownership part.
Json own_values(const Sheet& sheet);

// ---- Values of prices.mustache: every rental price, the purchase prices and the rates behind
// owning.

Json prices_values(const Sheet& sheet);

// ---- The list of every row: each model, method, type of GPU and stack, with verdict, memory and
// money; and the same money as a script, for the matrix to show another GPU's.

Json rows_values(const Sheet& sheet);

/// A script that hands over the rows of the main scenario in an event "rows". Its detail holds for
/// each cell of the matrix, by id, the printed figures of the columns behind the set-up, each with
/// the number behind it where it has one: [["26.97", 26.97], …, ["rent"]].
std::string rows_script(const Sheet& sheet);

// ---- Values of model.mustache: one model's answers, their proofs and their alternatives.

Json model_values(const Sheet& sheet, const SheetModel& model);

// ---- The worksheets of a page: tables that guides print, worked out.

/// Values of worksheet.mustache: `worksheets`, those of the page.
Json worksheet_values(const Sheet& sheet, const std::string& page);

// ---- One row taken apart: every memory term and every cost line with formula, inputs and source.

/// Values of the partial proof.mustache.
Json proof_values(const Sheet& sheet, const Row& row);

/// Lines of a cost table: figures that are no money, with their formulas.
Json quantity_values(const std::vector<QuantityLine>& quantities);

/// "P = 70,553,706,496, n = 4".
std::string input_words(const Formula& formula);
/// The formula with "·" for "*" as people write it.
std::string formula_words(const std::string& formula);

// ---- The page of what changed since an earlier edition: one of a site, or a document of its own;
// and the sentence on the index that leads to it.

/// Values of changes.mustache. The sheet must have changes.
Json changes_values(const Sheet& sheet);

/// The same page as one HTML document that needs no other file: stylesheet and script stand in it.
/// Models and methods are named by id, and nothing links to an edition.
std::string changes_page(const SheetChanges& changes);

/// has_banner and the banner's words; the figures are those of the page's first sentence.
void put_changes_banner(Json& values, const Sheet& sheet);

// ---- The sections of a model's page: the values that its template is drawn with.

// ---- The cards at the top of a model's page: one answer a method.

Json card_list(const Sheet& sheet, const std::string& model, const Row* best);

// ---- What else would do: other GPU types, other counts, other stacks.

/// One block a method: the other GPU types, cheapest run first, and the counts below the answer.
Json choice_list(const Sheet& sheet, const std::string& model, const Row* best);

/// The model's rows of other scenarios beside the same row of the main one.
Json stack_list(const Sheet& sheet, const std::string& model);

// ---- What would save memory on a model's picks: levers that could be pulled, levers that are, and
// several together.

/// The levers of the best method open, those of the others folded.
void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

// ---- The memory of a model's picks: bars, table, time, phases, and memory against sequence
// length.

void put_memory(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

// ---- Rent or buy on a model's page: the chart and the table by method.

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

// ---- Where a model's picks can be rented, why the cheapest hour is not the cheapest run, and what
// a run leaves on disk.

void put_offers(Json& values, const Sheet& sheet, const std::string& model);

// ---- What a model's choices cost: stages of ZeRO, adapters by rank, a run by GPU type. A chart
// each, with its table beside it.

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model);
void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model);
void put_run_costs(Json& values, const Sheet& sheet, const std::string& model);

}  // namespace sizesheet
