// SPDX-License-Identifier: Apache-2.0
// Rows that several tables of the accuracy page have in common.
#pragma once

#include <string>
#include <vector>

#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {

void put_count(Json& values, const std::string& name, std::int64_t count);

/// stats_name, stats_n, stats_median … of one line of errors.
Json stats_row(const std::string& name, const ErrorStats& errors);

Json group_rows(const std::vector<AccuracyGroup>& groups);

/// interval_title, interval_low … of each class.
Json interval_rows(const std::vector<AccuracyInterval>& intervals);

}  // namespace sizesheet
