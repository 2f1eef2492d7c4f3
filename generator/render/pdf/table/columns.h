// SPDX-License-Identifier: Apache-2.0
// The columns, one entry each, and where they stand.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/table/table.h"

namespace sizesheet {

struct Pick;
struct Row;
struct Sheet;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// Neighbours that answer one question.
enum class Band { kJob, kCounts, kRent, kSecond, kOwn, kService };

/// What a line of the table shows: the row of a pick.
struct Shown {
  const Sheet& sheet;
  const Pick& pick;
  const Row& row;
};

/// How a column's texts look.
enum class Tone { kPlain, kQuiet, kStrong };

struct Column {
  const char* id;
  Band band;
  Align align = Align::kLeft;
  Tone tone = Tone::kPlain;
  const char* upper = "";  ///< lines of its head
  const char* lower = "";
  const char* what = "";                    ///< in a warning, and in the key where it gave way
  Cell (*cell)(const Shown& of) = nullptr;  ///< nullptr for the job and the counts
  double most = 0;      ///< of a name: where it is wider, it is cut, with a warning; 0 of a figure
  bool joined = false;  ///< to the column before it: "8 ×" and "B200"
  int gives_way = 0;    ///< 1 first; 0 never
  const char* hidden_by = nullptr;  ///< see name_to_hide

  /// The name in `hidden_columns` that hides it.
  const char* name_to_hide() const { return hidden_by == nullptr ? id : hidden_by; }
};

std::span<const Column> table_columns();
/// Where a column stands in that list.
std::size_t column_index(std::string_view id);

/// What a column needs on a page: its texts in their first forms, and at the least.
struct ColumnNeed {
  double natural = 0;
  double least = 0;
};

struct Columns {
  std::vector<std::optional<Span>> spans;  ///< one a column; absent: hidden, empty, or gave way
  std::vector<Span> gpus;
  std::vector<const Column*> left_out;  ///< for the key
  bool gave_way = false;                ///< some of them had no room beside the GPU types

  const Span& at(std::string_view id) const { return *spans[column_index(id)]; }
  /// Whether a column is on the page.
  bool has(std::string_view id) const { return spans[column_index(id)].has_value(); }
  /// From the first to the last of its columns; absent where none is on the page.
  std::optional<Span> band(Band band) const;
};

/// Places the columns of these needs, one a column and one a GPU type; a column without a need is
/// not on the page. Columns give way until the rest fits; absent where not even that does.
std::optional<Columns> place_columns(const Span& room,
                                     const std::vector<std::optional<ColumnNeed>>& needs,
                                     const std::vector<ColumnNeed>& gpus);

}  // namespace sizesheet::pdf
