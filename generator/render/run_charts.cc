// SPDX-License-Identifier: Apache-2.0
#include "render/run_charts.h"

#include <algorithm>
#include <cmath>

#include "render/charts.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kDearest = 1.5;        // of the pick's upper end of dollars
constexpr double kLeastDistance = 0.1;  // of the axis, between two discs
constexpr double kAir = 1.15;           // of the hours, on either side
constexpr double kLeastHours = 0.0001;  // hours are rounded to it; the axis cannot begin at 0
constexpr double kFarDeadline = 3;      // of the longest hours: beyond it the deadline is left out

/// The candidates of a row as a line, those too dear left out; `kept`: of each point its candidate.
Line line_of(const Sheet& sheet, const Row& row, LineKind kind, double dearest,
             std::vector<const RunCandidate*>& kept) {
  kept.clear();
  Line line{sheet.gpu(row.gpu).short_name, kind, {}};
  for (auto run = row.candidates.rbegin(); run != row.candidates.rend(); ++run) {
    const double usd = to_usd(run->usd.mid);
    if (usd > dearest) continue;
    line.points.emplace_back(run->hours.mid, usd);
    kept.push_back(&*run);
  }
  if (!kept.empty() && !kept.front()->measured) line.name += " ~";
  return line;
}

/// Discs where they do not touch: at the set-up shown, at the fewest GPUs, then from there on.
void put_discs(Line& line, const std::vector<const RunCandidate*>& runs, const RunCandidate* shown,
               const Axis& hours) {
  line.discs.assign(runs.size(), "");
  std::vector<double> taken;
  const auto put = [&](std::size_t i) {
    const double at = hours.share(line.points[i].first);
    const bool free = std::ranges::all_of(
        taken, [&](double other) { return std::abs(at - other) >= kLeastDistance; });
    if (!free) return;
    taken.push_back(at);
    line.discs[i] = std::to_string(runs[i]->gpus);
  };
  const auto place = std::ranges::find(runs, shown);
  if (place != runs.end()) put(static_cast<std::size_t>(place - runs.begin()));
  for (std::size_t i = runs.size(); i > 0; --i) put(i - 1);
  // The name stands beside the last disc.
  while (!line.discs.empty() && line.discs.back().empty()) {
    line.discs.pop_back();
    line.points.pop_back();
  }
  if (line.kind == LineKind::kOther) line.name = line.discs.back() + " × " + line.name;
}

std::string point_words(const Sheet& sheet, const RunCandidate& run) {
  return std::to_string(run.gpus) + " × " + sheet.gpu(run.gpu).short_name + ": " +
         run_hours(run.hours.mid) + " h, $" + run_usd(run.usd.mid);
}

/// What more GPUs of the type picked cost and save; else the range of the pick.
std::string conclusion_of(const Sheet& sheet, const Row& pick) {
  const RunCandidate& run = *pick.set_up();
  const RunCandidate& most = pick.candidates.back();
  if (most.gpus <= run.gpus) {
    return point_words(sheet, run) + " ($" + format_usd_roughly(run.usd.low) + " to $" +
           format_usd_roughly(run.usd.high) + " in nine of ten).";
  }
  return point_words(sheet, run) + "; " + point_words(sheet, most) + ".";
}

}  // namespace

Chart hours_against_usd_chart(const Sheet& sheet, const Row& pick) {
  Lines body;
  const std::string title = sheet.model(pick.model).size + " " +
                            sheet.method(pick.method).short_title + ": hours against dollars";
  const std::string id = "hours-usd-" + pick.method;
  if (pick.set_up() == nullptr) return {id, title, "", "No set-up is picked.", std::move(body)};
  const Pick* decided = sheet.pick(pick.model, pick.method);
  const std::string next = decided && decided->runner_up ? decided->runner_up->row : "";
  const double dearest = kDearest * to_usd(pick.set_up()->usd.high);

  std::vector<std::vector<const RunCandidate*>> runs;
  std::vector<std::string> words;
  double shortest = std::max(pick.set_up()->hours.mid, kLeastHours);
  double longest = shortest;
  double highest = 0;
  for (const Row* row : rows_by_price(sheet, pick.model, pick.method)) {
    const LineKind kind = row == &pick         ? LineKind::kPick
                          : row->key() == next ? LineKind::kNext
                                               : LineKind::kOther;
    Line line = line_of(sheet, *row, kind, dearest, runs.emplace_back());
    if (line.points.empty()) {
      runs.pop_back();
      continue;
    }
    shortest = std::min(shortest, std::max(line.points.front().first, kLeastHours));
    longest = std::max(longest, line.points.back().first);
    for (const auto& [hours, usd] : line.points) highest = std::max(highest, usd);
    words.push_back(point_words(sheet, *runs.back().back()));
    body.lines.push_back(std::move(line));
  }
  const auto& deadline = sheet.options.deadline_hours;
  if (deadline && *deadline <= kFarDeadline * longest) {
    body.mark_x = *deadline;
    body.mark_label = "deadline " + limit_words(*deadline);
    longest = std::max(longest, *deadline);
  }
  const double low = shortest / kAir;
  const double high = longest * kAir;
  body.x = {"hours per run", low, high, logarithmic_ticks(low, high), true};

  for (std::size_t i = 0; i < body.lines.size(); ++i) {
    Line& line = body.lines[i];
    const RunCandidate* shown = line.kind == LineKind::kPick   ? pick.set_up()
                                : line.kind == LineKind::kNext ? runner_up_of(sheet, *decided)
                                                               : nullptr;
    put_discs(line, runs[i], shown, body.x);
    if (shown == nullptr) continue;
    line.range = Whisker{shown->hours.mid, to_usd(shown->usd.low), to_usd(shown->usd.high)};
    highest = std::max(highest, line.range->high);
  }
  body.y = {"$ per run", 0, highest * 1.05, nice_ticks(highest)};
  return {id, title, conclusion_of(sheet, pick), join(words, "; ") + ".", std::move(body)};
}

}  // namespace sizesheet
