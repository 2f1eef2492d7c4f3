// SPDX-License-Identifier: Apache-2.0
// The columns of the table, one entry each from left to right, and where they stand for any number
// of GPU types.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/page_metrics.h"
#include "render/pdf/table_text.h"

namespace sizesheet::pdf {

/// Neighbours that answer one question.
enum class Band { kSize, kMethod, kMemory, kGpus, kWhich, kRent, kOwn, kAdvice };

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
  /// Of the pick, and the decimals of what runs cost; nullptr where more than a figure is drawn.
  Figure (*figure)(const Row& pick, int run_decimals) = nullptr;
  int gives_way =
      0;  ///< to GPU types, 1 first; 0 never. First goes what is said elsewhere as well.
  const char* left_out = "";  ///< its name where it gave way, and the same in short
  const char* left_out_brief = "";
  bool if_known = false;  ///< takes no room where no pick has the figure
};

std::span<const Column> table_columns();
/// Where a column stands in that list.
std::size_t column_index(std::string_view id);

struct Columns {
  std::vector<std::optional<Span>> spans;  ///< absent: gave way to GPU types
  std::vector<Span> gpus;
  double count_right = 0;             ///< right edge of the count before the "×"
  std::vector<std::string> left_out;  ///< columns that gave way, for the key
  std::vector<std::string> left_out_brief;

  const Span& at(std::string_view id) const { return *spans[column_index(id)]; }
  /// From the first to the last of its columns.
  Span band(Band band) const;
};

/// Places the columns. `head_widths`: width of each GPU type's name; `known`: of each column that
/// is there `if_known`, whether it is. Throws InputError when there are more GPU types than the
/// page can hold.
Columns place_columns(const PageMetrics& metrics, const std::vector<double>& head_widths,
                      bool known);

}  // namespace sizesheet::pdf
