// SPDX-License-Identifier: Apache-2.0
// Which models and cards the page has room for.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

struct SheetChanges;

}  // namespace sizesheet

namespace sizesheet::pdf {

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

}  // namespace sizesheet::pdf
