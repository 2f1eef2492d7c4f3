// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg.h"

#include <algorithm>
#include <cmath>

#include "render/charts.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kPlotLeft = 9;    // per cent kept for tick labels
constexpr double kPlotRight = 84;  // right of it stand the names of the lines
constexpr double kPlotTop = 34;
constexpr double kPlotBottom = 234;
constexpr double kHeight = 276;
constexpr double kNameDistance = 15;  // pixels between two names
constexpr double kNameWidth = 7;      // per cent of the width a name may take

/// Places values of a chart in the plot.
struct PlotScale {
  const Lines& chart;
  double x(double value) const {
    return kPlotLeft + (kPlotRight - kPlotLeft) * chart.x.share(value);
  }
  double y(double value) const {
    return kPlotBottom - (kPlotBottom - kPlotTop) * chart.y.share(value);
  }
};

std::string line_between(const std::string& shade, double x1, double y1, double x2, double y2) {
  return svg_element("line", {{"class", shade},
                              {"x1", svg_percent(x1)},
                              {"y1", svg_number(y1)},
                              {"x2", svg_percent(x2)},
                              {"y2", svg_number(y2)}});
}

std::string text_at(const std::string& shade, double x, double y, const char* anchor,
                    const std::string& text) {
  return svg_text(shade, svg_percent(x), y, text, anchor);
}

std::string grid(const PlotScale& scale) {
  const Axis& y = scale.chart.y;
  const Axis& x = scale.chart.x;
  std::string out = text_at("unit", 0, 12, "start", y.unit);
  for (const double tick : y.ticks) {
    const double at = scale.y(tick);
    out += line_between(tick == 0 ? "axis" : "grid", kPlotLeft, at, kPlotRight, at);
    out += text_at("tick", kPlotLeft - 1.2, at + 4, "end", y.words(tick));
  }
  for (const double tick : x.ticks) {
    out += line_between("axis", scale.x(tick), kPlotBottom, scale.x(tick), kPlotBottom + 4);
    out += text_at("tick", scale.x(tick), kPlotBottom + 18, "middle", x.words(tick));
  }
  return out + text_at("unit", kPlotRight, kPlotBottom + 36, "end", x.unit);
}

std::string line_class(LineKind kind, std::size_t index) {
  static constexpr const char* kNames[] = {"rent", "own", "memory", "pick", "next", "other"};
  const std::string shade = std::string("line-") + kNames[static_cast<std::size_t>(kind)];
  return kind == LineKind::kMemory ? shade + "-" + std::to_string(1 + index % 4) : shade;
}

/// Ranges, and discs with their words; what matters comes last and lies on top.
std::string discs(const PlotScale& scale) {
  std::string out;
  const std::vector<Line>& lines = scale.chart.lines;
  for (std::size_t i = lines.size(); i > 0; --i) {
    const Line& line = lines[i - 1];
    const std::string shade = line_class(line.kind, i - 1);
    if (line.range) {
      const double x = scale.x(line.range->x);
      out +=
          line_between("range " + shade, x, scale.y(line.range->low), x, scale.y(line.range->high));
    }
    for (std::size_t at = 0; at < line.discs.size(); ++at) {
      if (line.discs[at].empty()) continue;
      const double x = scale.x(line.points[at].first);
      const double y = scale.y(line.points[at].second);
      const bool dot = line.kind == LineKind::kOther;
      const char* radius = dot ? "3" : line.discs[at].size() > 2 ? "13" : "10";
      out += svg_circle(shade + "-disc", x, y, radius);
      if (!dot) out += text_at("disc", x, y + 4, "middle", line.discs[at]);
    }
  }
  return out;
}

/// Where names beside discs stand free of each other and of every disc. A page stretches the
/// plot, so this is for a chart of half a page; a wider one only has more room.
class DiscNames {
 public:
  explicit DiscNames(const PlotScale& scale) : scale_(scale) {
    for (const Line& line : scale.chart.lines) {
      for (std::size_t at = 0; at < line.discs.size(); ++at) {
        if (line.discs[at].empty()) continue;
        const auto [x, y] = spot(line.points[at]);
        const double radius = line.kind == LineKind::kOther ? kDot : kDisc;
        taken_.push_back({x - radius, x + radius, y - radius, y + radius});
      }
    }
    if (!scale.chart.mark_x) return;
    const double x = scale.x(*scale.chart.mark_x) * kPixels;
    taken_.push_back({x, x, kPlotTop, kPlotBottom});
  }

  /// The name beside the line's last disc, or a disc before it; beside the last where none is free.
  std::string put(const Line& line, const std::string& shade) {
    Place place{line.discs.size() - 1};
    for (const Place& one : places_of(line)) {
      const Area area = area_of(line, one);
      if (!is_free(area)) continue;
      taken_.push_back(area);
      place = one;
      break;
    }
    const double aside = beside(line);
    return svg_text(
        "name halo " + shade + "-name", svg_percent(scale_.x(line.points[place.at].first)),
        scale_.y(line.points[place.at].second) + place.down, line.name,
        place.right ? "start" : "end", svg_number(place.right ? aside : -aside).c_str());
  }

 private:
  struct Area {
    double left, right, top, bottom;  // pixels
  };
  /// Beside a disc, its baseline so far below the middle.
  struct Place {
    std::size_t at;
    bool right = true;
    double down = 4;
  };

  static constexpr double kPixels = 6;  // a per cent of the width
  static constexpr double kLetter = 7;
  static constexpr double kDisc = 11;
  static constexpr double kDot = 4;

  std::pair<double, double> spot(const std::pair<double, double>& point) const {
    return {scale_.x(point.first) * kPixels, scale_.y(point.second)};
  }

  static double beside(const Line& line) {
    return (line.kind == LineKind::kOther ? kDot : kDisc) + 3;
  }

  /// Those of the last disc come first.
  static std::vector<Place> places_of(const Line& line) {
    std::vector<Place> places;
    for (std::size_t at = line.discs.size(); at > 0; --at) {
      if (line.discs[at - 1].empty()) continue;
      for (const bool right : {true, false}) {
        for (const double down : {4.0, -10.0, 18.0, -20.0, 28.0}) {
          places.push_back({at - 1, right, down});
        }
      }
    }
    return places;
  }

  Area area_of(const Line& line, const Place& place) const {
    const auto [x, y] = spot(line.points[place.at]);
    const double width = kLetter * static_cast<double>(width_of(line.name));
    const double from = place.right ? x + beside(line) : x - beside(line) - width;
    return {from, from + width, y + place.down - 11, y + place.down + 3};
  }

  bool is_free(const Area& area) const {
    const bool inside = area.left >= kPlotLeft * kPixels && area.right <= 100 * kPixels &&
                        area.top >= kPlotTop - 16 && area.bottom <= kPlotBottom;
    return inside && std::ranges::none_of(taken_, [&](const Area& other) {
             return area.left < other.right + 1 && other.left < area.right + 1 &&
                    area.top < other.bottom && other.top < area.bottom;
           });
  }

  const PlotScale& scale_;
  std::vector<Area> taken_;
};

/// Those of the pick and the next best come first, where they want to stand.
std::string disc_names(const PlotScale& scale) {
  DiscNames names(scale);
  std::string out;
  const std::vector<Line>& lines = scale.chart.lines;
  for (const bool others : {false, true}) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool other = lines[i].kind == LineKind::kOther;
      if (lines[i].discs.empty() || other != others) continue;
      out += names.put(lines[i], line_class(lines[i].kind, i));
    }
  }
  return out;
}

/// The name of a line, at its right end.
struct EndName {
  double x = 0;  // per cent
  double y = 0;
  std::size_t line = 0;  // its place in the chart
};

/// Moves names that would touch apart, keeping their order from top to bottom, none below the plot.
void spread(std::vector<EndName>& names) {
  std::ranges::stable_sort(names, {}, &EndName::y);
  for (std::size_t i = 1; i < names.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(names[i].x - names[j].x) >= kNameWidth) continue;  // side by side
      names[i].y = std::max(names[i].y, names[j].y + kNameDistance);
    }
  }
  // What was pushed below the floor goes back up, and pushes the others before it.
  double floor = kPlotBottom;
  for (auto name = names.rbegin(); name != names.rend(); ++name, floor -= kNameDistance) {
    name->y = std::min(name->y, floor);
  }
}

std::string end_names(const PlotScale& scale) {
  std::vector<EndName> names;
  const std::vector<Line>& lines = scale.chart.lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].points.empty() || !lines[i].discs.empty()) continue;
    const auto& [x, y] = lines[i].points.back();
    names.push_back({scale.x(x), scale.y(y), i});
  }
  spread(names);
  std::string out;
  for (const EndName& name : names) {
    const Line& line = lines[name.line];
    std::string inside = svg_element("tspan", {}, line.name);
    if (line.kind != LineKind::kMemory) {  // a phone leaves the value out
      const double y = line.points.back().second;
      inside += svg_element("tspan", {{"class", "wide"}},
                            " " + format_number(y, y < 10    ? 2
                                                   : y < 100 ? 1
                                                             : 0));
    }
    // A line cut off at the top has its name on its left, where the next line cannot run.
    const bool cut = name.x < kPlotRight - 1;
    out += svg_parent("text",
                      {{"class", "name " + line_class(line.kind, name.line) + "-name"},
                       {"x", svg_percent(cut ? name.x - 1 : name.x + 1)},
                       {"y", svg_number(cut ? name.y - 3 : name.y + 4)},
                       {"text-anchor", cut ? "end" : "start"}},
                      inside);
  }
  return out;
}

std::string crossing(const PlotScale& scale) {
  if (!scale.chart.crossing) return "";
  const double x = scale.x(scale.chart.crossing->first);
  const double y = scale.y(scale.chart.crossing->second);
  // Left of the crossing the rent runs below what is owned.
  const bool near = x < kPlotLeft + 0.3 * (kPlotRight - kPlotLeft);
  std::string out = line_between("drop", x, y, x, kPlotBottom);
  out += svg_circle("crossing", x, y, "4");
  return out + text_at("strong halo", near ? x + 1.2 : x - 1.2,
                       near ? std::min(y + 20, kPlotBottom - 6) : y - 9, near ? "start" : "end",
                       scale.chart.crossing_label);
}

std::string marks(const PlotScale& scale) {
  std::string out;
  if (scale.chart.mark_x) {
    const double x = scale.x(*scale.chart.mark_x);
    out += line_between("mark", x, kPlotTop - 8, x, kPlotBottom);
    out += text_at("unit halo", x, kPlotTop - 12, "middle", scale.chart.mark_label);
  }
  if (scale.chart.limit_y) {
    const double y = scale.y(*scale.chart.limit_y);
    out += line_between("limit", kPlotLeft, y, kPlotRight, y);
    out += text_at("limit-label halo", kPlotLeft + 1, y - 5, "start", scale.chart.limit_label);
  }
  return out;
}

std::string opening(const char* name, SvgAttributes attributes) {
  std::string out = std::string("<") + name;
  for (const auto& [key, value] : attributes) {
    if (value.empty()) continue;
    out += std::string(" ") + key + "=\"" + escape_xml(value) + "\"";
  }
  return out;
}

}  // namespace

SvgBody svg_body(const Lines& lines) {
  const PlotScale scale{lines};
  std::string out = grid(scale) + marks(scale);
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    const auto& points = lines.lines[i].points;
    const std::string shade = line_class(lines.lines[i].kind, i);
    for (std::size_t j = 1; j < points.size(); ++j) {
      const auto& [x1, y1] = points[j - 1];
      const auto& [x2, y2] = points[j];
      out += line_between(shade, scale.x(x1), scale.y(y1), scale.x(x2), scale.y(y2));
    }
  }
  return {out + crossing(scale) + discs(scale) + disc_names(scale) + end_names(scale), kHeight};
}

std::string svg(const Chart& chart) {
  const SvgBody body = std::visit([](const auto& of) { return svg_body(of); }, chart.body);
  const std::string title_id = chart.id + "-t";
  const std::string description_id = chart.id + "-d";
  return svg_parent("svg",
                    {{"class", "chart"},
                     {"id", chart.id},
                     {"role", "img"},
                     {"aria-labelledby", title_id + " " + description_id},
                     {"width", "100%"},
                     {"height", svg_number(body.height)}},
                    svg_element("title", {{"id", title_id}}, chart.title) +
                        svg_element("desc", {{"id", description_id}}, chart.description) +
                        body.markup);
}

std::string escape_xml(std::string_view text) {
  static constexpr std::pair<char, const char*> kEntities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string out;
  for (const char c : text) {
    const auto* entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                      [&](const auto& known) { return known.first == c; });
    out += entity == std::end(kEntities) ? std::string(1, c) : entity->second;
  }
  return out;
}

std::string svg_number(double value) {
  const double rounded = std::floor(value * 100 + 0.5) / 100;
  return shortest(rounded == 0 ? 0.0 : rounded);  // never "-0"
}

std::string svg_percent(double value) { return svg_number(value) + "%"; }

std::string svg_element(const char* name, SvgAttributes attributes) {
  return opening(name, attributes) + "/>";
}

std::string svg_element(const char* name, SvgAttributes attributes, std::string_view text) {
  return opening(name, attributes) + ">" + escape_xml(text) + "</" + name + ">";
}

std::string svg_parent(const char* name, SvgAttributes attributes, const std::string& markup) {
  return opening(name, attributes) + ">" + markup + "</" + name + ">";
}

std::string svg_circle(const std::string& shade, double x, double y, const char* radius) {
  return svg_element(
      "circle", {{"class", shade}, {"cx", svg_percent(x)}, {"cy", svg_number(y)}, {"r", radius}});
}

std::string svg_text(const std::string& shade, const std::string& x, double y,
                     std::string_view text, const char* anchor, const char* dx) {
  return svg_element(
      "text",
      {{"class", shade}, {"x", x}, {"dx", dx}, {"y", svg_number(y)}, {"text-anchor", anchor}},
      text);
}

}  // namespace sizesheet
