// SPDX-License-Identifier: Apache-2.0
#include "render/html/accuracy_page.h"

#include "render/accuracy_chart.h"
#include "render/html/frame.h"
#include "render/phrases.h"
#include "render/svg/svg_chart.h"
#include "sheet/field_io.h"
#include "support/text.h"

namespace sizesheet {

namespace {

std::string relation_words(const std::string& relation) {
  if (relation == "lower_bound") return "at least";
  if (relation == "fits") return "ran";
  return relation == "oom" ? "out of memory" : "";
}

/// A verdict that what happened contradicts.
bool contradicted(const AccuracyRow& row) {
  return row.verdict == (row.relation == "oom" ? "fits" : "no");
}

void put_words(Json& json, const Accuracy& accuracy) {
  for (std::size_t i = 0; i < accuracy.rows.size(); ++i) {
    const AccuracyRow& row = accuracy.rows[i];
    json["rows"][i].update(
        {{"relation_words", relation_words(row.relation)},
         {"class", contradicted(row) ? "no" : "said"},
         {"remark", row.refusal.empty() ? join(row.flags, ", ") : "refused: " + row.refusal}});
  }
  for (std::size_t i = 0; i < accuracy.speed.rows.size(); ++i) {
    const SpeedRow& row = accuracy.speed.rows[i];
    json["speed"]["rows"][i]["remark"] = row.refusal.empty() ? join(row.flags, ", ") : row.refusal;
  }
  for (std::size_t i = 0; i < accuracy.sources.size(); ++i) {
    json["sources"][i]["row_sum"] = accuracy.sources[i].rows + accuracy.sources[i].speeds;
  }
  for (Json& bar : json["bars"]) {
    const std::string id = bar.at("id");
    bar["counts"] = id == "ran-called-no" || id == "oom-fits";
    bar["ratio"] = id == "speed-range";
  }
}

/// The tables of errors that have something in them.
Json tables_of(const Json& accuracy) {
  const Json& all = accuracy.at("all");
  Json tables = Json::array();
  const auto add = [&](const char* id, const char* title, const Json& groups) {
    if (!groups.empty()) {
      tables.push_back({{"table_id", id}, {"table_title", title}, {"groups", groups}});
    }
  };
  add("by-memory", "By what was measured", all.at("by_kind"));
  add("by-method", "By method", all.at("by_method"));
  add("by-framework", "By framework", all.at("by_framework"));
  add("by-source", "By source", all.at("by_source"));
  add("flagged", "Rows outside the totals, by source", accuracy.at("flagged"));
  return tables;
}

/// "59 published measurements from 8 sources: median error 6.0 %, 90th percentile 17.2 %"
template <typename Part>
std::string errors_words(const Part& all, const std::string& what) {
  return format_integer(all.errors->n) + " published " + what + " from " +
         format_integer(all.sources) + " sources: median error " + share_words(all.errors->median) +
         ", 90th percentile " + share_words(all.errors->p90);
}

std::string headline(const Accuracy& accuracy) {
  const AccuracyPart& all = accuracy.all;
  if (!all.errors) return "No published measurement could be compared.";
  std::string words = errors_words(all, "measurements") + ".";
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
  Json& json = values["accuracy"] = written(accuracy);
  put_words(json, accuracy);
  values["headline"] = headline(accuracy);
  values["row_count"] = accuracy.rows.size();
  values["errors_svg"] = svg(error_ranges_chart(accuracy));
  values["has_errors"] = accuracy.all.errors.has_value();
  values["tables"] = tables_of(json);
  values["coverage_words"] = coverage_words(accuracy.coverage);
  const SpeedPart& speed = accuracy.speed.all;
  values["has_speed"] = speed.errors.has_value();
  if (!speed.errors) return values;
  values["speed_headline"] = errors_words(speed, "speeds") + "; " +
                             share_words(speed.covered.value_or(0)) + " lie within their range.";
  values["speed_svg"] = svg(speed_ranges_chart(accuracy));
  return values;
}

}  // namespace sizesheet
