// SPDX-License-Identifier: Apache-2.0
// The validate command: the engine against published measurements, row by row, and the totals.
#pragma once

#include <iosfwd>
#include <string>

namespace sizesheet {

struct ValidateOptions {
  std::string catalog = "catalog";
  std::string format = "text";
  bool held_out = false;              ///< only the held-out sources, bars too
  std::string write_intervals;        ///< file for the intervals of memory fitted anew, or ""
  std::string write_speed_intervals;  ///< the same for those of speed
  int jobs = 1;
};

/// 0 when every bar is cleared, 1 when one is missed.
int run_validate(const ValidateOptions& options, std::ostream& out);

}  // namespace sizesheet
