// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_lines.h"

#include <algorithm>

#include "render/charts.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet::pdf {
namespace {

constexpr double kNamesRoom = 40;  // right of the plot, for the lines' names
constexpr double kDisc = 5.6;
constexpr double kRange = 2.4;  // width of a range's bar

struct LineLook {
  Color color;
  Color range;
  double width;
  Style name;
};

LineLook look_of(LineKind kind) {
  if (kind == LineKind::kPick) return {kBlue, kPickFill, 1.5, condensed_bold(8, kBlue)};
  if (kind == LineKind::kNext) return {kBrown, kHeadroomBand, 1.2, condensed_bold(8, kBrown)};
  return {kAxis, kHairline, 0.7, kFineGrey};
}

class LinesDrawer {
 public:
  LinesDrawer(Sketch& sketch, const PanelFrame& frame, const Lines& lines)
      : sketch_(sketch), frame_(frame), lines_(lines) {
    double label = 0;
    for (const double tick : lines.y.ticks) {
      label = std::max(label, sketch.width(lines.y.words(tick), kFineGrey));
    }
    plot_ = {frame.x.x0 + std::max(12.0, label + 4), frame.x.x1 - kNamesRoom};
    unit_ = frame.compact ? frame.top + 30.5 : frame.top + 34.6;
    top_ = unit_ + 4.4;
  }

  void draw() {
    sketch_.text({frame_.x.x0, unit_}, Align::kLeft, kFineGrey, lines_.y.unit);
    draw_grid();
    draw_mark();
    // What matters is drawn last, and named first.
    for (const Line& line : lines_.lines) draw_range(line);
    for (auto line = lines_.lines.rbegin(); line != lines_.lines.rend(); ++line) draw_line(*line);
    for (const Line& line : lines_.lines) draw_discs(line);
    for (const Line& line : lines_.lines) draw_name(line);
  }

 private:
  double x_of(double x) const { return plot_.x0 + plot_.width() * lines_.x.share(x); }
  double y_of(double y) const { return frame_.axis() - (frame_.axis() - top_) * lines_.y.share(y); }
  Point at(const std::pair<double, double>& point) const {
    return {x_of(point.first), y_of(point.second)};
  }

  void draw_grid() {
    for (const double tick : lines_.y.ticks) {
      const double y = y_of(tick);
      if (tick > lines_.y.low) sketch_.rule(plot_, y, 0.5, kHairline);
      sketch_.text({plot_.x0 - 3, y + 2.5}, Align::kRight, kFineGrey, lines_.y.words(tick));
    }
    sketch_.rule(plot_, frame_.axis(), 0.7, kAxis);
    double end = plot_.x0;
    for (const double tick : lines_.x.ticks) {
      const double x = x_of(tick);
      sketch_.line({x, frame_.axis()}, {x, frame_.axis() + 2}, 0.7, kAxis);
      const std::string label = lines_.x.words(tick);
      sketch_.text({x, frame_.bottom}, Align::kMiddle, kFineGrey, label);
      end = x + sketch_.width(label, kFineGrey) / 2;
    }
    sketch_.text_in(frame_.x.x1 - end - 4, {end + 4, frame_.bottom}, Align::kLeft, kFineGrey,
                    "axis unit", {lines_.x.unit, "hours", "h"});
  }

  void draw_mark() {
    if (!lines_.mark_x) return;
    const double x = x_of(*lines_.mark_x);
    sketch_.line({x, frame_.axis()}, {x, unit_ - 2}, 0.7, kPlanned, {1, 2});
    sketch_.text({x - 3, unit_}, Align::kRight, kFineGrey, lines_.mark_label);
  }

  void draw_range(const Line& line) {
    if (!line.range) return;
    const double high = y_of(line.range->high);
    sketch_.fill({x_of(line.range->x) - kRange / 2, high, kRange, y_of(line.range->low) - high},
                 look_of(line.kind).range);
  }

  void draw_line(const Line& line) {
    const LineLook look = look_of(line.kind);
    Path path{{}, false, {{}, look.color, look.width}, {}};
    for (const auto& point : line.points) path.points.push_back(at(point));
    if (path.points.size() > 1) sketch_.put(std::move(path));
  }

  /// A disc with its count; where another line's disc lies, only a dot.
  void draw_discs(const Line& line) {
    const LineLook look = look_of(line.kind);
    for (std::size_t i = 0; i < line.discs.size(); ++i) {
      if (line.discs[i].empty()) continue;
      const Point center = at(line.points[i]);
      const Rect area{center.x - kDisc, center.y - kDisc, 2 * kDisc, 2 * kDisc};
      if (line.kind == LineKind::kOther || on_disc(area)) {
        sketch_.put(Disc{center, 1.6, 0.6, look.color, DiscFill::kFull});
        continue;
      }
      discs_.push_back(area);
      sketch_.put(Disc{center, kDisc, 0.6, look.color, DiscFill::kFull});
      sketch_.text({center.x, center.y + 2.7}, Align::kMiddle,
                   condensed_bold(kSmallestText, kWhite), line.discs[i]);
    }
  }

  /// Beside the last disc; where other words stand there, beside a point before it.
  void draw_name(const Line& line) {
    const Style style = look_of(line.kind).name;
    for (auto point = line.points.rbegin(); point != line.points.rend(); ++point) {
      const Point from = at(*point);
      for (const Align align : {Align::kLeft, Align::kRight}) {
        const double side = (align == Align::kLeft ? 1 : -1) * (kDisc + 2);
        for (const double down : {2.7, -4.5, 10.0, -8.0, 14.0}) {
          const Point spot{from.x + side, from.y + down};
          const Rect area = sketch_.extent_of(spot, align, style, line.name);
          if (!is_free(area)) continue;
          sketch_.fill(area, kWhite);  // no line runs through it
          sketch_.text(spot, align, style, line.name);
          return;
        }
      }
    }
  }

  bool is_free(const Rect& area) const {
    const bool inside = area.x >= plot_.x0 && area.x + area.width <= frame_.x.x1 &&
                        area.y >= frame_.top + 24 && area.y + area.height <= frame_.axis();
    const double mark = lines_.mark_x ? x_of(*lines_.mark_x) : frame_.x.x1;
    const bool crossed = area.x < mark && mark < area.x + area.width;
    return inside && !crossed && !on_disc(area) && sketch_.free_of_text(area);
  }

  bool on_disc(const Rect& area) const {
    return std::ranges::any_of(discs_, [&](const Rect& disc) { return share_area(area, disc); });
  }

  Sketch& sketch_;
  const PanelFrame& frame_;
  const Lines& lines_;
  std::vector<Rect> discs_;  ///< drawn so far
  Span plot_;
  double unit_ = 0;  ///< baseline of the y axis' unit
  double top_ = 0;   ///< of the plot
};

}  // namespace

void draw_lines_panel(Sketch& sketch, const PanelFrame& frame, const Lines& lines,
                      const std::vector<std::string>& conclusions) {
  sketch.text_in(frame.x.width(), {frame.x.x0, frame.first_line()}, Align::kLeft,
                 regular(7.5, kGrey), "conclusion", conclusions);
  if (!lines.lines.empty()) LinesDrawer(sketch, frame, lines).draw();
}

}  // namespace sizesheet::pdf
