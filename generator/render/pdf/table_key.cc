// SPDX-License-Identifier: Apache-2.0
// The key under the table.
#include <algorithm>
#include <functional>

#include "render/pdf/marks.h"
#include "render/pdf/palette.h"
#include "render/pdf/table_layout.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr Style kText = condensed(7.4);
constexpr Style kWord = condensed(7.2, kGrey);
constexpr Style kKeyStrong = condensed_bold(7.4);
constexpr double kLeastGap = 7;
constexpr double kTightGap = 3.5;  // below it a meaning and the next sign read as one
constexpr double kMostGap = 18;
constexpr int kMostBrief = 6;

/// A sign and what it means.
struct Entry {
  std::string sign;
  Style sign_style;
  CountMark mark = CountMark::kNone;
  bool framed = false;
  std::string meaning;
};

double sign_width(const Sketch& sketch, const Entry& entry) {
  double width = sketch.width(entry.sign, entry.sign_style);
  if (entry.mark != CountMark::kNone) width += 1.3 + kTriangleWidth;
  return entry.framed ? width + 10 : width;
}

double entry_width(const Sketch& sketch, const Entry& entry) {
  return sign_width(sketch, entry) + 3.5 + sketch.width(entry.meaning, kText);
}

/// The entries with explanations as long as `brevity` allows: 0 is the longest.
std::vector<Entry> entries(const TableText& table, const Columns& columns, int brevity) {
  std::vector<Entry> out;
  out.push_back({"16", kKeyStrong, CountMark::kNone, true, "the pick"});
  out.push_back({"24", kText, CountMark::kOpen, false,
                 brevity < 4   ? "fits; the next smaller count on offer holds too, but tight"
                 : brevity < 6 ? "fits; one count fewer holds, but tight"
                               : "fits; one fewer is tight"});
  out.push_back({"2", kText, CountMark::kFilled, false,
                 brevity < 5 ? "tight: under " + table.headroom + " headroom, measure first"
                             : "tight: measure first"});
  std::string no = "does not fit any count on offer";
  if (brevity < 2) no += " (" + table.offers + ")";
  out.push_back({"no", kWord, CountMark::kNone, false, brevity < 3 ? no : "does not fit"});
  if (table.refusals) {
    out.push_back({"n/a", kWord, CountMark::kNone, false,
                   brevity < 1 ? "not modelled; the site says why" : "not modelled"});
  }
  out.push_back(
      {"never", kWord, CountMark::kNone, false, "not within " + table.hours_per_month + " h"});
  out.push_back({"–", kText, CountMark::kNone, false,
                 table.year_known || brevity > 3 ? "no price" : "no price (none for 1 year)"});
  if (table.guesses) {
    out.push_back({"~", kText, CountMark::kNone, false,
                   brevity < 3 ? "no published run on this type" : "speed not measured"});
  }
  out.push_back({"close", kText, CountMark::kNone, false, "within 10\u00a0%"});
  if (!columns.left_out.empty()) {
    const auto& names = brevity < 6 ? columns.left_out : columns.left_out_brief;
    out.push_back({"left out", kKeyStrong, CountMark::kNone, false, join(names, ", ")});
  }
  return out;
}

void draw_entry(Sketch& sketch, const Entry& entry, Point at) {
  double x = at.x;
  if (entry.framed) {
    const double width = sign_width(sketch, entry);
    draw_pick_frame(sketch, {x, at.y - 7.2, width, 9.1});
    x += 5;
  }
  const double width = sketch.text({x, at.y}, Align::kLeft, entry.sign_style, entry.sign);
  draw_triangle(sketch, {x + width + 1.3, at.y}, entry.mark);
  sketch.text({at.x + sign_width(sketch, entry) + 3.5, at.y}, Align::kLeft, kText, entry.meaning);
}

}  // namespace

void draw_key(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table) {
  const std::string title = "How to read it";
  const double start = metrics.text.x0 + sketch.width(title, kKeyStrong);
  std::vector<Entry> chosen;
  double gap = 0;
  for (int brevity = 0; brevity <= kMostBrief && gap < kLeastGap; ++brevity) {
    chosen = entries(table, columns, brevity);
    double width = 0;
    for (const Entry& entry : chosen) width += entry_width(sketch, entry);
    gap = (metrics.text.x1 - start - width) / static_cast<double>(chosen.size());
  }
  if (gap < kTightGap) {
    throw InputError("key: its words need " +
                     format_number((kTightGap - gap) * static_cast<double>(chosen.size()), 0) +
                     " pt more than there are; fewer GPU types leave out fewer columns");
  }
  gap = std::min(gap, kMostGap);
  sketch.text({metrics.text.x0, flow.key}, Align::kLeft, kKeyStrong, title);
  double x = start + gap;
  for (const Entry& entry : chosen) {
    draw_entry(sketch, entry, {x, flow.key});
    x += entry_width(sketch, entry) + gap;
  }
}

}  // namespace sizesheet::pdf
