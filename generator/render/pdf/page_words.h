// SPDX-License-Identifier: Apache-2.0
// The page's sentences: what a run is, what is assumed, how sure the figures are, what is left out.
#pragma once

#include <string>
#include <vector>

#include "render/chart.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// "One run = one fine-tune on 500 million training tokens, …", longest form first.
std::vector<std::string> workload_sentences(const Sheet& sheet);
/// "prices as of 2026-11-18 · USD, tax excluded · 3f9c2ab71e04"
std::string provenance(const Sheet& sheet);

/// The size the panels are about: the highlighted one, else the last; needs a model.
const SheetModel& shown_model(const Sheet& sheet);
/// The shown row of the first method that has one, or nullptr.
const Row* shown_pick(const Sheet& sheet, const std::string& model);

std::string memory_title(const Sheet& sheet, const SheetModel& model);
/// Whether to own, in one sentence with the saving, longest form first.
std::vector<std::string> own_sentences(const Sheet& sheet, const Row& row);

struct Note {
  std::string title;
  std::vector<std::string> sentences;  ///< may be cut from the end
  std::string link;                    ///< "" for none
};

std::vector<Note> notes_of(const Sheet& sheet);

}  // namespace sizesheet::pdf
