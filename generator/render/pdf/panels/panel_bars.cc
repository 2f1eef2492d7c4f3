// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_bars.h"

#include <algorithm>

#include "render/charts.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/fonts/fonts.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/panels.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr Style kLabel = condensed_bold(8.3);
constexpr double kSegmentGap = 0.5;  // white between segments
constexpr double kOutlineGap = 1.3;
constexpr double kWidestLabel = 62;
constexpr double kWidestLine = 92;   // of a label and its set-up side by side
constexpr double kBeside = 3.5;      // between them
constexpr double kLeastTall = 16.9;  // height of a bar with its outline and two lines of label

struct SegmentLook {
  Color fill;
  Color text;
};

const SegmentLook& look_of(SegmentKind kind) {
  static constexpr SegmentLook kLooks[] = {{kBlue, kWhite},
                                           {kGradients, kWhite},
                                           {kOptimizer, kInk},
                                           {kActivations, kInk},
                                           {kOther, kInk}};
  return kLooks[static_cast<std::size_t>(kind)];
}

class BarsDrawer {
 public:
  BarsDrawer(Sketch& sketch, const PanelFrame& frame, const StackedBars& bars)
      : sketch_(sketch), frame_(frame), bars_(bars) {
    plot_top_ = frame.compact ? frame.top + 27 : frame.top + 38.5;
    const double height = frame.axis() - plot_top_ - 0.5;
    const double unit = height / static_cast<double>(bars.bars.size());
    low_ = frame.compact || unit < kLeastTall;
    if (low_) {
      pitch_ = std::min(14.0, unit);
      full_ = bar_ = std::clamp(unit - 3, 7.0, 10.4);
    } else {
      pitch_ = std::min(unit, 30.0);
      full_ = std::clamp(unit - 2.4, 14.0, 20.5);
      bar_ = (full_ - kOutlineGap) * 0.54;
    }
    origin_ = frame.x.x0 + std::max(34.0, widest_label() + 5);
    scale_ = scale();
  }

  void draw() {
    draw_legend();
    draw_bands();
    for_bars([&](const StackedBar& bar, double top) { draw_bar(bar, top); });
    draw_axis();
    draw_limits();
  }

 private:
  /// Each bar and where it begins.
  template <typename Draw>
  void for_bars(Draw draw) {
    double top = plot_top_;
    for (const StackedBar& bar : bars_.bars) {
      draw(bar, top);
      top += pitch_;
    }
  }

  double widest_label() const {
    double widest = 0;
    for (const StackedBar& bar : bars_.bars) {
      const double label = sketch_.width(bar.label, kLabel);
      const double below = sketch_.width(bar.sublabel, kFineGrey);
      widest = std::max(widest, low_ ? label + kBeside + below : std::max(label, below));
    }
    return std::min(widest, low_ ? kWidestLine : kWidestLabel);
  }

  /// Points for a GiB: everything that is drawn, with the totals' words, ends inside the panel.
  double scale() const {
    const double room = frame_.x.x1 - origin_;
    double scale = room / std::max(bars_.axis.high, 1e-9);
    for (const StackedBar& bar : bars_.bars) {
      if (bar.total <= 0) continue;
      scale = std::min(scale, (room - 3 - sketch_.width(total_text(bar), kLabel)) / bar.total);
    }
    return scale;
  }

  static std::string total_text(const StackedBar& bar) { return format_number(bar.total, 1); }
  double x_of(double value) const { return origin_ + value * scale_; }

  void draw_legend() {
    double x = frame_.x.x0;
    for (const auto& [kind, shade] : kSegments) {
      sketch_.fill({x, frame_.first_line() - 5.6, 6, 6}, look_of(kind).fill);
      const Point at{x + 8.5, frame_.first_line()};
      x += 8.5 + sketch_.text(at, Align::kLeft, kFine, segment_words(kind)) + 9;
    }
  }

  /// The headroom before each bar's limit: one band over all when the limit is common.
  void draw_bands() {
    const auto band = [&](double limit, double top, double height) {
      const double from = x_of(limit / (1 + bars_.headroom));
      sketch_.fill({from, top, x_of(limit) - from, height}, kHeadroomBand);
    };
    if (bars_.limit) {
      band(*bars_.limit, plot_top_ - 3, frame_.axis() - plot_top_ + 3);
      return;
    }
    for_bars([&](const StackedBar& bar, double top) {
      if (bar.limit > 0) band(bar.limit, top - 1, full_ + 2);
    });
  }

  void draw_segments(const StackedBar& bar, double top, double baseline) {
    double value = 0;
    for (const Segment& segment : bar.segments) {
      const SegmentLook& look = look_of(segment.kind);
      const double x0 = x_of(value);
      value += segment.value;
      const double width = x_of(value) - x0;
      if (width <= kSegmentGap) continue;
      sketch_.fill({x0, top, width - kSegmentGap, bar_}, look.fill);
      const Style style = condensed(kSmallestText, look.text);
      const std::string figure = format_number(segment.value, 1);
      if (width > 13 && sketch_.width(figure, style) + 2 < width) {
        sketch_.text({x0 + (width - kSegmentGap) / 2, baseline - 0.2}, Align::kMiddle, style,
                     figure);
      }
    }
  }

  void draw_bar(const StackedBar& bar, double top) {
    const double baseline = top + bar_ / 2 + 2.9;
    const double room = origin_ - frame_.x.x0 - 3;
    const double label =
        sketch_.text_in(room, {frame_.x.x0, baseline}, Align::kLeft, kLabel, "method", {bar.label});
    if (!low_) {
      sketch_.text_in(room, {frame_.x.x0, baseline + 8.4}, Align::kLeft, kFineGrey, "set-up",
                      {bar.sublabel});
    } else if (label + kBeside + sketch_.width(bar.sublabel, kFineGrey) <= room + kWidthTolerance) {
      sketch_.text({frame_.x.x0 + label + kBeside, baseline}, Align::kLeft, kFineGrey,
                   bar.sublabel);
    }
    draw_segments(bar, top, baseline);
    sketch_.text({total_x(bar), baseline}, Align::kLeft, kLabel, total_text(bar));
    if (!low_ && !bar.outline_label.empty()) draw_outline(bar, top);
  }

  /// Just after the bar, or beyond the limit's line when that would run through the figure.
  double total_x(const StackedBar& bar) const {
    const double x = x_of(bar.total) + 3;
    const double width = sketch_.width(total_text(bar), kLabel);
    const double limit = x_of(bar.limit);
    const bool struck = bar.limit > 0 && limit > x - 1.5 && limit < x + width + 1.5;
    return struck && limit + 3 + width <= frame_.x.x1 ? limit + 3 : x;
  }

  void draw_outline(const StackedBar& bar, double top) {
    const double y = top + bar_ + kOutlineGap;
    const double height = full_ - kOutlineGap - bar_;
    const double width = x_of(bar.outline) - origin_;
    sketch_.put(Box{{origin_, y, width, height}, 0, {{}, kInk, 0.5}});
    const double words = sketch_.width(bar.outline_label, kFine);
    const double baseline = y + height / 2 + 2.5;
    const double x = origin_ + 3 + (words + 5 <= width ? 0 : width);
    sketch_.text_in(frame_.x.x1 - x, {x, baseline}, Align::kLeft, kFine, "one count fewer",
                    {bar.outline_label});
  }

  void draw_axis() {
    sketch_.rule({origin_, frame_.x.x1}, frame_.axis(), 0.7, kAxis);
    sketch_.text({frame_.x.x0, frame_.bottom}, Align::kLeft, kFineGrey, bars_.axis.unit);
    for (const double tick : bars_.axis.ticks) {
      const double x = x_of(tick);
      const std::string label = format_number(tick, 0);
      if (x + sketch_.width(label, kFineGrey) / 2 > frame_.x.x1) continue;
      sketch_.line({x, frame_.axis()}, {x, frame_.axis() + 2}, 0.7, kAxis);
      sketch_.text({x, frame_.bottom}, Align::kMiddle, kFineGrey, label);
    }
  }

  std::string limit_words() const {
    const std::string share = format_number(100 * bars_.headroom, 0) + "\u00a0%";
    return bars_.limit ? share + " headroom, then " + bars_.limit_label
                       : "line: memory usable; band: the " + share + " headroom";
  }

  void draw_limits() {
    const auto limit = [&](double value, double top, double bottom) {
      sketch_.line({x_of(value), top}, {x_of(value), bottom}, 1.1, kBrown);
    };
    if (bars_.limit) {
      limit(*bars_.limit, plot_top_ - 3, frame_.axis());
    } else {
      for_bars([&](const StackedBar& bar, double top) {
        if (bar.limit > 0) limit(bar.limit, top - 1, top + full_ + 1);
      });
    }
    if (frame_.compact) return;  // it stands beside the title
    const Style style = condensed_bold(7.6, kBrown);
    const double right = bars_.limit ? x_of(*bars_.limit) : frame_.x.x1;
    const double least = frame_.x.x0 + sketch_.width(limit_words(), style);
    const Point at{std::max(right, least), frame_.top + 33.3};
    if (sketch_.free_of_text(sketch_.extent_of(at, Align::kRight, style, limit_words()))) {
      sketch_.text(at, Align::kRight, style, limit_words());
    }
  }

  Sketch& sketch_;
  const PanelFrame& frame_;
  const StackedBars& bars_;
  double origin_ = 0;
  double scale_ = 0;
  double plot_top_ = 0;
  bool low_ = false;  ///< no outlines, each label on one line with its set-up
  // Heights that let all bars stand between the limit's label and the axis.
  double pitch_ = 0;
  double bar_ = 0;
  double full_ = 0;  ///< with its outline
};

}  // namespace

void draw_bars_panel(Sketch& sketch, const PanelFrame& frame, const StackedBars& bars) {
  if (bars.bars.empty()) {
    sketch.text({frame.x.x0, frame.first_line()}, Align::kLeft, regular(7.5, kGrey),
                "No set-up fits.");
    return;
  }
  BarsDrawer(sketch, frame, bars).draw();
}

}  // namespace sizesheet::pdf
