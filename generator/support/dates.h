// SPDX-License-Identifier: Apache-2.0
// Calendar days as text and as numbers; the system clock is never read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sizesheet {

inline constexpr double kHoursOfLongestMonth = 31 * 24;

/// Days since 1970-01-01 of "YYYY-MM-DD", or of the first day of "YYYY-MM"; nullopt when it is no
/// date.
std::optional<std::int64_t> day_number(std::string_view date);

/// "YYYY-MM-DD" of a Unix time in seconds (SOURCE_DATE_EPOCH).
std::string date_of_epoch(std::int64_t seconds);

}  // namespace sizesheet
