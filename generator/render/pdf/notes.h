// SPDX-License-Identifier: Apache-2.0
// The whole page laid out, which models it shows, and the sentences on it.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

// ---- The page's sentences.

/// "prices seen 10 to 24 Oct 2026 · USD before tax"; the rate of exchange, and its source, in the
/// place of USD.
std::string provenance(const Sheet& sheet, bool with_source = true);

/// The size the panels are about: the highlighted one, else the last; needs a model.
const SheetModel& shown_model(const Sheet& sheet);
/// The shown row of the first method that has one, or nullptr.
const Row* shown_pick(const Sheet& sheet, const std::string& model);

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
