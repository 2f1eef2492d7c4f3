// SPDX-License-Identifier: Apache-2.0
#include "render/html/accuracy_page.h"

#include "render/accuracy_chart.h"
#include "render/html/accuracy_rows.h"
#include "render/html/accuracy_speed.h"
#include "render/html/accuracy_tables.h"
#include "render/html/cells.h"
#include "render/html/frame.h"
#include "render/phrases.h"
#include "render/svg/svg_chart.h"
#include "support/text.h"

namespace sizesheet {

namespace {

/// A table of errors; none where there is nothing in it.
void add_table(Json& tables, const char* id, const char* title,
               const std::vector<AccuracyGroup>& groups) {
  if (groups.empty()) return;
  tables.push_back({{"table_id", id}, {"table_title", title}, {"stats_rows", group_rows(groups)}});
}

Json tables_of(const Accuracy& accuracy) {
  Json tables = Json::array();
  add_table(tables, "by-memory", "By what was measured", accuracy.all.by_kind);
  add_table(tables, "by-method", "By method", accuracy.all.by_method);
  add_table(tables, "by-framework", "By framework", accuracy.all.by_framework);
  add_table(tables, "by-source", "By source", accuracy.all.by_source);
  add_table(tables, "flagged", "Rows outside the totals, by source", accuracy.flagged);
  return tables;
}

Json part_row(const char* name, const AccuracyPart& part) {
  Json row = part.errors ? stats_row(name, *part.errors) : stats_row(name, {});
  row["part_has_errors"] = part.errors.has_value();
  put_count(row, "part_sources", part.sources);
  if (part.one_vote_median) {
    put_share(row, "part_vote", *part.one_vote_median);
  } else {
    put_absent(row, "part_vote");
  }
  return row;
}

Json confusion_row(const char* name, std::int64_t fits, std::int64_t tight, std::int64_t no) {
  Json row = {{"seen_name", name}};
  put_count(row, "seen_fits", fits);
  put_count(row, "seen_tight", tight);
  put_count(row, "seen_no", no);
  return row;
}

Json reason_rows(const Accuracy& accuracy) {
  Json rows = Json::array();
  for (const OutOfModel& reason : accuracy.out_of_model) {
    Json row = {{"reason_title", reason.title}, {"reason_id", reason.id}};
    put_count(row, "reason_n", reason.rows);
    rows.push_back(row);
  }
  return rows;
}

bool is_count(const BarResult& bar) { return bar.id == "ran-called-no" || bar.id == "oom-fits"; }

void put_bar_figure(Json& row, const std::string& name, const BarResult& bar, double value) {
  if (bar.id == "speed-range") {
    put(row, name, format_number(value, 2), value);
  } else if (is_count(bar)) {
    put(row, name, format_number(value, 0), value);
  } else {
    put_share(row, name, value);
  }
}

Json bar_rows(const Accuracy& accuracy) {
  Json rows = Json::array();
  for (const BarResult& bar : accuracy.bars) {
    Json row = {{"bar_title", bar.title},
                {"bar_standing", bar.missed ? "missed" : "cleared"},
                {"bar_class", bar.missed ? "no" : "fits"}};
    put_bar_figure(row, "bar_limit", bar, bar.limit);
    if (bar.value) {
      put_bar_figure(row, "bar_value", bar, *bar.value);
    } else {
      put_absent(row, "bar_value");
    }
    rows.push_back(row);
  }
  return rows;
}

Json source_rows(const Accuracy& accuracy) {
  Json rows = Json::array();
  for (const AccuracySource& source : accuracy.sources) {
    Json row = {{"source_title", source.title},
                {"source_fragment", source_fragment(source.id)},
                {"source_id", source.id},
                {"source_words", source.source},
                {"source_url", source.url},
                {"source_date", source.date},
                {"source_part", source.held_out ? "held out" : "tuned"}};
    put_count(row, "source_rows_n", source.rows + source.speeds);
    rows.push_back(row);
  }
  return rows;
}

/// "59 published measurements from 8 sources: median error 6.0 %, 90th percentile 17.2 %. One vote
/// for each source: 4.5 %."
std::string headline(const Accuracy& accuracy) {
  const AccuracyPart& all = accuracy.all;
  if (!all.errors) return "No published measurement could be compared.";
  std::string words = format_integer(all.errors->n) + " published measurements from " +
                      format_integer(all.sources) + " sources: median error " +
                      share_words(all.errors->median) + ", 90th percentile " +
                      share_words(all.errors->p90) + ".";
  if (all.one_vote_median) {
    words += " One vote for each source: " + share_words(*all.one_vote_median) + ".";
  }
  return words;
}

std::string coverage_words(const HeldOutCoverage& coverage) {
  if (!coverage.share) return "No held-out figure to try them on.";
  return "Fitted without the held-out sources, they hold " + share_words(*coverage.share) +
         " of their " + format_integer(coverage.n) + " figures; median half-width " +
         share_words(coverage.median_half_width.value_or(0)) + ".";
}

}  // namespace

Json accuracy_values(const Sheet& sheet, const Accuracy& accuracy) {
  Json values = frame_values(sheet, SitePage::kAccuracy, "Accuracy · " + sheet.meta.title, "");
  const Confusion& seen = accuracy.all.confusion;
  values["headline"] = headline(accuracy);
  values["row_count"] = format_integer(static_cast<std::int64_t>(accuracy.rows.size()));
  values["errors_svg"] = svg(error_ranges_chart(accuracy));
  values["has_errors"] = accuracy.all.errors.has_value();
  values["held_out_rule"] = accuracy.held_out_rule;
  values["part_rows"] =
      Json::array({part_row("All sources", accuracy.all), part_row("Tuned", accuracy.tuned),
                   part_row("Held out", accuracy.held_out)});
  values["tables"] = tables_of(accuracy);
  values["seen_rows"] =
      Json::array({confusion_row("Ran", seen.ran_fits, seen.ran_tight, seen.ran_no),
                   confusion_row("Out of memory", seen.oom_fits, seen.oom_tight, seen.oom_no)});
  values["bounds"] = format_integer(accuracy.all.lower_bounds);
  values["undercut"] = format_integer(accuracy.all.undercut);
  values["reason_rows"] = reason_rows(accuracy);
  values["bar_rows"] = bar_rows(accuracy);
  values["interval_rows"] = interval_rows(accuracy.intervals);
  values["coverage_words"] = coverage_words(accuracy.coverage);
  values["source_rows"] = source_rows(accuracy);
  values["rows"] = accuracy_row_values(accuracy);
  add_speed_values(values, accuracy);
  return values;
}

}  // namespace sizesheet
