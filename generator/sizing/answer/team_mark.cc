// SPDX-License-Identifier: Apache-2.0
#include "sizing/answer/team_mark.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "support/text.h"

namespace sizesheet {
namespace {

std::string of_runs(std::int64_t runs) {
  return " (" + format_integer(runs) + (runs == 1 ? " run)" : " runs)");
}

}  // namespace

std::string team_words(const TeamMark& mark) {
  std::vector<std::string> parts;
  if (mark.speed_runs > 0) {
    const double slower = 1 / mark.speed_factor - 1;
    parts.push_back(format_number(100 * std::abs(slower), 0) + " % " +
                    (slower >= 0 ? "slower" : "faster") + of_runs(mark.speed_runs));
  }
  if (mark.memory_runs > 0) {
    const char* more = mark.memory_bytes >= 0 ? " GiB more per GPU" : " GiB less per GPU";
    parts.push_back(format_gib(std::abs(mark.memory_bytes), 1) + more + of_runs(mark.memory_runs));
  }
  return "corrected by your runs: " + join(parts, ", ");
}

}  // namespace sizesheet
