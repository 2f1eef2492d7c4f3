// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_findings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "render/changes_words.h"
#include "render/decision_words.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/change_words.h"
#include "render/pdf/panels/panels.h"
#include "render/phrases.h"
#include "sheet/changes.h"
#include "sheet/decided_jobs.h"
#include "sheet/decision.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::pdf {
namespace {

constexpr Style kStrong = condensed_bold(kSmallestText);
constexpr double kSubject = 46;  // left edge of the words
constexpr double kFirst = 22.4;  // frame's top to the first baseline
constexpr double kEntryGap = 2;
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

/// "70B full: 484 per run, was 527 (price)".
std::string finding_words(const Finding& finding) {
  std::string words = finding.subject;
  if (!finding.detail.empty()) words += (words.empty() ? "" : ", ") + finding.detail;
  if (!finding.word.empty()) words += " (" + finding.word + ")";
  return words;
}

std::string percent_of(double share) { return format_number(100 * share, 0) + "\u00a0%"; }

Finding risk_finding(const JobsAtRisk& risk) {
  const std::string count = format_integer(risk.count) + " of " + format_integer(risk.of);
  if (risk.id == "not-certain") {
    return {count, "", "may not fit in memory: run two training steps first", "", ""};
  }
  if (risk.id == "one-seller") {
    return {count, "", "have only one seller near this price: the second source costs much more",
            "", ""};
  }
  return {count, "",
          "have an estimated speed (~): up to " + percent_of(risk.longer) + " longer than printed",
          "", ""};
}

/// What the risks of a sheet say besides, in this page's words.
std::optional<Finding> other_finding(const SheetRisk& risk) {
  const std::string count = format_integer(risk.count) + " of " + format_integer(risk.of);
  if (risk.id == "far-below-next") {
    return Finding{count, "", "are far below the next offer: check the price first", "", ""};
  }
  if (risk.id == "prices-rise") {
    std::string middle = risk.detail.substr(0, risk.detail.find_first_of(",."));
    if (middle.starts_with("The")) middle[0] = 't';
    return Finding{count, "", "of the compared list prices rose within 90 days; " + middle, "", ""};
  }
  if (risk.id == "tie") {
    return Finding{
        count, "",
        "have another GPU type with a score at most 5\u00a0% higher: take what is in stock", "",
        ""};
  }
  return std::nullopt;
}

/// The first places: the cause, the total, then picks and what broke.
constexpr std::size_t kFirstPicks = 3;
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

/// Prices of one card that moved alike, or one other input.
using MovedTogether = std::vector<const MovedInput*>;

/// In the order of `moved_inputs`.
std::vector<MovedTogether> moved_together(const SheetChanges& changes, const Sheet& sheet) {
  std::vector<MovedTogether> all;
  std::map<std::string, std::size_t> places;
  for (const MovedInput* input : moved_inputs(changes)) {
    const SheetGpu* gpu = gpu_of_price(*input, sheet);
    const std::string by = input_finding(*input, sheet).before;
    const std::string key = gpu == nullptr ? input->id : gpu->id + " " + by;
    const auto [place, is_new] = places.try_emplace(key, all.size());
    if (is_new) all.emplace_back();
    all[place->second].push_back(input);
  }
  return all;
}

Finding together_finding(const MovedTogether& inputs, const SheetChanges& changes,
                         const Sheet& sheet) {
  Finding finding = input_finding(*inputs.front(), sheet);
  if (inputs.size() == 1) return finding;
  const std::int64_t rows = std::ranges::count_if(changes.changes, [&](const Change& change) {
    return change.of == "row" && std::ranges::any_of(inputs, [&](const MovedInput* input) {
             return contains(change.because, input->id);
           });
  });
  finding.subject = gpu_of_price(*inputs.front(), sheet)->short_name + ", " +
                    counted(std::ssize(inputs), "price", "prices");
  finding.detail = "moves " + counted(rows, "row", "rows");
  return finding;
}

Finding nothing_moved(const SheetChanges& changes) {
  const ChangeThresholds& least = changes.thresholds;
  return {"none", "", "No pick moved",
          "listed from " + format_number(100 * least.usd_share, 0) + "\u00a0% of $ per run, " +
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
                                         delta_usd(most->effects_usd->total, 0) + " $ per run";
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

/// Jobs that a card or seller with little stock would do for less.
std::optional<Finding> scarce_finding(const Sheet& sheet) {
  const std::vector<DecidedJob> jobs = decided_jobs(sheet);
  const auto count = std::ranges::count_if(
      jobs, [](const DecidedJob& job) { return job.pick->if_available.has_value(); });
  if (count == 0) return std::nullopt;
  return Finding{format_integer(count) + " of " + format_integer(std::ssize(jobs)), "",
                 "jobs have a cheaper seller with little stock: see the page of the model", "", ""};
}

}  // namespace

void draw_findings_panel(Sketch& sketch, const PanelFrame& frame,
                         const std::vector<Finding>& findings) {
  const double x = frame.x.x0 + kSubject;
  double baseline = frame.top + kFirst;
  for (const Finding& finding : findings) {
    const std::vector<std::string> lines =
        sketch.wrapped(finding_words(finding), kSentence, frame.x.x1 - x);
    const double last =
        baseline + kPanelPitch * static_cast<double>(std::max<std::size_t>(1, lines.size()) - 1);
    if (last > frame.bottom + 1e-9) return;  // the least telling ones come last
    draw_change(sketch, {frame.x.x0, baseline}, finding);
    for (const std::string& line : lines) {
      sketch.text({x, baseline}, Align::kLeft, kSentence, line);
      baseline += kPanelPitch;
    }
    baseline += kEntryGap;
  }
}

FindingsPage findings_of(const Sheet& sheet) {
  FindingsPage page{{"Before you order"}, {}};
  for (const JobsAtRisk& risk : jobs_at_risk(sheet)) page.findings.push_back(risk_finding(risk));
  if (auto finding = scarce_finding(sheet)) page.findings.push_back(std::move(*finding));
  for (const SheetRisk& risk : sheet.risks) {
    if (auto finding = other_finding(risk)) page.findings.push_back(std::move(*finding));
  }
  if (page.findings.empty()) {
    page.findings.push_back({"none", "", "of the risks that this sheet looks for", "", ""});
  }
  return page;
}

FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet) {
  const EditionLabel& old = changes.old_edition;
  const bool same = old.edition == changes.new_edition.edition;
  const std::string count = format_integer(changes.picks.breaking + changes.picks.notable) +
                            " of " + format_integer(changes.picks.compared) + " picks moved";
  FindingsPage page;
  page.titles = {"Since " + (same ? old.as_of : old.edition) + ", " + count, count};
  const std::vector<const Change*> picks = moved_picks(changes);
  const auto change = [&](const Change& c) { return change_finding(c, sheet); };
  std::vector<Finding> rest;
  const std::vector<MovedTogether> moves = moved_together(changes, sheet);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    (i < kFirstInputs ? page.findings : rest).push_back(together_finding(moves[i], changes, sheet));
  }
  const bool caused = !page.findings.empty();
  if (!caused && !changes.causes_unknown.empty()) {
    page.findings.push_back({"cause", "", "unknown", changes.causes_unknown, ""});
  }
  if (changes.pick_totals.comparable > 0 && !(picks.empty() && !caused)) {
    page.findings.push_back(total_of(changes, sheet));
  }
  split_at(picks, kFirstPicks, change, page.findings, rest);
  split_at(broken_rows(changes, sheet, picks), kFirstRows, change, page.findings, rest);
  page.findings.insert(page.findings.end(), rest.begin(), rest.end());
  if (page.findings.empty()) page.findings.push_back(nothing_moved(changes));
  return page;
}

}  // namespace sizesheet::pdf
