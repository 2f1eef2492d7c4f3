// SPDX-License-Identifier: Apache-2.0
// The table on the page: in words and figures, its columns, its signs, and where all of it stands.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/sketch.h"
#include "sheet/measures.h"
#include "sheet/sheet.h"

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

enum class Advice { kNone, kBuy, kClose, kRent };

struct RowText {
  std::string method;
  std::vector<CountCell> counts;  ///< one a GPU type
  std::string pick_count;         ///< "" when nothing is picked
  std::vector<std::string>
      pick_names;               ///< longest first; the word "no" or "–" when nothing is picked
  std::vector<Figure> figures;  ///< one a column (table_columns); of those with figures
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
  std::string planned_hours;    ///< "400"
  std::string hours_per_month;  ///< "730"
  std::string headroom;         ///< "10 %"
  std::vector<std::string> hidden_columns;
  std::string offers;     ///< "5090: 8, Spark: 2, others: 512": the largest counts
  bool refusals = false;  ///< some cell is "n/a"
  bool doubts = false;    ///< some count is not certain
  bool guesses = false;   ///< some hours are of a GPU type without a published speed
  bool larger = false;    ///< some price is of more GPUs than the pick needs
};

/// Of the GPU types that the page shows; without them, of all.
TableText table_text(const Sheet& sheet, const std::vector<const SheetGpu*>& gpus);
TableText table_text(const Sheet& sheet);

// ---- Figures in the forms a narrow column may need.

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

// ---- Its columns, one entry each from left to right, for any number of GPU types.

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
inline constexpr std::size_t kTightWidths = 2;

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

// ---- The page's signs, all drawn: no font here has arrows, triangles or half discs. Each is told
// apart by its shape.

inline constexpr double kTriangleWidth = 3.9;

/// A triangle on the baseline, its left corner at `at`.
void draw_triangle(Sketch& sketch, Point at, CountMark mark);

/// The frame behind the pick's number.
void draw_pick_frame(Sketch& sketch, const Rect& area);

/// Places the columns of a table. One that holds no form of one of its figures is left out: a
/// figure is never cut, and never costs the page.
Columns columns_for(const Sketch& sketch, const PageMetrics& metrics, const Density& density,
                    const TableText& table);

/// Whether the key has room for every sign of the table.
bool key_fits(const Sketch& sketch, const PageMetrics& metrics, const Columns& columns,
              const TableText& table);

/// Its heads, its rows, the key under it.
void draw_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                const TableText& table);

/// The key, one line. Gives up explanations until it fits, the least needed first; then whole
/// entries from the end, each with a warning.
void draw_key(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table);

}  // namespace sizesheet::pdf
