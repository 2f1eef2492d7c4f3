// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_use.h"

#include <algorithm>

#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/panels.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kUseHeight = 6.4;
constexpr double kUseGap = 6;

std::string use_hours(const UseSplit& split) { return month_hours(split.hours) + "\u00a0h"; }

std::string use_words(const UseSplit& split) {
  if (split.own == 0) return format_integer(split.rent) + " rent";
  if (split.rent == 0) return format_integer(split.own) + " own";
  return format_integer(split.rent) + " rent, " + format_integer(split.own) + " own";
}

void draw_split(Sketch& sketch, const UseSplit& split, const Span& x, double y) {
  const double top = y - (kCapHeight * kSmallestText + kUseHeight) / 2;
  const double share =
      static_cast<double>(split.rent) / static_cast<double>(split.rent + split.own);
  const double cut = x.x0 + share * x.width();
  sketch.fill({x.x0, top, cut - x.x0, kUseHeight}, kBlue);
  if (split.own > 0) sketch.fill({cut + 0.7, top, x.x1 - cut - 0.7, kUseHeight}, kOwned);
}

}  // namespace

std::vector<std::string> use_titles(const std::vector<UseSplit>& splits) {
  const UseSplit* last = nullptr;
  for (const UseSplit& split : splits) {
    if (split.own == 0) last = &split;
  }
  if (last == nullptr) {
    const UseSplit& first = splits.front();
    return {"At " + use_hours(first) + " per month, owning is cheaper for " +
                format_integer(first.own) + " of " + format_integer(first.own + first.rent),
            "Owning pays early for " + format_integer(first.own)};
  }
  const std::string jobs = format_integer(last->rent);
  if (last == &splits.back()) return {"Renting is cheaper for all " + jobs + " jobs at any use"};
  return {"Up to " + use_hours(*last) + " per month, all " + jobs + " jobs are cheaper to rent",
          "Up to " + use_hours(*last) + " per month, renting is cheaper"};
}

void draw_use_panel(Sketch& sketch, const PanelFrame& frame, const std::vector<UseSplit>& splits) {
  if (splits.empty()) {
    draw_panel_title(sketch, frame, {"No machine is compared with renting"});
    return;
  }
  draw_panel_title(sketch, frame, use_titles(splits));
  sketch.text_in(frame.x.width(), {frame.x.x0, frame.unit()}, Align::kLeft, kSentenceGrey, "unit",
                 {"Jobs cheaper to rent (dark) or own, by hours of use per month",
                  "Jobs cheaper to rent (dark) or own"});
  double hours = 0;
  double words = 0;
  for (const UseSplit& split : splits) {
    hours = std::max(hours, sketch.width(use_hours(split), kFine));
    words = std::max(words, sketch.width(use_words(split), kFine));
  }
  const Span bars{frame.x.x0 + hours + kUseGap, frame.x.x1 - words - kUseGap};
  const std::size_t count = std::min(splits.size(), frame.lines());
  for (std::size_t i = 0; i < count; ++i) {
    const double y = frame.line(i);
    sketch.text({frame.x.x0 + hours, y}, Align::kRight, kFine, use_hours(splits[i]));
    draw_split(sketch, splits[i], bars, y);
    sketch.text({bars.x1 + kUseGap, y}, Align::kLeft, kFine, use_words(splits[i]));
  }
}

}  // namespace sizesheet::pdf
