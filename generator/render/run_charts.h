// SPDX-License-Identifier: Apache-2.0
// The chart that a set-up is chosen from: hours against dollars of a run.
#pragma once

namespace sizesheet {

struct Chart;
struct Row;
struct Sheet;

/// Hours against dollars of a run on every GPU type: a line a type and a point a count, the fewest
/// GPUs at the right; with the 90 % range of what is picked and of the best other GPU type, and the
/// deadline. What costs over twice the pick is left out. No lines for a row that is no rent pick.
Chart hours_against_usd_chart(const Sheet& sheet, const Row& pick);

}  // namespace sizesheet
