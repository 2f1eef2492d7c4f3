// SPDX-License-Identifier: Apache-2.0
// The columns, one entry each, where they stand, and the forms of their figures.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/table/table.h"
#include "sheet/measures.h"
#include "support/money.h"

namespace sizesheet {

struct Row;
struct Sheet;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// `decimals` places, then fewer, then thousands ("128.9 k", "129 k"), millions and billions.
Figure figure(double value, int decimals);
Figure figure(MicroUsd usd, int decimals);
/// Under a head that says thousands of dollars: `decimals` places, then fewer; then with a unit of
/// their own ("$12.5M", "$13M").
Figure thousands(MicroUsd usd, int decimals);
/// "–" when absent.
Figure figure(const std::optional<MicroUsd>& usd, int decimals);
Figure figure(const FigureValue& value, int decimals);
Figure absent();

/// Decimals of a column of run prices: 0 when all are 10 $ or more, else 1, else 2.
int run_decimals(const std::vector<MicroUsd>& prices);

/// Neighbours that answer one question.
enum class Band { kSize, kMethod, kMemory, kGpus, kWhich, kRent, kOwn, kAdvice };

/// What a line of the table shows: the row of a pick.
struct Shown {
  const Sheet& sheet;
  const Row& row;
  int run_decimals = 0;  ///< of what runs cost
};

/// How a column's figures look; `kLead` also has a bold head.
enum class Tone { kPlain, kQuiet, kStrong, kLead };

/// Points on A4, on US letter, and as narrow as figures of six digits allow.
using Widths = std::array<double, 3>;

struct Column {
  const char* id;
  Band band;
  Widths gap;    ///< before it; bands with less than 8 between them read as one
  Widths width;  ///< the GPU types share what is left
  Tone tone = Tone::kPlain;
  const char* upper = "";  ///< lines of its head
  const char* lower = "";
  const char* what = "";  ///< in a fault
  /// nullptr where more than a figure is drawn.
  Figure (*figure)(const Shown& of) = nullptr;
  int gives_way =
      0;  ///< to GPU types, 1 first; 0 never. First goes what is said elsewhere as well.
  const char* left_out = "";  ///< its name where it gave way, and the same in short
  const char* left_out_brief = "";
};

std::span<const Column> table_columns();
/// Where a column stands in that list.
std::size_t column_index(std::string_view id);

struct Columns {
  std::vector<std::optional<Span>> spans;  ///< absent: hidden, or gave way to GPU types
  std::vector<Span> gpus;
  std::vector<const Column*> left_out;  ///< those that gave way or hold no figure, for the key
  std::vector<const Column*> unfit;     ///< of those, which hold no figure

  const Span& at(std::string_view id) const { return *spans[column_index(id)]; }
  /// Whether a column is on the page.
  bool has(std::string_view id) const { return spans[column_index(id)].has_value(); }
  /// From the first to the last of its columns; absent where none is on the page.
  std::optional<Span> band(Band band) const;
};

/// How many GPU types the page can hold, at least one.
std::size_t most_gpu_types(const PageMetrics& metrics, const std::vector<std::string>& hidden = {});

/// Places the columns but for those that are hidden. `head_widths`: width of each GPU type's name.
/// Throws InputError when there are more GPU types than the page can hold.
Columns place_columns(const PageMetrics& metrics, const std::vector<double>& head_widths,
                      const std::vector<std::string>& hidden = {});

}  // namespace sizesheet::pdf
