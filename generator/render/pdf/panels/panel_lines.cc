// SPDX-License-Identifier: Apache-2.0
// The second panel: rent against owning as lines.

#include <algorithm>

#include "render/pdf/panels/panels.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr Style kTick = condensed(7.2, kGrey);
constexpr Style kArea = condensed(7.4, kBlue);
constexpr double kNamesRoom = 34;  // right of the plot, for the lines' names
constexpr double kNamePitch = 8.5;
constexpr double kRing = 2.6;

struct LineLook {
  Color color;
  double width;
  std::vector<std::uint16_t> dash;
  Style name;
};

const LineLook& look_of(LineKind kind) {
  static const LineLook kLooks[] = {{kBlue, 1.5, {}, condensed_bold(7.8, kBlue)},
                                    {kBrown, 1.5, {}, condensed_bold(7.8, kBrown)},
                                    {kBlue, 0.8, {3, 2}, condensed(7.4, kBlue)},
                                    {kBlue, 0.8, {1, 1}, condensed(7.4, kBlue)},
                                    {kInk, 1.2, {}, condensed(7.4)}};
  return kLooks[static_cast<std::size_t>(kind)];
}

double value_at(const Line& line, double x) {
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const auto [x0, y0] = line.points[i - 1];
    const auto [x1, y1] = line.points[i];
    if (x <= x1 && x1 > x0) return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
  }
  return line.points.empty() ? 0 : line.points.back().second;
}

class LinesDrawer {
 public:
  LinesDrawer(Sketch& sketch, const PanelFrame& frame, const Lines& lines, const LinesWords& words)
      : sketch_(sketch), frame_(frame), lines_(lines), words_(words) {
    double label = 0;
    for (const double tick : lines.y.ticks) {
      label = std::max(label, sketch.width(lines.y.words(tick), kTick));
    }
    plot_ = {frame.x.x0 + std::max(12.0, label + 4), frame.x.x1 - kNamesRoom};
    unit_ = frame.compact ? frame.top + 30.5 : frame.top + 34.6;
    top_ = unit_ + 4.4;
  }

  void draw() {
    sketch_.text({frame_.x.x0, unit_}, Align::kLeft, kTick, lines_.y.unit);
    draw_area();
    draw_grid();
    draw_mark();
    for (const Line& line : lines_.lines) draw_line(line);
    draw_names();
    draw_crossing();
    draw_area_words();
  }

 private:
  double x_of(double x) const { return plot_.x0 + plot_.width() * lines_.x.share(x); }
  double y_of(double y) const { return frame_.axis() - (frame_.axis() - top_) * lines_.y.share(y); }

  void draw_area() {
    if (!lines_.crossing || lines_.right_area_label.empty()) return;
    const double x = x_of(lines_.crossing->first);
    sketch_.fill({x, top_, plot_.x1 - x, frame_.axis() - top_}, kOwnArea);
  }

  void draw_grid() {
    for (const double tick : lines_.y.ticks) {
      const double y = y_of(tick);
      if (tick > lines_.y.low) sketch_.rule(plot_.x0, plot_.x1, y, 0.5, kHairline);
      sketch_.text({plot_.x0 - 3, y + 2.5}, Align::kRight, kTick, lines_.y.words(tick));
    }
    sketch_.rule(plot_.x0, plot_.x1, frame_.axis(), 0.7, kAxis);
    double end = plot_.x0;
    for (const double tick : lines_.x.ticks) {
      const double x = x_of(tick);
      sketch_.line({x, frame_.axis()}, {x, frame_.axis() + 2}, 0.7, kAxis);
      const std::string label = lines_.x.words(tick);
      sketch_.text({x, frame_.bottom}, Align::kMiddle, kTick, label);
      end = x + sketch_.width(label, kTick) / 2;
    }
    sketch_.text_in(frame_.x.x1 - end - 4, {end + 4, frame_.bottom}, Align::kLeft, kTick,
                    "axis unit", words_.x_units);
  }

  void draw_mark() {
    if (!lines_.mark_x) return;
    double highest = lines_.y.low;
    for (const Line& line : lines_.lines) {
      highest = std::max(highest, value_at(line, *lines_.mark_x));
    }
    const double x = x_of(*lines_.mark_x);
    sketch_.line({x, frame_.axis()}, {x, y_of(highest)}, 0.7, kPlanned, {1, 2});
    place({{{x - 3, frame_.axis() - 3}, Align::kRight}, {{x + 3, frame_.axis() - 3}, Align::kLeft}},
          kTick, lines_.mark_label, Crossed::kIfNeeded);
  }

  void draw_line(const Line& line) {
    const LineLook& look = look_of(line.kind);
    Path path{{}, false, {{}, look.color, look.width}, look.dash};
    for (const auto& [x, y] : line.points) path.points.push_back({x_of(x), y_of(y)});
    sketch_.path(std::move(path));
  }

  void draw_names() {
    std::vector<EndName> names;
    for (std::size_t i = 0; i < lines_.lines.size(); ++i) {
      const auto& points = lines_.lines[i].points;
      if (!points.empty()) names.push_back({plot_.x1 + 4, y_of(points.back().second) + 2.6, i});
    }
    spread(names, kNamesRoom, kNamePitch, frame_.axis() - 0.5);
    for (const EndName& name : names) {
      const Line& line = lines_.lines[name.line];
      sketch_.text_in(kNamesRoom - 4, {name.x, name.y}, Align::kLeft, look_of(line.kind).name,
                      "line", {line.name});
    }
  }

  void draw_crossing() {
    if (!lines_.crossing) return;
    const Point at{x_of(lines_.crossing->first), y_of(lines_.crossing->second)};
    sketch_.disc({at, kRing, 1.1, kInk, DiscFill::kEmpty});
    std::vector<std::pair<Point, Align>> spots;
    for (const double up : {5.0, 9.0, 13.0, 17.0, 21.0, -11.0, -15.0}) {
      spots.push_back({{at.x - 5, at.y - up}, Align::kRight});
      spots.push_back({{at.x + 5, at.y - up}, Align::kLeft});
    }
    place(spots, condensed_bold(7.8), lines_.crossing_label, Crossed::kIfNeeded);
  }

  void draw_area_words() {
    if (!lines_.crossing) return;
    const double x = x_of(lines_.crossing->first);
    const double middle = (plot_.x0 + x) / 2;
    place_between({plot_.x0, x}, {{middle, top_ + 8}, {middle, frame_.axis() - 14}},
                  lines_.left_area_label, kArea);
    const double right = (x + plot_.x1) / 2;
    place_between({x, plot_.x1}, {{right, frame_.axis() - 4}, {right, top_ + 8}},
                  lines_.right_area_label, condensed(7.4, kBrown));
  }

  void place_between(const Span& room, const std::vector<Point>& points, const std::string& text,
                     const Style& style) {
    if (sketch_.width(text, style) + 4 > room.width()) return;
    std::vector<std::pair<Point, Align>> spots;
    for (const Point& point : points) spots.emplace_back(point, Align::kMiddle);
    place(spots, style, text, Crossed::kNever);
  }

  enum class Crossed { kNever, kIfNeeded };

  /// The first spot inside the plot that no text holds and no line crosses; else, if the text is
  /// needed, the first that no text holds.
  void place(const std::vector<std::pair<Point, Align>>& spots, const Style& style,
             const std::string& text, Crossed lines) {
    for (const bool may_cross : {false, true}) {
      if (may_cross && lines == Crossed::kNever) return;
      for (const auto& [point, align] : spots) {
        const Rect area = sketch_.extent_of(point, align, style, text);
        const bool taken = !inside(area) || on_ring(area) || !sketch_.free_of_text(area);
        if (taken || (!may_cross && crossed(area))) continue;
        sketch_.text(point, align, style, text);
        return;
      }
    }
  }

  bool inside(const Rect& area) const {
    return area.x >= plot_.x0 + 1 && area.x + area.width <= plot_.x1 - 1 && area.y >= unit_ - 4 &&
           area.y + area.height <= frame_.axis() + 0.5;
  }

  /// True when the crossing's ring reaches into the area.
  bool on_ring(const Rect& area) const {
    if (!lines_.crossing) return false;
    const double x = x_of(lines_.crossing->first);
    const double y = y_of(lines_.crossing->second);
    const double r = kRing + 0.6;
    return x + r > area.x && x - r < area.x + area.width && y + r > area.y &&
           y - r < area.y + area.height;
  }

  /// True when a line runs through the area.
  bool crossed(const Rect& area) const {
    return std::any_of(lines_.lines.begin(), lines_.lines.end(), [&](const Line& line) {
      for (int i = 0; i <= 8; ++i) {
        const double px = area.x + area.width * i / 8;
        const double x =
            lines_.x.low + (px - plot_.x0) * (lines_.x.high - lines_.x.low) / plot_.width();
        const double y = y_of(value_at(line, x));
        if (y > area.y && y < area.y + area.height) return true;
      }
      return false;
    });
  }

  Sketch& sketch_;
  const PanelFrame& frame_;
  const Lines& lines_;
  const LinesWords& words_;
  Span plot_;
  double unit_ = 0;  ///< baseline of the y axis' unit
  double top_ = 0;   ///< of the plot
};

}  // namespace

void draw_lines_panel(Sketch& sketch, const PanelFrame& frame, const Lines& lines,
                      const LinesWords& words) {
  sketch.text_in(frame.x.width(), {frame.x.x0, frame.first_line()}, Align::kLeft,
                 regular(7.2, kGrey), "conclusion", words.conclusions);
  if (!lines.lines.empty()) LinesDrawer(sketch, frame, lines, words).draw();
}

}  // namespace sizesheet::pdf
