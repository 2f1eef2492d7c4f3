// SPDX-License-Identifier: Apache-2.0
// The third panel: the same sizes on other cards, or what changed since an earlier edition.

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "render/diff/words.h"
#include "render/pdf/notes.h"
#include "render/pdf/panels/panels.h"
#include "render/pdf/table/table.h"
#include "render/phrases.h"
#include "support/text.h"

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
  const double both =
      sketch.width(finding.before, kStrong) + sketch.width(finding.after, kStrong) + kArrow + 5;
  if (finding.after.empty() || both > kSubject - 2) {  // the detail says what it was before
    sketch.text_in(kSubject - 4, at, Align::kLeft, kStrong, "figure",
                   {finding.after.empty() ? finding.before : finding.after});
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
  const double word =
      sketch.text_in(60, {frame.x.x1, baseline}, Align::kRight, kAside, "word", {finding.word});
  sketch.text_in(frame.x.x1 - x - word - 4, {x, baseline}, Align::kLeft, kStrong, "subject",
                 {finding.subject});
  std::vector<std::string> details = {finding.detail};
  if (!finding.brief.empty()) details.push_back(finding.brief);
  sketch.text_in(frame.x.x1 - x, {x, baseline + kDetailDrop}, Align::kLeft, kDetail, "detail",
                 details);
}

constexpr const char* kGuideModel = "size-7b";

/// A model and method shown under another stack, too.
struct Subject {
  std::string model;
  std::string method;
};

/// The shown size by every method, and the size that published guides use by the first; then the
/// other sizes by the first, largest first: they fill what room is left.
std::array<std::vector<Subject>, 2> subjects_of(const Sheet& sheet, const SheetModel& shown) {
  std::array<std::vector<Subject>, 2> subjects;
  auto& [first, more] = subjects;
  for (const SheetMethod& method : sheet.methods) first.push_back({shown.id, method.id});
  std::vector<const SheetModel*> models = handout_models(sheet);
  std::reverse(models.begin(), models.end());
  for (const SheetModel* model : models) {
    if (model->id == shown.id) continue;
    const Subject other{model->id, sheet.methods.front().id};
    if (other.model == kGuideModel) {
      first.insert(first.begin() + 1, other);
    } else {
      more.push_back(other);
    }
  }
  return subjects;
}

std::string count_of(const Row& row) { return count_cell(&row, nullptr).text; }

/// One model and method on one GPU type under both stacks.
struct Comparison {
  const Row* here = nullptr;
  const Row* there = nullptr;

  bool both() const { return here && there; }
  bool differs() const {
    return both() && here->modelled && there->modelled && count_of(*here) != count_of(*there);
  }
};

Comparison compare_on(const Sheet& sheet, const Subject& subject, const std::string& gpu,
                      const std::string& scenario) {
  return {sheet.find(subject.model, subject.method, gpu, sheet.scenarios.front().id),
          sheet.find(subject.model, subject.method, gpu, scenario)};
}

/// Where the stacks differ most plainly: the picked GPU type if they do there, else the type with
/// the fewest GPUs and the least memory where they do, else any.
Comparison plainest(const Sheet& sheet, const Subject& subject, const std::string& scenario) {
  Comparison best;
  if (const Row* pick = shown_row(sheet, subject.model, subject.method)) {
    best = compare_on(sheet, subject, pick->gpu, scenario);
  }
  if (best.differs()) return best;
  for (const SheetGpu& gpu : sheet.gpus) {
    const Comparison other = compare_on(sheet, subject, gpu.id, scenario);
    if (!best.both()) best = other;
    if (!other.differs()) continue;
    const auto size = [](const Row& row) {
      return std::pair{row.layout.gpus, row.memory.capacity};
    };
    if (!best.differs() || size(*other.here) < size(*best.here)) best = other;
  }
  return best;
}

std::string peak_words(const Row& here, const Row& there) {
  if (!there.modelled) return "the other stack does not take this method; the site says why";
  const std::string peak = format_gib(there.memory.device, 1);
  if (here.modelled && here.fewer && here.fewer->gpus == there.layout.gpus) {
    return "on " + format_integer(there.layout.gpus) + ": " + peak + " GiB per GPU, here " +
           format_gib(here.fewer->device, 1) + " of " + format_gib(here.memory.capacity, 1);
  }
  std::string words = "peak " + peak + " GiB per GPU";
  if (here.modelled) words += ", here " + format_gib(here.memory.device, 1);
  return words;
}

void add_scenario(const Sheet& sheet, const std::vector<Subject>& subjects,
                  const Scenario& scenario, std::vector<Finding>& findings) {
  for (const Subject& subject : subjects) {
    const auto [here, there] = plainest(sheet, subject, scenario.id);
    if (!here || !there) continue;
    Finding finding{count_of(*here), count_of(*there), "", peak_words(*here, *there),
                    facts_of(there->standing()).words};
    finding.subject = sheet.model(subject.model).size + " " +
                      sheet.method(subject.method).short_title + " on " +
                      sheet.gpu(there->gpu).short_name;
    if (sheet.scenarios.size() > 2) finding.subject += ", " + scenario.title;
    findings.push_back(std::move(finding));
  }
}

/// The size's adapters on the same GPUs, under the stack that is fastest there.
void add_fastest(const Sheet& sheet, const SheetModel& shown, std::vector<Finding>& findings) {
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, shown.id, method.id);
    if (row == nullptr || !row->fastest_stack) continue;
    const StackRun& there = *row->fastest_stack;
    const std::string usd = "$" + run_usd(there.usd.mid) + " a run, here $" +
                            run_usd(row->usd_per_run().value_or(MicroUsd{}));
    findings.push_back({run_hours(*row->hours_mid) + "\u00a0h",
                        run_hours(there.hours.mid) + "\u00a0h",
                        shown.size + " " + method.short_title + " under " + there.title,
                        usd + (there.needs.empty() ? "" : "; needs " + there.needs),
                        "×\u00a0" + format_number(1 / there.hours_share, 2), usd});
  }
}

FindingsPage under_other_stacks(const Sheet& sheet, const SheetModel& shown) {
  FindingsPage page;
  add_fastest(sheet, shown, page.findings);
  const bool faster = !page.findings.empty();
  for (const auto& subjects : subjects_of(sheet, shown)) {
    for (std::size_t i = 1; i < sheet.scenarios.size(); ++i) {
      add_scenario(sheet, subjects, sheet.scenarios[i], page.findings);
    }
  }
  page.aside = faster ? "here, there" : "GPUs: here, there";
  if (sheet.scenarios.size() == 2 && !faster) {
    const Scenario& other = sheet.scenarios.back();
    page.titles = {"Same sizes under " + other.stack_title, "Same sizes under " + other.title};
  }
  page.titles.push_back("Same sizes under another stack");
  return page;
}

Finding why_not_fewer(const Sheet& sheet, const Row& row) {
  Finding finding;
  const std::string& method = sheet.method(row.method).short_title;
  if (!row.fewer) {
    finding.before = gpu_count(row.layout.gpus);
    finding.subject = method + " on " + set_up(sheet, row);
    finding.detail = "the smallest count on offer already fits";
    finding.word = "fits";
    return finding;
  }
  const CountCheck& fewer = *row.fewer;
  const bool holds = fewer.verdict != Verdict::kNo;
  finding.before = gpu_count(fewer.gpus);
  finding.subject =
      method + ": " + set_up(sheet, row.gpu, fewer.gpus) +
      (holds ? ", holds but tight" : ", over by " + format_gib(fewer.over, 1) + " GiB");
  finding.brief = "needs " + format_gib(fewer.device, 1) + " GiB, has " +
                  format_gib(row.memory.capacity, 1) + "; most: " + term_words(fewer.largest_term);
  finding.detail = finding.brief + ", in " + phase_words(fewer.peak_phase);
  finding.word = holds ? "tight" : "no";
  return finding;
}

FindingsPage fewer_gpus(const Sheet& sheet, const SheetModel& shown) {
  FindingsPage page{{shown.size + ": why not fewer GPUs?"}, "", {}};
  for (const SheetMethod& method : sheet.methods) {
    if (const Row* row = shown_row(sheet, shown.id, method.id)) {
      page.findings.push_back(why_not_fewer(sheet, *row));
    }
  }
  return page;
}

/// The first places: where all three kinds of news exist, each has a line among the first five.
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
  std::stable_sort(picks.begin(), picks.end(), [](const Change* a, const Change* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return dollars_moved(*a) > dollars_moved(*b);
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
    if (input.rows > 0) inputs.push_back(&input);
  }
  std::stable_sort(inputs.begin(), inputs.end(), [](const MovedInput* a, const MovedInput* b) {
    const bool price_a = a->group == "prices";
    const bool price_b = b->group == "prices";
    return price_a != price_b ? price_a : a->rows > b->rows;
  });
  return inputs;
}

Finding nothing_moved(const SheetChanges& changes) {
  const ChangeThresholds& least = changes.thresholds;
  Finding finding{"none", "", "No pick moved", "", ""};
  finding.detail = "listed from " + format_number(100 * least.usd_share, 0) +
                   "\u00a0% of $ a run, " + format_number(100 * least.hours_share, 0) +
                   "\u00a0% of hours, " + format_number(least.memory_gib, 1) + " GiB per GPU";
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
  sketch.rule(frame.x.x0, frame.x.x1, frame.top, 0.6, kInk);
  if (bar) sketch.fill({frame.x.x0, frame.top + 3.4, 2.2, 9.4}, kBlue);
  const double x = frame.x.x0 + (bar ? 6 : 0);
  const double taken =
      aside.empty() ? 0
                    : 6 + sketch.text({frame.x.x1, frame.title()}, Align::kRight, kAside, aside);
  sketch.text_in(frame.x.x1 - x - taken, {x, frame.title()}, Align::kLeft, bold(9), "panel title",
                 titles);
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

FindingsPage findings_of(const Sheet& sheet, const SheetModel& model) {
  FindingsPage page = under_other_stacks(sheet, model);
  return page.findings.empty() ? fewer_gpus(sheet, model) : page;
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
  if (page.findings.empty()) page.findings.push_back(nothing_moved(changes));
  return page;
}

}  // namespace sizesheet::pdf
