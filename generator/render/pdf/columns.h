// SPDX-License-Identifier: Apache-2.0
// Where the columns of the table stand, for any number of GPU types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/pdf/page_metrics.h"

namespace sizesheet::pdf {

struct Columns {
  Span size;
  Span method;
  Span memory;  ///< both memory columns
  Span per_gpu;
  std::optional<Span> all_gpus;  ///< absent: gave way to GPU types
  std::vector<Span> gpus;
  Span which;
  double count_right = 0;  ///< right edge of the count before the "×"
  Span rent;               ///< all rent columns
  Span hours;
  Span per_hour;
  Span per_run;
  std::optional<Span> spot;  ///< absent, like all optional ones: gave way to GPU types
  std::optional<Span> year;  ///< a month of a one-year reservation
  Span own_band;             ///< all ownership columns
  Span capex;
  Span own;
  std::optional<Span> own_run;
  std::optional<Span> own_gpu_hour;
  Span break_even;
  Span advice;
  std::vector<std::string> left_out;        ///< columns that gave way, for the key
  std::vector<std::string> left_out_brief;  ///< the same in short
};

/// Places the columns. `head_widths`: width of each GPU type's name; `year`: some pick has a
/// one-year price. Throws InputError when there are more GPU types than the page can hold.
Columns place_columns(const PageMetrics& metrics, const std::vector<double>& head_widths,
                      bool year);

}  // namespace sizesheet::pdf
