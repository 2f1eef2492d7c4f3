// SPDX-License-Identifier: Apache-2.0
// A change as a line of a table, and in words what the table has no column for: every kind that
// neither the mark nor the amounts tell, with its figures where it has some.
#pragma once

#include <string>
#include <vector>

#include "render/change_words.h"

namespace sizesheet {

struct Change;
struct ChangeSide;
struct NextPick;
struct SheetChanges;

/// "8 × H100", without the GPU "8 GPUs"; "does not fit" or "refused". Names are raw.
std::string set_up_words(const ChangeSide& side, bool with_gpu);

/// A change as a line of a table, for every form; names in it are raw.
struct ChangeLine {
  std::string mark;
  std::string name;    ///< "model method" of a pick, "model method gpu" of a row
  std::string before;  ///< set-up, or why there is none
  std::string after;
  AmountPair run;     ///< dollars of a run, where the sides hold and they are known
  std::string cause;  ///< "prices + gpus", or ""
  std::string place;  ///< "in hf-trl-4k" of a row where listed changes are of several scenarios
  std::vector<std::string> remarks;  ///< what all that does not say yet: "rent -> buy"
};

/// What a line of a listing needs to know of the others.
struct LineContext {
  bool with_scenario = false;  ///< listed changes are of several
  MovedById moved;
};
LineContext line_context(const SheetChanges& changes);
ChangeLine change_line(const Change& change, const LineContext& context);
/// One line for several that moved alike: "29 rows on h100-sxm, each", with their dollars together.
ChangeLine change_line(const std::vector<const Change*>& alike, const LineContext& context);

/// "next: MI300X from 2.05 $ per GPU-hour, or 12 % faster".
std::string next_words(const NextPick& next);

/// "prices + gpus", or "".
std::string cause_words(const Change& change);

/// The listing with rows of one GPU type that got dearer or cheaper by the same share, and that
/// nothing else is to be told of, as one line.
Listing folded(const Listing& listing);

}  // namespace sizesheet
