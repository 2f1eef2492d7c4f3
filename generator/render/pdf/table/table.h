// SPDX-License-Identifier: Apache-2.0
// The table on the page: in words and figures, its columns, its signs, and where all of it stands.
#pragma once

#include <string>
#include <vector>

namespace sizesheet::pdf {

// ---- In words and figures, before anything is placed: one group a model, one row a method.

/// Stands before a price that is of more GPUs than the pick needs, or old.
inline constexpr const char* kLargerMark = "†";
/// Stands before hours of a GPU type that no published speed is of.
inline constexpr const char* kGuessMark = "~";
/// Stands for a break-even beyond a month's hours.
inline constexpr const char* kNever = "never";

/// A figure in the forms it may take, preferred first: fewer decimals, then thousands ("128.9 k").
using Figure = std::vector<std::string>;

enum class CountMark {
  kNone,
  kOpen,    ///< fits; the next smaller count on offer holds too, but tight
  kFilled,  ///< holds, but tight, and no count on offer has more room
};

struct CountCell {
  std::string text;
  bool is_word = false;  ///< "no", "n/a"
  CountMark mark = CountMark::kNone;
  bool is_pick = false;
  bool unsure = false;  ///< fits, but the upper end of its range is above the card
};

/// What a stated demand decides; kNone without one.
enum class Advice { kNone, kBuy, kClose, kRent };

struct RowText {
  std::string method;
  std::vector<CountCell> counts;  ///< one a GPU type
  std::string pick_count;         ///< "" when nothing is picked
  std::vector<std::string>
      pick_names;               ///< longest first; the word "no" or "–" when nothing is picked
  std::vector<Figure> figures;  ///< one a column (table_columns); of those with figures
  std::string pays_from;        ///< "214": hours per month from which owning pays
  Advice advice = Advice::kNone;
};

struct GroupText {
  std::string size;
  std::string note;
  std::string parameters;
  bool highlighted = false;
  std::vector<RowText> rows;
};

struct GpuHead {
  std::vector<std::string> names;  ///< longest first
  std::string memory;              ///< "141 GB", as marketed
  Figure price;                    ///< list $ per GPU-hour
  std::string seller;              ///< who asks that
  Figure median;                   ///< "6.16/16": of the best of so many sellers
  std::string seen;                ///< "Oct 10", "Aug"
};

struct TableText {
  std::vector<GpuHead> gpus;
  std::vector<GroupText> groups;
  std::string hours_per_month;  ///< "730"
  std::string headroom;         ///< "10 %"
  std::vector<std::string> hidden_columns;
  std::string offers;     ///< "5090: 8, Spark: 2, others: 512": the largest counts
  bool refusals = false;  ///< some cell is "n/a"
  bool doubts = false;    ///< some count is not certain
  bool guesses = false;   ///< some hours are of a GPU type without a published speed
  bool decided = false;   ///< some line has a word of a stated demand
  bool larger = false;    ///< some price is of more GPUs than the pick needs
};

// ---- Its columns, one entry each from left to right, for any number of GPU types.

inline constexpr std::size_t kTightWidths = 2;

// ---- The page's signs, all drawn: no font here has arrows, triangles or half discs. Each is told
// apart by its shape.

inline constexpr double kTriangleWidth = 3.9;

}  // namespace sizesheet::pdf
