// SPDX-License-Identifier: Apache-2.0
// The weight of a range in a choice.
#pragma once

namespace sizesheet {

/// How much of a range a choice weighs: expected + weight × (upper end − expected). 0 takes what is
/// cheapest on average, 1 what has the lowest upper end.
inline constexpr double kDefaultRiskWeight = 0.25;

}  // namespace sizesheet
