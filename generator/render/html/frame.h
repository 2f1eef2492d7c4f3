// SPDX-License-Identifier: Apache-2.0
// What every page shares: head, bar, navigation, footer.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

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

}  // namespace sizesheet
