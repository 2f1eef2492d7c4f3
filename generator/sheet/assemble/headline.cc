// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/headline.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sheet/assemble/ownership.h"
#include "sheet/decided_jobs.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

template <typename Keep>
std::vector<DecidedJob> those(std::vector<DecidedJob> jobs, Keep keep) {
  std::erase_if(jobs, [&](const DecidedJob& job) { return !keep(job); });
  return jobs;
}

/// "1 to 2 GPUs", "8 GPUs", with the words of both ends.
std::string span_words(const std::string& low, const std::string& high) {
  return low == high ? low : low + " to " + high;
}

/// "mostly H100 and MI300X": the two types picked most, or the only one.
std::string types_words(const Sheet& sheet, const std::vector<DecidedJob>& jobs) {
  std::map<std::string, int> picks;
  for (const DecidedJob& job : jobs) ++picks[job.run->gpu];
  std::vector<std::pair<std::string, int>> types(picks.begin(), picks.end());
  std::ranges::stable_sort(types, std::ranges::greater{}, &std::pair<std::string, int>::second);
  std::vector<std::string> names;
  for (const auto& [gpu, count] : types) {
    if (names.size() < 2) names.push_back(sheet.gpu(gpu).short_name);
  }
  return (types.size() > names.size() ? "mostly " : "") + joined_words(names);
}

/// The adapters of every model up to the highlighted one; "" without any.
std::string adapters_words(const Sheet& sheet, const std::vector<DecidedJob>& all,
                           const SheetModel& highlighted) {
  const std::vector<DecidedJob> jobs = those(all, [&](const DecidedJob& job) {
    return job.method->adapters && job.run != nullptr &&
           job.model->parameters <= highlighted.parameters;
  });
  if (jobs.empty()) return "";
  std::vector<std::string> methods;
  for (const SheetMethod& method : sheet.methods) {
    if (method.adapters) methods.push_back(method.short_title);
  }
  const auto [fewest, most] =
      std::ranges::minmax(jobs, {}, [](const DecidedJob& job) { return job.run->gpus; });
  const auto [shortest, longest] =
      std::ranges::minmax(jobs, {}, [](const DecidedJob& job) { return job.run->hours.mid; });
  const auto [least, dearest] =
      std::ranges::minmax(jobs, {}, [](const DecidedJob& job) { return job.run->usd.mid; });
  return joined_words(methods) + " up to " + highlighted.size + ": rent " +
         span_words(std::to_string(fewest.run->gpus), std::to_string(most.run->gpus)) +
         (most.run->gpus == 1 ? " GPU" : " GPUs") + " (" + types_words(sheet, jobs) +
         "); a run takes " +
         span_words(hours_words(shortest.run->hours.mid), hours_words(longest.run->hours.mid)) +
         " and costs " +
         span_words("$" + format_usd_roughly(least.run->usd.mid),
                    "$" + format_usd_roughly(dearest.run->usd.mid)) +
         ".";
}

/// The full run of the highlighted model; "" where the sheet has none.
std::string full_words(const Sheet& sheet, const std::vector<DecidedJob>& all,
                       const SheetModel& highlighted) {
  const std::vector<DecidedJob> jobs = those(all, [&](const DecidedJob& job) {
    return !job.method->adapters && job.model->id == highlighted.id && job.run != nullptr;
  });
  if (jobs.empty()) return "";
  const DecidedJob& job = jobs.front();
  const RunCandidate& run = *job.run;
  return job.method->title + " of " + highlighted.size + ": " + std::to_string(run.gpus) + " × " +
         sheet.gpu(run.gpu).short_name + " from " + seller_name(sheet, run.provider) + ", " +
         hours_words(run.hours.mid) + ", " + usd_words(run.usd.mid) + " per run (" + "$" +
         format_usd_roughly(run.usd.low) + " to $" + format_usd_roughly(run.usd.high) +
         " in nine of ten)" + (job.pick->exposed ? ", one seller" : "") +
         (run.certain.value_or(true) ? "." : "; not certain to fit.");
}

std::string job_words(const DecidedJob& job) {
  return job.model->size + " " + job.method->short_title;
}

/// "8 × B200 for $530,000": the GPUs bought.
std::string machine_words(const Sheet& sheet, const OwnPick& own) {
  return std::to_string(own.gpus + own.unused_gpus) + " × " + sheet.gpu(own.gpu).short_name +
         (own.used ? ", used, for " : " for ") + usd_words(own.capex_usd);
}

/// Of the job that needs the fewest hours, of the full run of the highlighted model, and of the job
/// that needs the most.
std::string own_words(const Sheet& sheet, const std::vector<DecidedJob>& all,
                      const SheetModel& highlighted) {
  const std::vector<DecidedJob> sold = those(
      all, [](const DecidedJob& job) { return job.pick->own && job.pick->own->rent_usd_per_run; });
  const std::vector<DecidedJob> jobs = those(sold, [](const DecidedJob& job) {
    return job.pick->own->break_even_hours_per_month.has_value();
  });
  if (sold.empty()) return "";
  if (jobs.empty()) return "Owning is cheaper for none of the jobs within the hours of a month.";
  const auto hours = [](const DecidedJob& job) {
    return *job.pick->own->break_even_hours_per_month;
  };
  const auto words_of = [&](const DecidedJob& job) { return format_number(hours(job), 0) + " h"; };
  const auto [least, most] = std::ranges::minmax(jobs, {}, hours);
  const std::string where = sheet.options.handout_models.empty() ? "" : "Of the jobs in the PDF, ";
  std::string words = where + (where.empty() ? "O" : "o") + "wning is cheaper for " +
                      job_words(least) + " from " + words_of(least) + " of use per month (" +
                      machine_words(sheet, *least.pick->own) + ")";
  for (const DecidedJob& job : jobs) {
    if (job.model->id != highlighted.id || job.method->adapters || job.pick == least.pick) continue;
    words += ", for " + job_words(job) + " from " + words_of(job) + " (" +
             machine_words(sheet, *job.pick->own) + ")";
    break;
  }
  if (most.pick != least.pick) {
    words += ", and for " + job_words(most) + " from " + words_of(most);
  }
  const std::size_t never = sold.size() - jobs.size();
  return words + (never > 0 ? "; for " + std::to_string(never) + " of the jobs never." : ".");
}

const SheetModel& highlighted_of(const Sheet& sheet, const std::vector<DecidedJob>& jobs) {
  const auto* model = entry_with(sheet.models, &SheetModel::id, sheet.options.highlight_model);
  return model != nullptr ? *model : *jobs.back().model;
}

}  // namespace

std::string own_sentence(const Sheet& sheet) {
  const std::vector<DecidedJob> jobs = decided_jobs(sheet);
  return jobs.empty() ? "" : own_words(sheet, jobs, highlighted_of(sheet, jobs));
}

void add_headline(Sheet& sheet) {
  const std::vector<DecidedJob> jobs = decided_jobs(sheet);
  if (jobs.empty()) return;
  const SheetModel& highlighted = highlighted_of(sheet, jobs);
  for (std::string sentence : {adapters_words(sheet, jobs, highlighted),
                               full_words(sheet, jobs, highlighted), own_sentence(sheet)}) {
    if (!sentence.empty()) sheet.headline.push_back(std::move(sentence));
  }
}

}  // namespace sizesheet
