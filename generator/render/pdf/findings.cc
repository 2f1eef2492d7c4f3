// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/findings.h"

#include <algorithm>
#include <utility>

#include "render/pdf/handout.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr const char* kGuideModel = "size-7b";

/// A model and method shown under another stack, too.
struct Subject {
  std::string model;
  std::string method;
};

/// The shown size by every method, and the size that published guides use by the first.
std::vector<Subject> first_subjects(const Sheet& sheet, const SheetModel& shown) {
  std::vector<Subject> subjects;
  for (const SheetMethod& method : sheet.methods) subjects.push_back({shown.id, method.id});
  for (const SheetModel* model : handout_models(sheet)) {
    if (model->id == kGuideModel && model->id != shown.id) {
      subjects.insert(subjects.begin() + 1, {model->id, sheet.methods.front().id});
    }
  }
  return subjects;
}

/// The other sizes by the first method, largest first: they fill what room is left.
std::vector<Subject> more_subjects(const Sheet& sheet, const SheetModel& shown) {
  std::vector<Subject> subjects;
  std::vector<const SheetModel*> models = handout_models(sheet);
  std::reverse(models.begin(), models.end());
  for (const SheetModel* model : models) {
    if (model->id == kGuideModel || model->id == shown.id) continue;
    subjects.push_back({model->id, sheet.methods.front().id});
  }
  return subjects;
}

std::string count_of(const Row& row) {
  if (!row.modelled) return "n/a";
  if (row.rentable) return format_integer(*row.rentable);
  return row.tight ? format_integer(*row.tight) : "no";
}

std::string verdict_of(const Row& row) {
  if (!row.modelled) return "not modelled";
  if (row.rentable) return "fits";
  return row.tight ? "tight" : "does not fit";
}

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
                    verdict_of(*there)};
    finding.subject = sheet.model(subject.model).size + " " +
                      sheet.method(subject.method).short_title + " on " +
                      sheet.gpu(there->gpu).short_name;
    if (sheet.scenarios.size() > 2) finding.subject += ", " + scenario.title;
    findings.push_back(std::move(finding));
  }
}

FindingsPage under_other_stacks(const Sheet& sheet, const SheetModel& shown) {
  FindingsPage page;
  for (const auto& subjects : {first_subjects(sheet, shown), more_subjects(sheet, shown)}) {
    for (std::size_t i = 1; i < sheet.scenarios.size(); ++i) {
      add_scenario(sheet, subjects, sheet.scenarios[i], page.findings);
    }
  }
  page.aside = "GPUs: here, there";
  if (sheet.scenarios.size() == 2) {
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
  const bool holds = fewer.verdict != "no";
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

}  // namespace

FindingsPage findings_of(const Sheet& sheet, const SheetModel& model) {
  FindingsPage page = under_other_stacks(sheet, model);
  return page.findings.empty() ? fewer_gpus(sheet, model) : page;
}

}  // namespace sizesheet::pdf
