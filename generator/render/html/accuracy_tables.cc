// SPDX-License-Identifier: Apache-2.0
#include "render/html/accuracy_tables.h"

#include "render/html/accuracy_rows.h"
#include "render/html/cells.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "−9 %" for a factor of 0.91.
std::string factor_words(double factor) {
  Json values;
  put_signed_share(values, "factor", factor - 1);
  return values.at("factor").get<std::string>();
}

}  // namespace

void put_count(Json& values, const std::string& name, std::int64_t count) {
  put(values, name, format_integer(count), static_cast<double>(count));
}

Json stats_row(const std::string& name, const ErrorStats& errors) {
  Json row = {{"stats_name", name}};
  put_count(row, "stats_n", errors.n);
  put_share(row, "stats_median", errors.median);
  put_share(row, "stats_mean", errors.mean);
  put_share(row, "stats_p90", errors.p90);
  put_signed_share(row, "stats_worst", errors.worst);
  put_signed_share(row, "stats_bias", errors.bias);
  return row;
}

Json group_rows(const std::vector<AccuracyGroup>& groups) {
  Json rows = Json::array();
  for (const AccuracyGroup& group : groups) rows.push_back(stats_row(group.name, group.errors));
  return rows;
}

Json interval_rows(const std::vector<AccuracyInterval>& intervals) {
  Json rows = Json::array();
  for (const AccuracyInterval& one : intervals) {
    Json row = {{"interval_title", one.title},
                {"interval_low", factor_words(one.low)},
                {"interval_high", factor_words(one.high)},
                {"interval_grade", one.grade},
                {"interval_basis", one.basis}};
    rows.push_back(row);
  }
  return rows;
}

}  // namespace sizesheet
