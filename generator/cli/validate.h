// SPDX-License-Identifier: Apache-2.0
// `validate`: the engine against published measurements, as text and as JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <ostream>
#include <string>

#include "cli/commands.h"
#include "cli/common_options.h"

namespace sizesheet {

struct Accuracy;

/// As aligned text. With `held_out_only` the totals of the held-out sources, else those of all,
/// tuned and held out.
void print_accuracy(const Accuracy& accuracy, bool held_out_only, std::ostream& out);

void add_validate(CLI::App& app, const Streams& streams, Command& chosen);

struct ValidateOptions : CommonOptions {
  std::string format = "text";
  bool held_out = false;              ///< only the held-out sources, bars too
  std::string write_intervals;        ///< file for the intervals of memory fitted anew, or ""
  std::string write_speed_intervals;  ///< the same for those of speed
};

/// 0 when every bar is cleared, 1 when one is missed.
int run_validate(const ValidateOptions& options, std::ostream& out);

}  // namespace sizesheet
