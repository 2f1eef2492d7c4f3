// SPDX-License-Identifier: Apache-2.0
// The third panel: a list of findings, and the titles that all panels share.
#include <algorithm>

#include "render/pdf/marks.h"
#include "render/pdf/palette.h"
#include "render/pdf/panels.h"

namespace sizesheet::pdf {

namespace {

constexpr Style kStrong = condensed_bold(8.3);
constexpr Style kDetail = condensed(7.6, kGrey);
constexpr Style kAside = condensed(7.2, kGrey);
constexpr double kSubject = 45;  // left edge of the subject
constexpr double kPitch = 19.2;
constexpr double kDetailDrop = 8.6;
constexpr double kFirst = 24;  // frame's top to the first baseline
constexpr double kArrow = 10;

void draw_change(Sketch& sketch, Point at, const Finding& finding) {
  if (finding.after.empty()) {
    sketch.text(at, Align::kLeft, kStrong,
                sketch.fitted("figure", {finding.before}, kStrong, kSubject - 4));
    return;
  }
  const double both =
      sketch.width(finding.before, kStrong) + sketch.width(finding.after, kStrong) + kArrow + 5;
  if (both > kSubject - 2) {  // the detail says what it was before
    sketch.text(at, Align::kLeft, kStrong,
                sketch.fitted("figure", {finding.after}, kStrong, kSubject - 4));
    return;
  }
  const double width = sketch.text(at, Align::kLeft, kStrong, finding.before);
  draw_arrow(sketch, {at.x + width + 2.5, at.y - 2.8}, kArrow);
  const double after = at.x + width + kArrow + 5;
  sketch.text({after, at.y}, Align::kLeft, kStrong, finding.after);
}

void draw_finding(Sketch& sketch, const PanelFrame& frame, const Finding& finding,
                  double baseline) {
  draw_change(sketch, {frame.x.x0, baseline}, finding);
  const double x = frame.x.x0 + kSubject;
  const double word = sketch.text({frame.x.x1, baseline}, Align::kRight, kAside,
                                  sketch.fitted("word", {finding.word}, kAside, 60));
  sketch.text({x, baseline}, Align::kLeft, kStrong,
              sketch.fitted("subject", {finding.subject}, kStrong, frame.x.x1 - x - word - 4));
  std::vector<std::string> details = {finding.detail};
  if (!finding.brief.empty()) details.push_back(finding.brief);
  sketch.text({x, baseline + kDetailDrop}, Align::kLeft, kDetail,
              sketch.fitted("detail", details, kDetail, frame.x.x1 - x));
}

}  // namespace

void draw_panel_title(Sketch& sketch, const PanelFrame& frame,
                      const std::vector<std::string>& titles, bool bar, const std::string& aside) {
  sketch.rule(frame.x.x0, frame.x.x1, frame.top, 0.6, kInk);
  if (bar) sketch.box({frame.x.x0, frame.top + 3.4, 2.2, 9.4}, {kBlue, {}, 0});
  const double x = frame.x.x0 + (bar ? 6 : 0);
  const double taken =
      aside.empty() ? 0
                    : 6 + sketch.text({frame.x.x1, frame.title()}, Align::kRight, kAside, aside);
  sketch.text({x, frame.title()}, Align::kLeft, bold(9),
              sketch.fitted("panel title", titles, bold(9), frame.x.x1 - x - taken));
}

void draw_findings_panel(Sketch& sketch, const PanelFrame& frame,
                         const std::vector<Finding>& findings) {
  double baseline = frame.top + kFirst;
  for (const Finding& finding : findings) {
    if (baseline + kDetailDrop > frame.bottom) return;  // the least telling ones come last
    if (baseline > frame.top + kFirst) {
      sketch.rule(frame.x.x0, frame.x.x1, baseline - 7.6, 0.5, kHairline);
    }
    draw_finding(sketch, frame, finding, baseline);
    baseline += kPitch;
  }
}

}  // namespace sizesheet::pdf
