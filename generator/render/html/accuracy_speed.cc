// SPDX-License-Identifier: Apache-2.0
#include "render/html/accuracy_speed.h"

#include <cmath>

#include "render/accuracy_chart.h"
#include "render/html/accuracy_rows.h"
#include "render/html/accuracy_tables.h"
#include "render/html/cells.h"
#include "render/phrases.h"
#include "render/svg/svg_chart.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string tokens(double rate) { return format_integer(std::llround(rate)); }

Json part_row(const char* name, const SpeedPart& part) {
  Json row = stats_row(name, part.errors.value_or(ErrorStats{}));
  row["speed_part_has"] = part.errors.has_value();
  put_count(row, "speed_part_sources", part.sources);
  if (part.covered) put_share(row, "speed_part_covered", *part.covered);
  row["speed_part_range"] = part.median_range ? format_number(*part.median_range, 2) : "";
  return row;
}

Json row_values(const SpeedRow& row) {
  Json values = {{"speed_id", row.id},
                 {"speed_link", row.link},
                 {"speed_source", row.source},
                 {"speed_setup", row.setup},
                 {"speed_evidence", row.evidence},
                 {"speed_held_out", row.held_out},
                 {"speed_bound", row.bound_by},
                 {"speed_words", row.refusal.empty() ? join(row.flags, ", ") : row.refusal}};
  put(values, "speed_measured", tokens(row.measured), row.measured);
  values["speed_has_words"] = !values["speed_words"].get<std::string>().empty();
  if (!row.predicted) {
    put_absent(values, "speed_predicted");
    put_absent(values, "speed_error");
    values["speed_range"] = "–";
    return values;
  }
  put(values, "speed_predicted", tokens(*row.predicted), *row.predicted);
  put_signed_share(values, "speed_error", *row.error);
  values["speed_range"] = tokens(*row.low) + " to " + tokens(*row.high);
  return values;
}

}  // namespace

void add_speed_values(Json& values, const Accuracy& accuracy) {
  const SpeedAccuracy& speed = accuracy.speed;
  values["has_speed"] = speed.all.errors.has_value();
  if (!speed.all.errors) return;
  values["speed_headline"] = format_integer(speed.all.errors->n) + " published speeds from " +
                             format_integer(speed.all.sources) + " sources: median error " +
                             share_words(speed.all.errors->median) + ", 90th percentile " +
                             share_words(speed.all.errors->p90) + "; " +
                             share_words(speed.all.covered.value_or(0)) +
                             " lie within their range.";
  values["speed_svg"] = svg(speed_ranges_chart(accuracy));
  values["speed_part_rows"] =
      Json::array({part_row("All sources", speed.all), part_row("Tuned", speed.tuned),
                   part_row("Held out", speed.held_out)});
  values["speed_class_rows"] = group_rows(speed.all.by_class);
  values["speed_interval_rows"] = interval_rows(speed.intervals);
  Json rows = Json::array();
  for (const SpeedRow& row : speed.rows) rows.push_back(row_values(row));
  values["speed_rows"] = rows;
}

}  // namespace sizesheet
