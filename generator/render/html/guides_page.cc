// SPDX-License-Identifier: Apache-2.0
#include "render/html/guides_page.h"

#include <algorithm>
#include <cmath>

#include "render/html/frame.h"
#include "render/html/proof.h"
#include "render/html/worksheet.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr int kDigits = 4;  // enough to tell a figure from its rounding

/// Whole numbers as they are, others with four significant digits, no zeros at the end.
std::string figure_words(double value) {
  constexpr double kLargestWhole = 1e15;
  if (value == std::floor(value) && std::fabs(value) < kLargestWhole) {
    return format_integer(static_cast<std::int64_t>(value));
  }
  if (std::fabs(value) >= kLargestWhole) return shortest(value);
  const int before = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  std::string text = format_number(value, std::max(0, kDigits - before));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string value_words(const GuideValue& value) {
  if (value.answer) return *value.answer ? "yes" : "no";
  if (value.numbers.empty()) return std::string(kAbsent);
  std::vector<std::string> words;
  for (const double number : value.numbers) words.push_back(figure_words(number));
  return join(words, words.size() == 2 ? "–" : "; ");
}

/// "GB" for a figure in GB; nothing for an answer.
std::string unit_words(const SheetGuideFigure& figure) {
  return figure.printed.answer ? "" : figure.unit;
}

Json figure_row(const SheetGuideFigure& figure) {
  return {{"figure_where", figure.where},
          {"figure_what", sentence_case(figure.what)},
          {"figure_printed", value_words(figure.printed)},
          {"figure_computed", value_words(figure.computed)},
          {"figure_unit", unit_words(figure)},
          {"figure_reason", figure.reason}};
}

Json figure_rows(const SheetGuide& guide, const std::string& status) {
  Json rows = Json::array();
  for (const SheetGuideFigure& figure : guide.figures) {
    if (figure.status == status) rows.push_back(figure_row(figure));
  }
  return rows;
}

/// Sentences of one part together, in the sheet's order.
Json rule_groups(const SheetGuide& guide) {
  Json groups = Json::array();
  std::string open;
  for (const SheetGuideRule& rule : guide.rules) {
    if (groups.empty() || rule.part != open) {
      groups.push_back({{"rule_part", rule.part}, {"rule_sentences", Json::array()}});
      open = rule.part;
    }
    groups.back()["rule_sentences"].push_back(
        {{"rule_words", rule.words}, {"rule_fitted", rule.fitted}});
  }
  return groups;
}

std::int64_t figures_of(const SheetGuide& guide) {
  return guide.exact + guide.within_rounding + guide.inconsistent + guide.not_derivable;
}

void put_counts(Json& row, const SheetGuide& counts) {
  row["guide_figures"] = format_integer(figures_of(counts));
  row["guide_exact"] = format_integer(counts.exact);
  row["guide_within"] = format_integer(counts.within_rounding);
  row["guide_inconsistent"] = format_integer(counts.inconsistent);
  row["guide_not_derivable"] = format_integer(counts.not_derivable);
}

Json guide_row(const SheetGuide& guide) {
  Json row = {{"guide_id", guide.id},       {"guide_title", guide.title},
              {"guide_words", guide.words}, {"guide_publisher", guide.publisher},
              {"guide_date", guide.date},   {"guide_dated", guide.dated}};
  put_source(row, "source", guide.source);
  put_counts(row, guide);
  row["guide_rules"] = rule_groups(guide);
  row["contradictions"] = figure_rows(guide, "inconsistent");
  row["has_contradictions"] = !row["contradictions"].empty();
  row["underived"] = figure_rows(guide, "not-derivable");
  row["has_underived"] = !row["underived"].empty();
  return row;
}

SheetGuide sum_of(const std::vector<SheetGuide>& guides) {
  SheetGuide sum;
  for (const SheetGuide& guide : guides) {
    sum.exact += guide.exact;
    sum.within_rounding += guide.within_rounding;
    sum.inconsistent += guide.inconsistent;
    sum.not_derivable += guide.not_derivable;
  }
  return sum;
}

Json difference_row(const GuideDifference& difference) {
  Json row = {{"difference_id", difference.id},
              {"difference_title", difference.title},
              {"difference_guides", difference.guides},
              {"difference_sheet", difference.sheet}};
  put_source(row, "source", difference.source);
  return row;
}

}  // namespace

Json guides_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kGuides, "Guides · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "guides");
  values["has_guides"] = !sheet.guides.empty();
  values["guide_rows"] = Json::array();
  for (const SheetGuide& guide : sheet.guides) values["guide_rows"].push_back(guide_row(guide));
  values["all_guides"] = Json::object();
  put_counts(values["all_guides"], sum_of(sheet.guides));
  values["has_differences"] = !sheet.guide_differences.empty();
  values["difference_rows"] = Json::array();
  for (const GuideDifference& difference : sheet.guide_differences) {
    values["difference_rows"].push_back(difference_row(difference));
  }
  return values;
}

}  // namespace sizesheet
