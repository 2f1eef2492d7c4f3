// SPDX-License-Identifier: Apache-2.0
// Which models the one page shows: those that the sheet chose for it, else all.
#pragma once

#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// The models on the page, in the order of the sheet.
std::vector<const SheetModel*> handout_models(const Sheet& sheet);

bool on_handout(const Sheet& sheet, const std::string& model);

/// "9 of 77 models, all on the site"; "" where the page shows every model.
std::string choice_words(const Sheet& sheet);

/// The changes of the models on the page: their rows and picks, with the counts of picks and of the
/// rows that each input moved. Totals and causes stay those of the whole comparison.
SheetChanges handout_changes(const SheetChanges& changes, const Sheet& sheet);

}  // namespace sizesheet::pdf
