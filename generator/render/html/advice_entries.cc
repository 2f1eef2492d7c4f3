// SPDX-License-Identifier: Apache-2.0
// Entries of the advice: words, source, and what the engine answered to their requests.
#include "render/html/advice_page.h"
#include "render/html/cells.h"
#include "render/html/frameworks_page.h"
#include "render/html/proof.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "8 × H100" of a request's answer; "8 GPUs" where it names none.
std::string run_set_up(const Sheet& sheet, const SheetAdviceRun& run) {
  const std::string gpu = run.request.value("gpu", "");
  for (const SheetGpu& known : sheet.gpus) {
    if (known.id == gpu) return set_up(sheet, gpu, run.layout.gpus);
  }
  return gpu.empty() ? gpu_count(run.layout.gpus)
                     : format_integer(run.layout.gpus) + "\u00a0×\u00a0" + gpu;
}

Json run_values(const Sheet& sheet, const SheetAdviceRun& run) {
  Json values = {{"run_title", run.title},
                 {"run_command", "echo '" + run.request.dump() + "' | sizesheet estimate"},
                 {"run_refused", !run.refusal.empty()},
                 {"run_refusal", run.refusal},
                 {"run_says", run.refusal.empty() ? run.note : run.refusal}};
  if (!run.refusal.empty()) return values;
  values["run_trained"] = millions(run.trainable);
  values["run_set_up"] = run_set_up(sheet, run);
  values["run_gib"] = format_gib(run.device, 1);
  values["run_has_verdict"] = !run.verdict.empty();
  if (!run.verdict.empty()) put_verdict(values, "run", run.verdict, run.device, run.capacity);
  return values;
}

/// "+31 %", "±0 %", or – where either speed is not known.
std::string time_words(const SheetAdviceRun& without, const SheetAdviceRun& with) {
  if (!without.tokens_per_second_per_gpu || !with.tokens_per_second_per_gpu) {
    return std::string(kAbsent);
  }
  const double change =
      100 * (*without.tokens_per_second_per_gpu / *with.tokens_per_second_per_gpu - 1);
  const std::string text = format_number(change, 0);
  if (text == "0" || text == "-0" || text == "\u22120") return "0\u00a0%";
  return (change > 0 ? "+" : "") + text + "\u00a0%";
}

/// What a technique saves: the first run is without it, the second with.
void put_saving(Json& values, const SheetAdviceEntry& entry) {
  values["has_saving"] = entry.runs.size() == 2;
  if (entry.runs.size() != 2) return;
  const SheetAdviceRun& without = entry.runs[0];
  const SheetAdviceRun& with = entry.runs[1];
  values["saving_job"] = without.title;
  values["saving_without"] = format_gib(without.device, 1);
  values["saving_with"] = format_gib(with.device, 1);
  values["saving_gib"] = format_gib(without.device - with.device, 1);
  values["saving_time"] = time_words(without, with);
  const auto put_mark = [&](const std::string& name, const std::string& verdict) {
    values[name + "_class"] = verdict;
    values[name + "_mark"] = verdict_mark(verdict) + " " + verdict;
  };
  put_mark("without", without.verdict);
  put_mark("with", with.verdict);
}

}  // namespace

Json advice_entries(const Sheet& sheet, const SheetAdviceTopic& topic) {
  Json rows = Json::array();
  for (const SheetAdviceEntry& entry : topic.entries) {
    Json values = {{"entry_id", topic.id + "-" + entry.id},
                   {"entry_title", entry.title},
                   {"entry_words", entry.words},
                   {"entry_basis", entry.basis},
                   {"entry_acts_on", entry.acts_on},
                   {"entry_cause", entry.cause},
                   {"entry_remedy", entry.remedy},
                   {"entry_setting", entry.setting},
                   {"entry_has_setting", !entry.setting.empty()},
                   {"entry_date", entry.date},
                   {"entry_has_runs", !entry.runs.empty()},
                   {"entry_runs", Json::array()}};
    put_source(values, "source", entry.source);
    for (const SheetAdviceRun& run : entry.runs) {
      values["entry_runs"].push_back(run_values(sheet, run));
    }
    put_saving(values, entry);
    rows.push_back(values);
  }
  return rows;
}

}  // namespace sizesheet
