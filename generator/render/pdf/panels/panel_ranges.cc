// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_ranges.h"

#include <algorithm>

#include "render/decision_words.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/panels.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kRangeHeight = 4.6;
constexpr double kDotRadius = 2.3;
constexpr double kRangeGap = 6;  // between texts and bars

std::string range_job(const Sheet& sheet, const Row& row) {
  return sheet.model(row.model).size + " " + sheet.method(row.method).short_title;
}

/// Marked where no speed of the card is published.
std::string range_hours(const RunCandidate& run) {
  return (run.measured ? "" : "~") + few_digits_hours(run.hours.mid) + "\u00a0h";
}

/// The widest of the texts.
double widest(const Sketch& sketch, const std::vector<std::string>& texts, const Style& style) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, sketch.width(text, style));
  return width;
}

/// A line of the panel.
struct RangeLine {
  const RunCandidate* run;
  bool is_pick;
  std::string name;
  std::string usd;
  std::string hours;
};

std::vector<RangeLine> range_lines(const Sheet& sheet, const std::vector<const Row*>& rows,
                                   const Row& pick) {
  std::vector<RangeLine> lines;
  for (const Row* row : rows) {
    const RunCandidate* run = row->set_up();
    lines.push_back({run, row == &pick, gpus_words(sheet, run->gpu, run->gpus),
                     "$" + few_digits_usd(run->usd.mid), range_hours(*run)});
  }
  return lines;
}

void draw_range(Sketch& sketch, const RangeLine& line, const Span& bars, double highest, double y) {
  const double middle = y - kCapHeight * kSmallestText / 2;
  const auto at = [&](MicroUsd usd) {
    return bars.x0 + bars.width() * std::clamp(to_usd(usd) / highest, 0.0, 1.0);
  };
  const Span range{at(line.run->usd.low), at(line.run->usd.high)};
  sketch.put(Box{{range.x0, middle - kRangeHeight / 2, range.width(), kRangeHeight},
                 kRangeHeight / 2,
                 {kRange, {}, 0}});
  sketch.put(Disc{{at(line.run->usd.mid), middle},
                  kDotRadius,
                  0.6,
                  line.is_pick ? kBlue : kInk,
                  DiscFill::kFull});
}

}  // namespace

std::vector<const Row*> compared_rows(const Sheet& sheet, const Row& pick, std::size_t most) {
  std::vector<const Row*> rows;
  for (const Row& row : sheet.rows) {
    const bool same = row.model == pick.model && row.method == pick.method && sheet.is_main(row);
    if (same && row.set_up() != nullptr && &row != &pick) rows.push_back(&row);
  }
  const auto usd = [](const Row* row) { return row->set_up()->usd.mid; };
  std::ranges::stable_sort(rows, {}, usd);
  if (rows.size() + 1 > most) rows.resize(std::max<std::size_t>(1, most) - 1);
  if (pick.set_up() != nullptr) rows.push_back(&pick);
  std::ranges::stable_sort(rows, {}, usd);
  return rows;
}

std::vector<std::string> ranges_titles(const Sheet& sheet, const Row& pick) {
  const std::vector<const Row*> rows = compared_rows(sheet, pick, sheet.gpus.size() + 1);
  const std::string job = range_job(sheet, pick) + ": ";
  const std::string card = sheet.gpu(pick.gpu).short_name;
  if (rows.size() < 2) return {job + "only " + card + " can be rented"};
  if (rows.front() != &pick) {
    const std::string cheaper = sheet.gpu(rows.front()->gpu).short_name;
    return {job + cheaper + " is cheaper on average, " + card + " is surer",
            job + card + " is surer than " + cheaper};
  }
  const double share = to_usd(rows[1]->set_up()->usd.mid) / to_usd(pick.set_up()->usd.mid) - 1;
  const std::string more = format_number(100 * share, 0) + "\u00a0% more";
  const std::string next = sheet.gpu(rows[1]->gpu).short_name;
  return {job + card + " is cheapest; " + next + " costs " + more, job + card + " is cheapest"};
}

void draw_ranges_panel(Sketch& sketch, const PanelFrame& frame, const Sheet& sheet,
                       const Row* pick) {
  if (pick == nullptr || pick->set_up() == nullptr) {
    draw_panel_title(sketch, frame, {"No set-up has a price"});
    return;
  }
  draw_panel_title(sketch, frame, ranges_titles(sheet, *pick));
  const auto lines = range_lines(sheet, compared_rows(sheet, *pick, frame.lines()), *pick);
  sketch.text_in(frame.x.width(), {frame.x.x0, frame.unit()}, Align::kLeft, kSentenceGrey, "unit",
                 {"$ per run. Dot: expected. Bar: range of nine runs in ten",
                  "$ per run: expected, and nine in ten"});
  const double names =
      std::min(frame.x.width() / 3, widest(sketch, each_of(lines, &RangeLine::name), kFineBold));
  const double usd = widest(sketch, each_of(lines, &RangeLine::usd), kFineBold);
  const double hours = widest(sketch, each_of(lines, &RangeLine::hours), kFine);
  const double usd_right = frame.x.x1 - hours - kRangeGap;
  const Span bars{frame.x.x0 + names + kRangeGap + kDotRadius,
                  usd_right - usd - kRangeGap - kDotRadius};
  double highest = 0;
  for (const RangeLine& line : lines) highest = std::max(highest, to_usd(line.run->usd.high));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const RangeLine& line = lines[i];
    const double y = frame.line(i);
    const Style style = line.is_pick ? kFineBold : kFine;
    sketch.text_in(names, {frame.x.x0, y}, Align::kLeft, style, "set-up", {line.name});
    if (highest > 0 && bars.width() > 20) draw_range(sketch, line, bars, highest, y);
    sketch.text({usd_right, y}, Align::kRight, style, line.usd);
    sketch.text({frame.x.x1, y}, Align::kRight, kFine, line.hours);
  }
}

}  // namespace sizesheet::pdf
