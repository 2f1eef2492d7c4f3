// SPDX-License-Identifier: Apache-2.0
// The diff command: what changed between two editions, for people, pull requests and programs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace sizesheet {

struct DiffCommand {
  std::string old_path;
  std::string new_path;
  std::string format = "text";          ///< text | markdown | html | json
  std::vector<std::string> thresholds;  ///< as typed
  std::string fail_on = "any";          ///< breaking | notable | any | none
  bool all = false;
  std::string sort = "kind";  ///< kind | usd
  std::string explain;        ///< "" or MODEL/METHOD[/GPU[/SCENARIO]]
  std::string sheet;          ///< of a catalog; "" is quarterly
  bool colour = false;
  int jobs = 1;
};

/// 0 when no change is as severe as `fail_on`, 1 when one is. What can't be compared throws
/// InputError.
int run_diff(const DiffCommand& command, std::ostream& out);

/// True where marks may be coloured: `out` is the terminal's and NO_COLOR is not set.
bool may_colour(const std::ostream& out);

}  // namespace sizesheet
