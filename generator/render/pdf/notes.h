// SPDX-License-Identifier: Apache-2.0
// The whole page laid out, which models it shows, and the sentences on it.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "render/charts.h"
#include "render/pdf/fonts/fonts.h"
#include "render/pdf/page_layout.h"
#include "render/pdf/sketch.h"
#include "render/writers.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// Every box and every text in points, nothing drawn yet. Throws InputError naming the block that
/// does not fit, its need and the room.
PageLayout lay_out(const Sheet& sheet, Paper paper, const GlyphWidth& glyphs);

/// The models on the page, in the order of the sheet.
std::vector<const SheetModel*> handout_models(const Sheet& sheet);

/// The GPU types on the page and those that only the site has, each in the order of the sheet.
struct GpusOfPage {
  std::vector<const SheetGpu*> shown;
  std::vector<const SheetGpu*> elsewhere;
};

/// Shows the GPU types that the sheet chooses for the page, or all, but at most so many: then those
/// with the most picks on the page.
GpusOfPage gpus_of_page(const Sheet& sheet,
                        std::size_t most = std::numeric_limits<std::size_t>::max());

/// "9 of 77 models"; "" where the page shows every model.
std::string shown_models_words(const Sheet& sheet);

/// The changes of the models on the page: their rows and picks, with the counts of picks and of the
/// rows that each input moved. Totals and causes stay those of the whole comparison.
SheetChanges handout_changes(const SheetChanges& changes, const Sheet& sheet);

// ---- The page's sentences.

/// "One run = one fine-tune on 500 million training tokens, …", longest form first.
std::vector<std::string> workload_sentences(const Sheet& sheet);
/// "prices as of 2026-11-18 · USD, tax excluded · 3f9c2ab71e04"; the rate of exchange, and its
/// source, in the place of USD.
std::string provenance(const Sheet& sheet, bool with_source = true);

/// The size the panels are about: the highlighted one, else the last; needs a model.
const SheetModel& shown_model(const Sheet& sheet);
/// The shown row of the first method that has one, or nullptr.
const Row* shown_pick(const Sheet& sheet, const std::string& model);

std::string memory_title(const Sheet& sheet, const SheetModel& model);

struct Note {
  std::string title;
  std::vector<std::string> sentences;  ///< may be cut from the end
  std::string link;                    ///< "" for none
};

/// `elsewhere`: GPU types that the page leaves to the site.
std::vector<Note> notes_of(const Sheet& sheet, const std::vector<const SheetGpu*>& elsewhere = {});

/// True when all sentences stand at the type's normal size.
bool notes_fit(const Sketch& sketch, const PageMetrics& metrics, const std::vector<Note>& notes,
               const std::string& base_url);

/// Notes in columns as wide as their texts need. When they are too long, they lose sentences from
/// the end, with a warning.
void draw_notes(Sketch& sketch, const PageMetrics& metrics, std::vector<Note> notes,
                const std::string& base_url);

}  // namespace sizesheet::pdf
