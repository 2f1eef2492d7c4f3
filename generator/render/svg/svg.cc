// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg.h"

#include <algorithm>
#include <cmath>

#include "render/charts.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kPlotLeft = 9;     // per cent kept for tick labels
constexpr double kPlotRight = 84;   // right of it stand the names of the lines
constexpr double kNamedRight = 64;  // the same of a chart with discs, whose names are longer
constexpr double kPlotTop = 34;
constexpr double kPlotBottom = 234;
constexpr double kHeight = 276;
constexpr double kNameDistance = 15;  // pixels between two names
constexpr double kNameWidth = 7;      // per cent of the width a name may take
constexpr double kLeader = 3;         // per cent of the width between the plot and a name
constexpr double kNarrow = 3.4;       // pixels of a per cent where a chart is narrowest
constexpr double kDisc = 10;          // its radius
constexpr double kWideDisc = 13;      // with three digits
constexpr double kDot = 3;

/// Places values of a chart in the plot.
struct PlotScale {
  const Lines& chart;
  double right() const {
    const bool named =
        std::ranges::any_of(chart.lines, [](const Line& line) { return !line.discs.empty(); });
    return named ? kNamedRight : kPlotRight;
  }
  double x(double value) const { return kPlotLeft + (right() - kPlotLeft) * chart.x.share(value); }
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
    out += line_between(tick == 0 ? "axis" : "grid", kPlotLeft, at, scale.right(), at);
    out += text_at("tick", kPlotLeft - 1.2, at + 4, "end", y.words(tick));
  }
  for (const double tick : x.ticks) {
    out += line_between("axis", scale.x(tick), kPlotBottom, scale.x(tick), kPlotBottom + 4);
    out += text_at("tick", scale.x(tick), kPlotBottom + 18, "middle", x.words(tick));
  }
  return out + text_at("unit", scale.right(), kPlotBottom + 36, "end", x.unit);
}

std::string line_class(LineKind kind, std::size_t index) {
  static constexpr const char* kNames[] = {"rent", "own", "memory", "pick", "next", "other"};
  const std::string shade = std::string("line-") + kNames[static_cast<std::size_t>(kind)];
  return kind == LineKind::kMemory ? shade + "-" + std::to_string(1 + index % 4) : shade;
}

/// Where a disc stands, where the chart is narrowest: wider ones only have more room.
struct Spot {
  double x, y;  // pixels
};
bool touch(const Spot& a, const Spot& b) { return std::hypot(a.x - b.x, a.y - b.y) < 2 * kDisc; }

/// Puts discs with their words. One that would touch another is a dot without words.
class Discs {
 public:
  explicit Discs(const PlotScale& scale) : scale_(scale) {}

  std::string put(const Line& line, const std::string& shade) {
    std::string out;
    for (std::size_t at = 0; at < line.discs.size(); ++at) {
      if (line.discs[at].empty()) continue;
      const double x = scale_.x(line.points[at].first);
      const double y = scale_.y(line.points[at].second);
      const bool dot = line.kind == LineKind::kOther || !is_free({x * kNarrow, y});
      const double radius = dot ? kDot : line.discs[at].size() > 2 ? kWideDisc : kDisc;
      out += svg_circle(shade + "-disc", x, y, svg_number(radius).c_str());
      if (dot) continue;
      taken_.push_back({x * kNarrow, y});
      out += text_at("disc", x, y + 4, "middle", line.discs[at]);
    }
    return out;
  }

 private:
  bool is_free(const Spot& spot) const {
    return std::ranges::none_of(taken_, [&](const Spot& other) { return touch(spot, other); });
  }

  const PlotScale& scale_;
  std::vector<Spot> taken_;
};

/// Ranges, and discs with their words; what matters comes last and lies on top.
std::string discs(const PlotScale& scale) {
  Discs all(scale);
  std::vector<std::string> drawn;
  const std::vector<Line>& lines = scale.chart.lines;
  for (const LineKind kind : {LineKind::kPick, LineKind::kNext, LineKind::kOther}) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].kind != kind) continue;
      const std::string shade = line_class(kind, i);
      std::string& out = drawn.emplace_back();
      if (const auto& range = lines[i].range) {
        const double x = scale.x(range->x);
        out += line_between("range " + shade, x, scale.y(range->low), x, scale.y(range->high));
      }
      out += all.put(lines[i], shade);
    }
  }
  std::string out;
  for (auto one = drawn.rbegin(); one != drawn.rend(); ++one) out += *one;
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

/// The names of lines with discs: right of the plot, where nothing else is drawn, each with a thin
/// line from its last disc.
std::string margin_names(const PlotScale& scale) {
  std::vector<EndName> names;
  const std::vector<Line>& lines = scale.chart.lines;
  const double right = scale.right();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].discs.empty()) continue;
    names.push_back({right + kLeader, scale.y(lines[i].points.back().second), i});
  }
  spread(names);
  std::string out;
  for (const EndName& name : names) {
    const Line& line = lines[name.line];
    const auto& [x, y] = line.points.back();
    out += line_between("leader", scale.x(x), scale.y(y), right + kLeader - 0.5, name.y);
    out += text_at("name " + line_class(line.kind, name.line) + "-name", name.x, name.y + 4,
                   "start", line.name);
  }
  return out;
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
    out += line_between("limit", kPlotLeft, y, scale.right(), y);
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
  return {out + crossing(scale) + margin_names(scale) + discs(scale) + end_names(scale), kHeight};
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
