// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/layout_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <optional>

namespace sizesheet::pdf {

namespace {

constexpr double kHair = 0.01;     // points that may be shared
constexpr double kSmallest = 8.5;  // points of a text that anybody can read

bool overlap(const Rect& a, const Rect& b) {
  return a.x + kHair < b.x + b.width && b.x + kHair < a.x + a.width &&
         a.y + kHair < b.y + b.height && b.y + kHair < a.y + a.height;
}

/// The space that a disc or a filled path takes; nothing for other marks.
std::optional<Rect> solid_extent(const Mark& mark) {
  if (const auto* disc = std::get_if<Disc>(&mark)) {
    const double r = disc->radius;
    return Rect{disc->center.x - r, disc->center.y - r, 2 * r, 2 * r};
  }
  const auto* path = std::get_if<Path>(&mark);
  if (!path || !path->closed) return std::nullopt;
  const auto [left, right] =
      std::minmax_element(path->points.begin(), path->points.end(),
                          [](const Point& a, const Point& b) { return a.x < b.x; });
  const auto [top, bottom] =
      std::minmax_element(path->points.begin(), path->points.end(),
                          [](const Point& a, const Point& b) { return a.y < b.y; });
  return Rect{left->x, top->y, right->x - left->x, bottom->y - top->y};
}

std::string tenths(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) {
    char number[32];
    std::snprintf(number, sizeof number, " %.1f", value + 0.0);
    text += number;
  }
  return text;
}

std::string mark_text(const Box& box) {
  return "box" + tenths({box.area.x, box.area.y, box.area.width, box.area.height});
}
std::string mark_text(const Path& path) {
  std::string text = path.closed ? "shape" : path.dash.empty() ? "line" : "dashes";
  for (const Point& point : path.points) text += tenths({point.x, point.y});
  return text;
}
std::string mark_text(const Disc& disc) {
  return "disc" + tenths({disc.center.x, disc.center.y, disc.radius});
}
std::string mark_text(const Picture& picture) {
  return "picture" +
         tenths({picture.area.x, picture.area.y, picture.area.width, picture.area.height});
}
std::string mark_text(const TextRun& run) {
  static const char* const kFaces[] = {"regular", "bold", "condensed", "condensed-bold"};
  return "text" + tenths({run.start.x, run.start.y, run.width, run.style.size}) + " " +
         kFaces[static_cast<std::size_t>(run.style.face)] + " " + run.text;
}

}  // namespace

const Faces& test_faces() {
  static const Faces faces;
  return faces;
}

PageLayout page_of(const Sheet& sheet, Paper paper) {
  return lay_out(sheet, paper, test_faces().widths());
}

std::vector<TextRun> text_runs(const PageLayout& page) {
  std::vector<TextRun> runs;
  for (const Mark& mark : page.marks) {
    if (const auto* run = std::get_if<TextRun>(&mark)) runs.push_back(*run);
  }
  return runs;
}

std::vector<std::string> faults(const PageLayout& page, Paper paper) {
  const std::vector<TextRun> runs = text_runs(page);
  std::vector<Rect> areas;
  for (const TextRun& run : runs) areas.push_back(extent(run));
  std::vector<Rect> solids;
  for (const Mark& mark : page.marks) {
    if (const auto area = solid_extent(mark)) solids.push_back(*area);
  }
  const double bottom = paper == Paper::kA4 ? 577 : 594;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string words = "'" + runs[i].text + "'";
    const Rect& area = areas[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (overlap(area, areas[j])) found.push_back(words + " over '" + runs[j].text + "'");
    }
    for (const Rect& solid : solids) {
      if (overlap(solid, area))
        found.push_back(words + " under a mark at" + tenths({solid.x, solid.y}));
    }
    const bool inside = area.x >= 24 - kHair && area.x + area.width <= page.width - 24 + kHair &&
                        area.y >= 24 - kHair && area.y + area.height <= bottom + kHair;
    if (!inside) found.push_back(words + " outside");
    if (runs[i].style.size < kSmallest) found.push_back(words + " under 8.5 pt");
  }
  return found;
}

std::string layout_text(const PageLayout& page) {
  std::string text = "page" + tenths({page.width, page.height}) + "\n";
  for (const Mark& mark : page.marks) {
    text += std::visit([](const auto& shape) { return mark_text(shape); }, mark) + "\n";
  }
  for (const Link& link : page.links) text += "link " + link.url + "\n";
  for (const std::string& warning : page.warnings) text += "warning " + warning + "\n";
  return text;
}

std::vector<std::string> line_at(const PageLayout& page, double y) {
  std::vector<TextRun> runs = text_runs(page);
  std::erase_if(runs, [&](const TextRun& run) { return std::abs(run.start.y - y) > 0.5; });
  std::sort(runs.begin(), runs.end(),
            [](const TextRun& a, const TextRun& b) { return a.start.x < b.start.x; });
  std::vector<std::string> texts;
  for (const TextRun& run : runs) texts.push_back(run.text);
  return texts;
}

std::string all_text(const PageLayout& page) {
  std::string text;
  for (const TextRun& run : text_runs(page)) text += run.text + "\n";
  return text;
}

GlyphWidth half_em(std::u32string missing) {
  return [missing = std::move(missing)](Face, char32_t character) -> std::optional<int> {
    if (missing.find(character) != std::u32string::npos) return std::nullopt;
    return 500;
  };
}

}  // namespace sizesheet::pdf
