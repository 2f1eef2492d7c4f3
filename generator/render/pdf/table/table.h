// SPDX-License-Identifier: Apache-2.0
// The table on the page in words and figures, before anything is placed: one group a model, one
// row a method.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sizesheet::pdf {

/// Stands before figures of a GPU type that no published speed is of.
inline constexpr const char* kGuessMark = "~";
/// Stands for a break-even beyond a month's hours.
inline constexpr const char* kNever = "never";
/// Stands for a machine that nobody quotes a price of.
inline constexpr const char* kNoQuote = "no quote";

/// A text in the forms it may take, preferred first: fewer decimals, then thousands ("128.9 k").
using Figure = std::vector<std::string>;

/// One cell, with the page's two warnings.
struct Cell {
  Figure forms;
  bool is_word = false;     ///< "no", "never": quiet beside figures
  bool unsure = false;      ///< the memory of a run is not certain to fit
  bool one_seller = false;  ///< no second seller within the sheet's limit
};

struct RowText {
  std::string method;
  std::vector<Cell> counts;  ///< one a GPU type
  std::vector<Cell> cells;   ///< one a column (table_columns); empty of the first three
};

struct GroupText {
  std::string size;
  std::string note;
  std::string parameters;
  bool highlighted = false;
  std::vector<RowText> rows;
};

/// A GPU type's name, longest first.
using GpuHead = std::vector<std::string>;

struct TableText {
  std::vector<GpuHead> gpus;
  std::vector<GroupText> groups;
  std::string use_words;  ///< "at 438 h": what owned runs are priced at
  std::vector<std::string> hidden_columns;
  std::string hours_per_month;  ///< "730"
  std::string exposure;         ///< "25 %": how much dearer a second seller may be
  bool refusals = false;        ///< some cell is "n/a"
  bool misfits = false;         ///< some cell is "no"
  bool doubts = false;          ///< some cell is unsure
  bool lone = false;            ///< some cell has one seller
  bool guesses = false;         ///< some figure is of a GPU type without a published speed
  bool never = false;           ///< some machine never pays
};

// ---- The page's signs, drawn and told apart by their shapes.

inline constexpr double kMarkWidth = 5;  ///< of either mark
inline constexpr double kMarkGap = 1.4;  ///< before it

}  // namespace sizesheet::pdf
