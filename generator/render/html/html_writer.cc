// SPDX-License-Identifier: Apache-2.0
// The site written, with its pages on how the figures come about and how well they hold.

#include <utility>

#include "render/charts.h"
#include "render/html/frame.h"
#include "render/html/pages.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "render/writers.h"
#include "sheet/fields.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

HtmlWriter::HtmlWriter(TemplateSet templates) : templates_(std::move(templates)) {}

void HtmlWriter::write(const Sheet& sheet, FileSet& files) const {
  if (sheet.scenarios.empty()) throw InputError("pages: the sheet has no scenario");
  const SheetValues under(sheet);
  const auto page = [&](const std::string& path, const char* name, const Json& values) {
    files[path] = render_template(templates_, name, values, {}, &under);
  };
  page("index.html", "index.mustache", index_values(sheet));
  page("rows.html", "rows.mustache", rows_values(sheet));
  page("prices.html", "prices.mustache", prices_values(sheet));
  if (sheet.ownership) page("own.html", "own.mustache", own_values(sheet, *sheet.ownership));
  page("method.html", "method.mustache", method_values(sheet));
  if (sheet.accuracy) {
    page("accuracy.html", "accuracy.mustache", accuracy_values(sheet, *sheet.accuracy));
  }
  page("guides.html", "guides.mustache", guides_values(sheet));
  if (!sheet.frameworks.empty()) {
    page("frameworks.html", "frameworks.mustache", frameworks_values(sheet));
  }
  if (sheet.advice) page("advice.html", "advice.mustache", advice_values(sheet, *sheet.advice));
  if (sheet.changes) page("changes.html", "changes.mustache", changes_values(sheet));
  for (const SheetModel& model : sheet.models) {
    page("models/" + model.id + ".html", "model.mustache", model_values(sheet, model));
  }
  page("gpus.html", "gpus.mustache", gpus_values(sheet));
  for (const SheetGpu& gpu : sheet.gpus) {
    page("gpus/" + gpu.id + ".html", "gpu.mustache", gpu_values(sheet, gpu));
  }
  page("glossary.html", "glossary.mustache", glossary_values(sheet));
  files["rows.js"] = rows_script(sheet);
  for (const char* asset : {"style.css", "table.js", "filters.js", "early.js"})
    files[asset] = templates_.at(asset);
}

namespace {

Json constant_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const SheetConstant& constant : sheet.constants) {
    Json row = {{"constant_id", constant.id},
                {"constant_value", shortest(constant.value)},
                {"constant_unit", constant.unit},
                {"constant_reason", constant.reason}};
    put_source(row, "source", constant.source);
    rows.push_back(row);
  }
  return rows;
}

Json scenario_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const Scenario& scenario : sheet.scenarios) {
    Json warnings = Json::array();
    for (const std::string& warning : scenario.warnings) {
      warnings.push_back({{"scenario_warning", warning}});
    }
    rows.push_back({{"scenario_name", scenario.stack_title},
                    {"scenario_text", scenario.summary},
                    {"scenario_warnings", warnings}});
  }
  return rows;
}

Json method_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    rows.push_back({{"method_name", method.title}, {"method_text", method.description}});
  }
  return rows;
}

Json gpu_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    std::vector<std::string> counts;
    for (const std::int64_t count : gpu.counts) counts.push_back(format_integer(count));
    if (counts.size() > 8)
      counts = {counts[0], counts[1], counts[2], counts[3], counts[4], "…", counts.back()};
    Json row = {{"gpu_name", gpu.name},
                {"gpu_usable", format_gib(gpu.capacity_bytes, 1)},
                {"gpu_v", std::to_string(gpu.capacity_bytes)},
                {"gpu_counts", join(counts, ", ")},
                {"gpu_date", gpu.date}};
    put_source(row, "source", gpu.source);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

Json method_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kMethod, "Method · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "method");
  values["headroom_rule"] = headroom_rule(sheet);
  values["headroom"] = shortest(sheet.options.headroom);
  values["least_free"] = format_number(least_free_percent(sheet.options.headroom), 1);
  values["max_gpus"] = format_integer(sheet.options.max_gpus);
  values["price_policy"] = price_policy(sheet);
  values["ownership_rule"] = ownership_rule(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["month_hours"] = month_hours(sheet.options.hours_per_month);
  values["run_words"] = run_words(sheet);
  values["has_changes_page"] = sheet.changes.has_value();
  values["catalog_hash"] = sheet.meta.catalog_hash;
  values["has_deadline"] = sheet.options.deadline_hours.has_value();
  values["deadline"] = month_hours(sheet.options.deadline_hours.value_or(0));
  values["scenario_rows"] = scenario_rows(sheet);
  values["method_rows"] = method_rows(sheet);
  values["gpu_rows"] = gpu_rows(sheet);
  values["constant_rows"] = constant_rows(sheet);
  for (const TermName& term : kTermTitles) values["title_" + std::string(term.name)] = term.title;
  return values;
}

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
