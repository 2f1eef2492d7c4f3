// SPDX-License-Identifier: Apache-2.0
#include "cli/ask_advice.h"

#include <algorithm>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "render/phrases.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/decision.h"
#include "sheet/money_words.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/job/job.h"
#include "sizing/memory/verdict.h"
#include "sizing/time/throughput.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr const char* kEngineStarts = "grpo.memory_fraction: ";

std::vector<const Row*> rows_of(const Sheet& sheet, const std::string& method) {
  return rows_by_price(sheet, sheet.models.front().id, method);
}

const Row* row_with(const Sheet& sheet, const std::string& method, Verdict verdict) {
  for (const Row* row : rows_of(sheet, method)) {
    if (row->modelled && row->verdict == verdict) return row;
  }
  return nullptr;
}

/// Of the rows with this verdict, the one that is least above its card, or most below it.
const Row* nearest_row(const Sheet& sheet, const std::string& method, Verdict verdict) {
  const auto share = [](const Row& row) {
    return static_cast<double>(row.memory.device) / static_cast<double>(row.memory.capacity);
  };
  const Row* nearest = nullptr;
  for (const Row* row : rows_of(sheet, method)) {
    if (!row->modelled || row->verdict != verdict) continue;
    if (nearest == nullptr || share(*row) < share(*nearest)) nearest = row;
  }
  return nearest;
}

std::string ends_words(const Hours& hours) {
  return run_hours(hours.mid) + " h (" + run_hours(hours.low) + "–" + run_hours(hours.high) + ")";
}

/// Of all that fit and have a price, the one that is sure to end first.
const RunCandidate* fastest_run(const Sheet& sheet, const std::string& method) {
  const RunCandidate* fastest = nullptr;
  for (const Row* row : rows_of(sheet, method)) {
    for (const RunCandidate& run : row->candidates) {
      if (fastest == nullptr || run.hours.high < fastest->hours.high) fastest = &run;
    }
  }
  return fastest;
}

std::string late_words(const Sheet& sheet, const RunCandidate& run, const std::string& deadline) {
  const double hours = *sheet.options.deadline_hours;
  return (run.hours.mid > hours ? "misses " : "may miss ") + deadline + " of " +
         limit_words(hours) + ": " + set_up(sheet, run.gpu, run.gpus) + " takes " +
         ends_words(run.hours);
}

std::string memory_words(const Sheet& sheet, const Row& row, const char* verb) {
  return set_up(sheet, row) + verb + format_gib(row.memory.device, 1) + " of " +
         format_gib(row.memory.capacity, 1) + " GiB";
}

/// The engine that generates is a part of what has to fit.
bool lacks_room_for_engine(const Row& row) { return row.refusal.starts_with(kEngineStarts); }

/// The key of a request that lets the engine start, as its refusal has it; "" where none does.
std::string engine_key(const std::string& refusal) {
  constexpr std::string_view kSplit = "generation_tp ";
  constexpr std::string_view kShare = "at least ";
  if (const std::size_t at = refusal.find(kSplit); at != refusal.npos) {
    return "\"generation_tp\":" + refusal.substr(at + kSplit.size());
  }
  const std::size_t at = refusal.find(kShare);
  return at == refusal.npos ? "" : "\"memory_fraction\":" + refusal.substr(at + kShare.size());
}

std::string refusal_words(const Row& row) {
  if (!lacks_room_for_engine(row)) return "not modelled: " + row.refusal;
  const std::string key = engine_key(row.refusal);
  return "does not fit: " + row.refusal +
         (key.empty() ? ""
                      : "; explain takes it: sizesheet explain " + row.model + ' ' + row.method +
                            " 8x" + row.gpu + " --request '{\"grpo\":{" + key + "}}'");
}

// ---- Changes.

/// What a method is for: "DPO" of "DPO, LoRA r16"; "" for fine-tuning.
std::string objective_of(const Method& method) {
  if (method.fine_tunes()) return "";
  const std::size_t comma = method.title.find(',');
  if (comma != std::string::npos) return method.title.substr(0, comma);
  // "full of grpo.yaml": the method of a file has no title of its own.
  const std::string kind = method.grpo.is_null() ? method.objective.value("kind", "") : "grpo";
  return kind == "grpo" ? "GRPO" : kind == "dpo" ? "DPO" : kind == "kto" ? "KTO" : kind;
}

/// Names of a change and of what it keeps: "LoRA (still DPO)".
std::string still(const std::string& change, const Method& method) {
  return change + " (still " + objective_of(method) + ")";
}

Method changed(const Method& method, const std::string& words) {
  Method other = method;
  other.id = method.id + " " + words;
  other.title = other.short_title = still(words, method);
  return other;
}

/// The same objective by fewer bytes: adapters in the place of all weights, a base of 4 bits, a
/// reference that is worked out before.
std::vector<Method> lighter(const Method& method) {
  std::vector<Method> found;
  const std::string kind = method.request.at("kind");
  const auto by = [&](const char* other, const char* words) {
    Method one = changed(method, words);
    one.request["kind"] = other;
    for (const auto& [key, value] : {std::pair("rank", Json(16)), {"targets", "all-linear"}}) {
      if (!one.request.contains(key)) one.request[key] = value;
    }
    // A copy of all weights is what a full run is held to; adapters can be switched off.
    if (kind == "full" && one.objective.is_object()) one.objective.erase("reference");
    if (kind == "full" && one.grpo.is_object()) one.grpo.erase("reference");
    found.push_back(std::move(one));
  };
  if (kind == "full") by("lora", "LoRA");
  if (kind != "qlora") by("qlora", "QLoRA");
  if (!method.objective.is_object()) return found;
  const auto training = value_of(kTrainings, method.objective.value("kind", ""));
  if (training && facts_of(*training).has_reference && !method.objective.contains("reference")) {
    found.push_back(changed(method, "a precomputed reference"));
    found.back().objective["reference"] = "precomputed";
  }
  return found;
}

/// The methods that may be tried, the one asked for first: of the sheet for fine-tuning, else
/// made from it, which `catalog` then has.
std::vector<std::string> methods_tried(const AskedRun& asked, Catalog& catalog) {
  std::vector<std::string> methods = {asked.method};
  const Method method = catalog.method(asked.method);
  if (method.fine_tunes()) {
    for (const std::string& one : asked.rules.methods) {
      const bool same = catalog.method(one).fine_tunes();
      if (same && !contains(methods, one)) methods.push_back(one);
    }
    return methods;
  }
  for (Method& one : lighter(method)) {
    methods.push_back(one.id);
    catalog.methods[one.id] = std::move(one);
  }
  return methods;
}

void add_once(std::vector<std::string>& changes, const std::string& change) {
  if (!contains(changes, change)) changes.push_back(change);
}

/// The most tokens of a sequence, half of what is asked or less, that fit as it is asked.
std::optional<std::string> shorter_sequences(const AskedRun& asked, const Catalog& catalog) {
  constexpr std::int64_t kShortest = 512;
  SheetSpec spec = asked.spec;
  spec.methods = {asked.method};
  Json& request = spec.scenarios.front().request;
  if (!catalog.method(asked.method).grpo.is_null() || request.contains("grpo")) return {};
  std::int64_t length = request["workload"].value("seq_len", std::int64_t{0}) / 2;
  for (; length >= kShortest; length /= 2) {
    request["workload"]["seq_len"] = length;
    const Sheet sheet = asked_sheet(catalog, spec, asked.jobs);
    const Row* row = row_with(sheet, asked.method, Verdict::kFits);
    if (row == nullptr) continue;
    return "with sequences of " + format_integer(length) + " tokens on " +
           set_up(sheet, row->gpu, *row->rentable) + doubt_behind(*row, *row->rentable);
  }
  return {};
}

/// The question with all cards of the sheet and as many of them as it takes.
SheetSpec widened(const AskedRun& asked, std::vector<std::string> methods) {
  SheetSpec spec = asked.spec;
  spec.max_gpus = std::max(spec.max_gpus, asked.rules.max_gpus);
  spec.methods = std::move(methods);
  spec.scenarios.front().methods.clear();
  for (const std::string& gpu : asked.rules.gpus) {
    if (!contains(spec.gpus, gpu)) spec.gpus.push_back(gpu);
  }
  return spec;
}

/// The row with the fewest GPUs that `count` says are enough.
template <typename Count>
const Row* fewest_row(const Sheet& sheet, const std::string& method, const Count& count) {
  const Row* best = nullptr;
  for (const Row& row : sheet.rows) {
    if (row.method != method || !count(row)) continue;
    if (best == nullptr || *count(row) < *count(*best)) best = &row;
  }
  return best;
}

/// A run that may be rented, and what is changed for it.
struct Priced {
  const Row* row = nullptr;
  const RunCandidate* run = nullptr;
};

/// The run of a method whose upper end of dollars is lowest, of those that meet the deadline;
/// without one where there is none.
Priced cheapest_run(const Sheet& sheet, const std::string& method,
                    const std::vector<std::string>& gpus) {
  const auto& deadline = sheet.options.deadline_hours;
  Priced best;
  for (const Row& row : sheet.rows) {
    if (row.method != method || (!gpus.empty() && !contains(gpus, row.gpu))) continue;
    for (const RunCandidate& run : row.candidates) {
      if (deadline && run.hours.high > *deadline) continue;
      if (best.run == nullptr || run.usd.high < best.run->usd.high) best = {&row, &run};
    }
  }
  return best;
}

std::string priced_words(const Sheet& sheet, const Priced& priced) {
  return set_up(sheet, priced.run->gpu, priced.run->gpus) + " (at most $" +
         format_usd_roughly(priced.run->usd.high) +
         (priced.run->certain.value_or(true) ? ")" : ", not certain to fit)");
}

/// The upper end of the hours of a row on so many GPUs, told behind them.
std::string in_time_words(const Catalog& catalog, const SheetSpec& spec, const Sheet& sheet,
                          const Row& row) {
  const std::int64_t gpus = *row.deadline_gpus;
  const std::string words = "on " + set_up(sheet, row.gpu, gpus);
  const auto run = asked(catalog, spec, cell_of(spec, row), gpus);
  const auto hours = run ? hours_of(run->question, run->chosen.job) : std::nullopt;
  return hours ? words + " (at most " + run_hours(hours->high) + " h)" : words;
}

}  // namespace

Sheet asked_sheet(const Catalog& catalog, const SheetSpec& spec, int jobs) {
  return sized_sheet(
      catalog, spec, {tool_version(), ""}, jobs, [](Row&) {}, [](std::size_t, std::size_t) {});
}

std::string doubt_behind(const Row& row, std::int64_t gpus) {
  return row.certain_on(gpus).value_or(true) ? "" : " (not certain)";
}

const Row* unpriced_row(const Sheet& sheet, const std::string& method) {
  if (fastest_run(sheet, method) != nullptr) return nullptr;
  return row_with(sheet, method, Verdict::kFits);
}

std::string hours_range(const Row& row) {
  if (!row.hours_mid) {
    return (row.no_speed.empty() ? "no speed known" : row.no_speed) + ", so no hours";
  }
  return ends_words({*row.hours_low, *row.hours_mid, *row.hours_high});
}

namespace {

/// "; 1.4 h (0.9–3.9), $38.0 if it fits" of a set-up that is tight.
std::string time_if_it_fits(const Row& row) {
  if (!row.hours_mid) return "";
  const std::optional<MicroUsd> usd = row.usd_per_run();
  return "; " + hours_range(row) + (usd ? ", $" + run_usd(*usd) : "") + " if it fits";
}

}  // namespace

std::string unrented_words(const Sheet& sheet, const std::string& method,
                           const std::string& deadline) {
  const auto rows = rows_of(sheet, method);
  if (rows.empty()) return "not asked";
  if (const Row* row = row_with(sheet, method, Verdict::kFits)) {
    const RunCandidate* run = fastest_run(sheet, method);
    if (run == nullptr) {
      const std::string words = standing_facts(row->verdict, row->certain()).words;
      return words + ": " + memory_words(sheet, *row, " uses ");
    }
    const auto& hours = sheet.options.deadline_hours;
    if (hours && run->hours.high > *hours) return late_words(sheet, *run, deadline);
    return sheet.pick(sheet.models.front().id, method)->rent_why;
  }
  if (const Row* row = nearest_row(sheet, method, Verdict::kTight)) {
    const std::string doubt = doubt_words(row->verdict, row->device_high, row->memory.capacity);
    return "fits, but tight: " + memory_words(sheet, *row, " uses ") + ", and " +
           format_number(100 * sheet.options.headroom, 0) + " % of headroom is asked for" +
           (doubt.empty() ? "" : "; " + doubt) + time_if_it_fits(*row);
  }
  if (const Row* row = nearest_row(sheet, method, Verdict::kNo)) {
    return "does not fit: " + memory_words(sheet, *row, " would need ");
  }
  return refusal_words(*rows.front());
}

std::string refused_words(const Sheet& sheet) {
  std::vector<std::string> reasons;
  for (const Row& row : sheet.rows) {
    if (row.modelled || lacks_room_for_engine(row)) return "";
    if (!contains(reasons, row.refusal)) reasons.push_back(row.refusal);
  }
  return join(reasons, "; ");
}

bool lacks_memory(const Sheet& sheet, const std::string& method) {
  return row_with(sheet, method, Verdict::kFits) == nullptr;
}

std::vector<std::string> changes_that_fit(const AskedRun& asked, const Catalog& catalog) {
  Catalog tried = catalog;
  const std::vector<std::string> methods = methods_tried(asked, tried);
  const SheetSpec spec = widened(asked, methods);
  const Sheet wide = asked_sheet(tried, spec, asked.jobs);
  const auto on_cards = [&](std::int64_t most) {
    return [&asked, most](const Row& row) {
      const bool same = contains(asked.spec.gpus, row.gpu);
      return same && row.rentable && *row.rentable <= most ? row.rentable : std::nullopt;
    };
  };
  const auto set_up_words = [&](const Row& row) {
    const std::int64_t gpus = *row.rentable;
    const bool late =
        spec.deadline_hours && row.hours_mid && row.deadline_gpus.value_or(gpus + 1) > gpus;
    return "on " + set_up(wide, row.gpu, gpus) + doubt_behind(row, gpus) +
           (late ? " (not sure to end within " + limit_words(*spec.deadline_hours) + ")" : "");
  };
  const std::int64_t have = asked.spec.max_gpus;
  std::vector<std::string> changes;
  for (const std::string& method : methods) {
    const bool other = method != asked.method;
    const Row* row = fewest_row(wide, method, on_cards(other ? have : spec.max_gpus));
    if (row == nullptr) continue;
    add_once(changes,
             (other ? "with " + wide.method(method).short_title + " " : "") + set_up_words(*row));
  }
  if (const auto shorter = shorter_sequences(asked, catalog)) add_once(changes, *shorter);
  if (!changes.empty()) return changes;
  const Row* elsewhere =
      fewest_row(wide, asked.method, [](const Row& row) { return row.rentable; });
  if (elsewhere != nullptr) changes = {set_up_words(*elsewhere)};
  return changes;
}

std::vector<std::string> changes_in_time(const AskedRun& asked, const Catalog& catalog) {
  const SheetSpec spec = widened(asked, {asked.method});
  const Sheet wide = asked_sheet(catalog, spec, asked.jobs);
  const auto count = [&](bool same) {
    return [&asked, same](const Row& row) {
      const bool is_same = contains(asked.spec.gpus, row.gpu);
      return is_same == same ? row.deadline_gpus : std::nullopt;
    };
  };
  std::vector<std::string> changes;
  for (const bool same : {true, false}) {
    const Row* row = fewest_row(wide, asked.method, count(same));
    if (row != nullptr) add_once(changes, in_time_words(catalog, spec, wide, *row));
  }
  return changes;
}

namespace {

/// " for 50 M tokens per run" where the sheet gives another method another number of them; "" where
/// the run is as long.
std::string shorter_run(const Sheet& sheet, const std::string& asked, const std::string& other) {
  const auto& tokens = sheet.method(other).tokens;
  if (tokens == sheet.method(asked).tokens) return "";
  return " for " + format_parameters(tokens) + " tokens per run";
}

}  // namespace

BudgetChanges changes_in_budget(const AskedRun& asked, double budget_usd, const Catalog& catalog) {
  Catalog tried = catalog;
  const std::vector<std::string> methods = methods_tried(asked, tried);
  const Sheet wide = asked_sheet(tried, widened(asked, methods), asked.jobs);
  BudgetChanges changes;
  for (const std::string& method : methods) {
    const bool other = method != asked.method;
    const Priced priced =
        cheapest_run(wide, method, other ? asked.spec.gpus : std::vector<std::string>{});
    if (priced.run == nullptr) continue;
    const std::string words = priced_words(wide, priced);
    if (to_usd(priced.run->usd.high) <= budget_usd) {
      const std::string with = other ? "with " + wide.method(method).short_title + " " : "";
      changes.within.push_back(with + "on " + words + shorter_run(wide, asked.method, method));
    } else if (!other) {
      changes.least = words;
    }
  }
  return changes;
}

}  // namespace sizesheet
