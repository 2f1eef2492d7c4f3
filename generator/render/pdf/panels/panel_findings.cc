// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_findings.h"

#include <algorithm>
#include <set>
#include <utility>

#include "render/changes_words.h"
#include "render/charts.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/change_words.h"
#include "render/pdf/panels/panels.h"
#include "render/phrases.h"
#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::pdf {
namespace {

constexpr Style kStrong = condensed_bold(8.3);
constexpr Style kDetail = condensed(7.6, kGrey);
constexpr double kSubject = 45;  // left edge of the subject
constexpr double kPitch = 19.2;
constexpr double kDetailDrop = 8.6;
constexpr double kFirst = 24;  // frame's top to the first baseline
constexpr double kArrow = 10;
constexpr double kArrowHead = 3;

/// To the right along `from`; drawn, since no font here has one.
void draw_arrow(Sketch& sketch, Point from) {
  const double end = from.x + kArrow;
  sketch.line(from, {end - kArrowHead, from.y}, 0.8, kInk);
  const Point below{end - kArrowHead, from.y + 2};
  sketch.put(Path{{{end, from.y}, {end - kArrowHead, from.y - 2}, below}, true, {kInk, {}, 0}, {}});
}

void draw_change(Sketch& sketch, Point at, const Finding& finding) {
  const double both =
      sketch.width(finding.before, kStrong) + sketch.width(finding.after, kStrong) + kArrow + 5;
  if (finding.after.empty() || both > kSubject - 2) {  // the detail says what it was before
    sketch.text_in(kSubject - 4, at, Align::kLeft, kStrong, "figure",
                   {finding.after.empty() ? finding.before : finding.after});
    return;
  }
  const double width = sketch.text(at, Align::kLeft, kStrong, finding.before);
  draw_arrow(sketch, {at.x + width + 2.5, at.y - 2.8});
  const double after = at.x + width + kArrow + 5;
  sketch.text({after, at.y}, Align::kLeft, kStrong, finding.after);
}

void draw_finding(Sketch& sketch, const PanelFrame& frame, const Finding& finding,
                  double baseline) {
  draw_change(sketch, {frame.x.x0, baseline}, finding);
  const double x = frame.x.x0 + kSubject;
  const double word =
      sketch.text_in(60, {frame.x.x1, baseline}, Align::kRight, kFineGrey, "word", {finding.word});
  sketch.text_in(frame.x.x1 - x - word - 4, {x, baseline}, Align::kLeft, kStrong, "subject",
                 {finding.subject});
  std::vector<std::string> details = {finding.detail};
  if (!finding.brief.empty()) details.push_back(finding.brief);
  sketch.text_in(frame.x.x1 - x, {x, baseline + kDetailDrop}, Align::kLeft, kDetail, "detail",
                 details);
}

/// The size's adapters on the same GPUs, under the stack that is fastest there.
void add_fastest(const Sheet& sheet, const SheetModel& shown, std::vector<Finding>& findings) {
  for (const Row* row : shown_rows(sheet, shown.id)) {
    if (!row->fastest_stack) continue;
    const StackRun& there = *row->fastest_stack;
    const std::string usd = "$" + run_usd(there.usd.mid) + " a run, here $" +
                            run_usd(row->usd_per_run().value_or(MicroUsd{}));
    findings.push_back(
        {run_hours(*row->hours_mid) + "\u00a0h", run_hours(there.hours.mid) + "\u00a0h",
         shown.size + " " + sheet.method(row->method).short_title + " under " + there.title,
         usd + (there.needs.empty() ? "" : "; needs " + there.needs),
         "×\u00a0" + format_number(1 / there.hours_share, 2), usd});
  }
}

/// Before the stacks that are faster.
constexpr std::size_t kFirstRisks = 3;

/// The first places: where all three kinds of news exist, each has a line among the first five.
constexpr std::size_t kFirstPicks = 2;
constexpr std::size_t kFirstRows = 1;
constexpr std::size_t kFirstInputs = 1;

/// What breaks first, then another decision, then the same decision at another price.
int rank(const Change& change) {
  if (change.level == "breaking") return 0;
  const bool decision = severity(change.kind) < severity("dearer");
  return decision || change_kind(change.kind).matter == "entry" ? 1 : 2;
}

/// By rank, then by the dollars of a run; details are left to the site.
std::vector<const Change*> moved_picks(const SheetChanges& changes) {
  std::vector<const Change*> picks;
  for (const Change& change : changes.changes) {
    if (change.of == "pick" && change.level != "detail") picks.push_back(&change);
  }
  std::ranges::stable_sort(picks, {}, [](const Change* change) {
    return std::pair(rank(*change), -dollars_moved(*change));
  });
  return picks;
}

/// Of the scenario on the page, those that no pick tells of already.
std::vector<const Change*> broken_rows(const SheetChanges& changes, const Sheet& sheet,
                                       const std::vector<const Change*>& picks) {
  std::set<std::string> told;
  for (const Change* pick : picks) {
    if (pick->old_side) told.insert(pick->old_side->row_key);
    if (pick->new_side) told.insert(pick->new_side->row_key);
  }
  std::vector<const Change*> rows;
  for (const Change& change : changes.changes) {
    const bool shown = sheet.scenarios.empty() || change.scenario == sheet.scenarios.front().id;
    if (change.of == "row" && change.level == "breaking" && shown && !told.contains(change.key)) {
      rows.push_back(&change);
    }
  }
  return rows;
}

/// Prices before all else, then by the rows that name them.
std::vector<const MovedInput*> moved_inputs(const SheetChanges& changes) {
  std::vector<const MovedInput*> inputs;
  for (const MovedInput& input : changes.moved) {
    if (input.rows > 0 || input.picks > 0) inputs.push_back(&input);
  }
  std::ranges::stable_sort(inputs, {}, [](const MovedInput* input) {
    return std::pair(input->group != "prices", -input->rows);
  });
  return inputs;
}

Finding nothing_moved(const SheetChanges& changes) {
  const ChangeThresholds& least = changes.thresholds;
  return {"none", "", "No pick moved",
          "listed from " + format_number(100 * least.usd_share, 0) + "\u00a0% of $ a run, " +
              format_number(100 * least.hours_share, 0) + "\u00a0% of hours, " +
              format_number(least.memory_gib, 1) + " GiB per GPU",
          ""};
}

/// What one run of every pick costs now, and the pick that moved most.
Finding total_of(const SheetChanges& changes, const Sheet& sheet) {
  const ChangeTotals& totals = changes.pick_totals;
  const auto whole = [](MicroUsd usd) { return "$" + whole_usd(usd); };
  Finding finding{moved_by(to_usd(totals.old_usd), to_usd(totals.new_usd)), "",
                  "One run of the sheet’s " + format_integer(totals.comparable) + ": " +
                      whole(totals.new_usd) + ", was " + whole(totals.old_usd),
                  "", ""};
  const Change* most = nullptr;
  for (const Change& change : changes.changes) {
    if (change.of != "pick" || dollars_moved(change) <= 0) continue;
    if (most == nullptr || dollars_moved(change) > dollars_moved(*most)) most = &change;
  }
  finding.detail = most == nullptr ? "no pick by a cent"
                                   : "most " + subject_of(*most, sheet) + ", " +
                                         delta_usd(most->effects_usd->total, 0) + " $ a run";
  return finding;
}

/// The first `count` of each list go before the rest of any.
template <typename T, typename Words>
void split_at(const std::vector<const T*>& all, std::size_t count, Words words,
              std::vector<Finding>& first, std::vector<Finding>& rest) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    (i < count ? first : rest).push_back(words(*all[i]));
  }
}

}  // namespace

void draw_panel_title(Sketch& sketch, const PanelFrame& frame,
                      const std::vector<std::string>& titles, bool bar, const std::string& aside) {
  sketch.rule(frame.x, frame.top, 0.6, kInk);
  if (bar) sketch.fill({frame.x.x0, frame.top + 3.4, 2.2, 9.4}, kBlue);
  const double x = frame.x.x0 + (bar ? 6 : 0);
  const double taken =
      aside.empty() ? 0
                    : 6 + sketch.text({frame.x.x1, frame.title()}, Align::kRight, kFineGrey, aside);
  sketch.text_in(frame.x.x1 - x - taken, {x, frame.title()}, Align::kLeft, bold(9), "panel title",
                 titles);
}

void draw_findings_panel(Sketch& sketch, const PanelFrame& frame,
                         const std::vector<Finding>& findings) {
  double baseline = frame.top + kFirst;
  for (const Finding& finding : findings) {
    if (baseline + kDetailDrop > frame.bottom) return;  // the least telling ones come last
    if (baseline > frame.top + kFirst) {
      sketch.rule(frame.x, baseline - 7.6, 0.5, kHairline);
    }
    draw_finding(sketch, frame, finding, baseline);
    baseline += kPitch;
  }
}

FindingsPage findings_of(const Sheet& sheet, const SheetModel& model) {
  FindingsPage page{{"What may move these picks"}, "", {}};
  for (const SheetRisk& risk : sheet.risks) {
    page.findings.push_back({format_integer(risk.count) + " of " + format_integer(risk.of), "",
                             risk.title, risk.detail, ""});
  }
  std::vector<Finding> faster;
  add_fastest(sheet, model, faster);
  const std::size_t place = std::min(kFirstRisks, page.findings.size());
  page.findings.insert(page.findings.begin() + static_cast<std::ptrdiff_t>(place), faster.begin(),
                       faster.end());
  return page;
}

FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet) {
  const EditionLabel& old = changes.old_edition;
  const bool same = old.edition == changes.new_edition.edition;
  FindingsPage page;
  page.titles = {"What changed since " + (same ? old.as_of : old.edition), "What changed"};
  page.aside = format_integer(changes.picks.breaking + changes.picks.notable) + " of " +
               format_integer(changes.picks.compared) + " picks moved";
  if (!changes.causes_unknown.empty()) page.aside += ", causes unknown";
  const std::vector<const Change*> picks = moved_picks(changes);
  const auto change = [&](const Change& c) { return change_finding(c, sheet); };
  std::vector<Finding> rest;
  split_at(picks, kFirstPicks, change, page.findings, rest);
  split_at(broken_rows(changes, sheet, picks), kFirstRows, change, page.findings, rest);
  split_at(moved_inputs(changes), kFirstInputs, input_finding, page.findings, rest);
  page.findings.insert(page.findings.end(), rest.begin(), rest.end());
  if (page.findings.empty()) {
    page.findings.push_back(nothing_moved(changes));
  } else if (changes.pick_totals.comparable > 0) {
    page.findings.insert(page.findings.begin(), total_of(changes, sheet));
  }
  return page;
}

}  // namespace sizesheet::pdf
