// SPDX-License-Identifier: Apache-2.0
#include "render/html/guides_page.h"

#include <algorithm>
#include <cmath>

#include "render/html/frame.h"
#include "render/html/worksheet.h"
#include "sheet/field_io.h"
#include "support/text.h"

namespace sizesheet {

namespace {

/// Whole numbers as they are, others with four significant digits, no zeros at the end.
std::string figure_words(double value) {
  constexpr int kDigits = 4;  // enough to tell a figure from its rounding
  constexpr double kLargestWhole = 1e15;
  if (std::fabs(value) >= kLargestWhole) return shortest(value);
  if (value == std::floor(value)) return format_integer(static_cast<std::int64_t>(value));
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

/// The figures of a guide that are not its rules', by what they are.
void put_figures(Json& json, const SheetGuide& guide) {
  json["contradictions"] = json["underived"] = Json::array();
  for (std::size_t i = 0; i < guide.figures.size(); ++i) {
    const SheetGuideFigure& figure = guide.figures[i];
    Json& row = json["figures"][i];
    row["printed_words"] = value_words(figure.printed);
    row["computed_words"] = value_words(figure.computed);
    if (figure.printed.answer) row["unit"] = "";
    if (figure.status == "inconsistent") json["contradictions"].push_back(row);
    if (figure.status == "not-derivable") json["underived"].push_back(row);
  }
}

/// Sentences of one part together, in the sheet's order.
Json rule_groups(const Json& rules) {
  Json groups = Json::array();
  for (const Json& rule : rules) {
    if (groups.empty() || rule.at("part") != groups.back().at("part")) {
      groups.push_back({{"part", rule.at("part")}, {"sentences", Json::array()}});
    }
    groups.back()["sentences"].push_back(rule);
  }
  return groups;
}

}  // namespace

Json guides_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kGuides, "Guides · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "guides");
  values["guides"] = Json::array();
  SheetGuide sum;
  const auto figures_of = [](const SheetGuide& guide) {
    return guide.exact + guide.within_rounding + guide.inconsistent + guide.not_derivable;
  };
  for (const SheetGuide& guide : sheet.guides) {
    Json& json = values["guides"].emplace_back(written(guide));
    put_figures(json, guide);
    json["rules"] = rule_groups(json["rules"]);
    json["all"] = figures_of(guide);
    sum.exact += guide.exact;
    sum.within_rounding += guide.within_rounding;
    sum.inconsistent += guide.inconsistent;
    sum.not_derivable += guide.not_derivable;
  }
  values["all_guides"] = written(sum);
  values["all_guides"]["all"] = figures_of(sum);
  return values;
}

}  // namespace sizesheet
