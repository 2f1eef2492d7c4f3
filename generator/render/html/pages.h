// SPDX-License-Identifier: Apache-2.0
// The pages of the site and the sections of a model's page: the values that templates are drawn
// with, beside those of the frame.
#pragma once

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

/// "chart_title", "chart_conclusion" and "chart_svg", the drawing.
Json chart_json(const Chart& chart);

/// Blocks of a section, `first` the one that stands open and `rest` the others; null without any.
Json with_open(Json blocks, std::size_t open);

/// Fragment of the proof of a row on its model's page.
std::string proof_id(const Sheet& sheet, const Row& row);

/// Values of worksheet.mustache: `worksheets`, those of the page.
Json worksheet_values(const Sheet& sheet, const std::string& page);

/// Values of the partial proof.mustache: a row with every memory term and every cost line.
Json proof_values(const Sheet& sheet, const Row& row);

/// Lines of a cost table: figures that are no money, with their formulas.
Json quantity_values(const std::vector<QuantityLine>& quantities);

// ---- Parts of a model's page, and of that of changes; `best` is the model's best_row.

/// The five segments of a bill, as cells.
Json segment_parts(const MemoryBill& bill);

/// What would save memory: the levers of the best method open, those of the others folded.
void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model);
void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model);

/// What lies behind changes: effects and causes in dollars; the inputs that moved, under
/// "moved_prices" and "moved_others", null where none did.
void put_behind(Json& values, const SheetChanges& changes);

/// A drawn page as people read it: labels that are all the text between two tags, or of an
/// attribute that is read, and the sign of money throughout.
std::string worded_page(const std::string& page, const SheetMeta& meta);

/// A script with its labels: whole texts in quotes that begin with a capital, as no name in it
/// does.
std::string worded_script(std::string script, const SheetMeta& meta);

}  // namespace sizesheet
