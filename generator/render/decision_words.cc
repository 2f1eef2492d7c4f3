// SPDX-License-Identifier: Apache-2.0
#include "render/decision_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "render/phrases.h"
#include "render/plan_quarters.h"
#include "sheet/assemble/ownership.h"
#include "sheet/decided_jobs.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kRoundHours = 10;
constexpr std::array kShownHours = {100.0, 200.0, 300.0};

/// `value` in as many significant digits, with commas.
std::string significant(double value, int digits) {
  if (value <= 0) return "0";
  const int above = static_cast<int>(std::floor(std::log10(value))) + 1;
  const double step = std::pow(10.0, above - digits);
  const double rounded = std::round(value / step) * step;
  const int places = rounded >= std::pow(10.0, digits - 1) ? 0 : std::max(0, digits - above);
  return format_number(rounded, std::min(places, 4));
}

std::string few_digits(double value) { return significant(value, value >= 100 ? 3 : 2); }

/// "full fine-tuning" inside a sentence; "LoRA" as it is.
std::string inside(std::string title) {
  const auto letter = [&](std::size_t at) { return at < title.size() ? title[at] : ' '; };
  const bool word = letter(0) >= 'A' && letter(0) <= 'Z' && letter(1) >= 'a' && letter(1) <= 'z';
  if (word) title.front() = static_cast<char>(title.front() - 'A' + 'a');
  return title;
}

std::vector<DecidedJob> rented(const Sheet& sheet) {
  std::vector<DecidedJob> jobs = decided_jobs(sheet);
  std::erase_if(jobs, [](const DecidedJob& job) { return job.run == nullptr; });
  return jobs;
}

/// The machines of jobs that are compared with a rent.
std::vector<const OwnPick*> compared(const Sheet& sheet) {
  std::vector<const OwnPick*> machines;
  for (const DecidedJob& job : decided_jobs(sheet)) {
    if (job.pick->own && job.pick->own->rent_usd_per_run) machines.push_back(&*job.pick->own);
  }
  return machines;
}

const SheetModel* highlighted(const Sheet& sheet) {
  const SheetModel* last = nullptr;
  for (const SheetModel& model : sheet.models) {
    if (!sheet.on_handout(model.id)) continue;
    if (model.id == sheet.options.highlight_model) return &model;
    last = &model;
  }
  return last;
}

std::string span_words(const std::string& low, const std::string& high) {
  return low == high ? low : low + "–" + high;
}

/// "500 million", "1.5 billion", "800,000".
std::string count_words(std::int64_t count) {
  const auto as = [&](std::int64_t unit, const char* word) {
    const bool whole = count % unit == 0;
    return format_number(static_cast<double>(count) / static_cast<double>(unit), whole ? 0 : 1) +
           "\u00a0" + word;
  };
  if (count >= 1'000'000'000 && count % 100'000'000 == 0) return as(1'000'000'000, "billion");
  if (count >= 1'000'000 && count % 100'000 == 0) return as(1'000'000, "million");
  return format_integer(count);
}

/// What a plan of a stated demand buys; "" without such a plan.
std::optional<std::string> bought_words(const Sheet& sheet) {
  if (!sheet.plan || sheet.plan->demand.example || !sheet.plan->totals.why.empty()) return {};
  std::vector<std::string> names;
  for (const PlanPoolLine& pool : sheet.plan->pools) {
    if (pool.kind == "bought" && pool.units > 0) {
      names.push_back((pool.units > 1 ? format_integer(pool.units) + " × " : "") + pool.title);
    }
  }
  return joined_words(names);
}

DecisionTile adapters_tile(const Sheet& sheet, const SheetModel& largest) {
  std::vector<DecidedJob> jobs = rented(sheet);
  std::erase_if(jobs, [&](const DecidedJob& job) {
    return !job.method->adapters || job.model->parameters > largest.parameters;
  });
  if (jobs.empty()) return {};
  const auto [few, many] =
      std::ranges::minmax(jobs, {}, [](const DecidedJob& job) { return job.run->gpus; });
  const auto [brief, lengthy] =
      std::ranges::minmax(jobs, {}, [](const DecidedJob& job) { return job.run->hours.mid; });
  const auto [least, dear] =
      std::ranges::minmax(jobs, {}, [](const DecidedJob& job) { return job.run->usd.mid; });
  const auto upper = std::ranges::max(jobs, {}, [](const DecidedJob& job) {
                       return job.run->usd.high;
                     }).run->usd.high;
  const std::string counts =
      span_words(format_integer(few.run->gpus), format_integer(many.run->gpus));
  DecisionTile tile;
  tile.title = adapter_names(sheet) + ", " + jobs.front().model->size +
               (jobs.front().model == jobs.back().model ? "" : " to " + largest.size);
  tile.figure =
      "$" + span_words(few_digits_usd(least.run->usd.mid), few_digits_usd(dear.run->usd.mid));
  tile.aside = "per run";
  const std::string rent =
      "Rent " + counts + (many.run->gpus == 1 ? " GPU" : " GPUs") + " for " +
      span_words(few_digits_hours(brief.run->hours.mid), few_digits_hours(lengthy.run->hours.mid)) +
      "\u00a0hours.";
  const std::string most = "at most $" + format_usd_roughly(upper);
  tile.words = {rent + " The most expensive job costs " + most + " in nine of ten runs.",
                rent + " The most expensive job: " + most + ".", rent};
  return tile;
}

DecisionTile full_tile(const Sheet& sheet, const SheetModel& model) {
  for (const DecidedJob& job : rented(sheet)) {
    if (job.method->adapters || job.model->id != model.id) continue;
    const RunCandidate& run = *job.run;
    DecisionTile tile;
    tile.title = model.size + ", " + inside(job.method->title);
    tile.figure = "$" + few_digits_usd(run.usd.mid);
    tile.aside = "(" + format_usd_roughly(run.usd.low) + "–" + format_usd_roughly(run.usd.high) +
                 ") per run";
    const std::string rent = "Rent " + gpus_words(sheet, run.gpu, run.gpus) + " from " +
                             seller_name(sheet, run.provider) + ", " +
                             few_digits_hours(run.hours.mid) + "\u00a0hours.";
    if (const auto& second = job.pick->second_source) {
      const std::string usd = ", $" + few_digits_usd(second->usd) + ".";
      const std::string gpus = gpus_words(sheet, second->gpu, second->gpus);
      const std::string seller = seller_name(sheet, second->provider);
      tile.words = {rent + " If sold out: " + gpus + ", " + seller + usd,
                    rent + " Else " + seller + usd};
    }
    tile.words.push_back(rent);
    return tile;
  }
  return {};
}

/// "First-quarter charges: $14 k. "; "" of a plan of fewer months.
std::string first_quarter_words(const SheetPlan& plan) {
  constexpr std::size_t kMonths = 3;
  if (plan.months.size() <= kMonths) return "";
  return "First-quarter charges: $" + machine_usd(quarters_of(plan).front().usd) + ". ";
}

/// "Charges by quarter: $13 k, $14 k, $16 k, $17 k. "; of a longer plan the first one alone.
std::string quarter_words(const SheetPlan& plan) {
  constexpr std::size_t kMost = 4;
  const std::vector<PlanQuarter> quarters = quarters_of(plan);
  if (quarters.size() < 2 || quarters.size() > kMost) return first_quarter_words(plan);
  return "Charges by quarter: " +
         join(each_of(quarters, [](const PlanQuarter& one) { return "$" + machine_usd(one.usd); }),
              ", ") +
         ". ";
}

/// What the budget's figure contains, and what is paid beside it; longest first.
std::vector<std::string> budget_words(const Sheet& sheet, const std::string& quarter,
                                      const std::string& rented) {
  const SheetPlan& plan = *sheet.plan;
  const bool owns = plan.totals.capex_usd.value > 0;
  const std::string price = "$" + machine_usd(plan.totals.capex_usd);
  const std::string charged =
      owns ? "It includes the monthly charges of the ordered machines. They spread the price of "
             "the machines (" +
                 price + ") over years; you pay this price when you order. "
           : "";
  const std::string brief =
      "Monthly charges spread the price of a machine (" + price + " at the order) over years. ";
  std::vector<std::string> words;
  if (const auto bought = bought_words(sheet); bought && !bought->empty()) {
    words.push_back(charged + quarter + "Buys " + *bought + ", rents the rest. " + rented);
  }
  if (plan.demand.example) {
    words.push_back(charged + quarter + rented +
                    " To use your own demand, edit “plan” in the specification.");
  }
  words.push_back(charged + quarter + rented);
  if (owns) {
    const std::string said = brief + quarter;
    words.push_back(said.substr(0, said.size() - 1));  // without the last blank
    words.push_back(quarter + "They spread the price of machines (" + price + " at the order).");
    words.push_back(quarter + rented);
  }
  words.push_back(rented);
  return words;
}

DecisionTile weakest_tile(const Sheet& sheet) {
  const std::vector<JobsAtRisk> risks = jobs_at_risk(sheet);
  if (risks.empty()) return {};
  const JobsAtRisk& most = risks.front();
  DecisionTile tile;
  tile.title = "Largest uncertainty";
  tile.warns = true;
  tile.figure = format_integer(most.count) + " of " + format_integer(most.of);
  if (most.id == "not-certain") {
    tile.aside = "may not fit in memory";
    tile.words = {"Marked in the table. Run two training steps before you rent for a whole run.",
                  "Marked in the table. Run two training steps first."};
  } else if (most.id == "one-seller") {
    tile.aside = "have only one seller near this price";
    tile.words = {
        "Marked in the table. The second source costs much more: ask it for a quote first."};
  } else {
    tile.aside = "speeds are estimates";
    const std::string longer =
        "a run can take up to " + format_number(100 * most.longer, 0) + "\u00a0% longer";
    const std::string nobody = "Nobody published a speed for these GPUs and methods (~): ";
    tile.words = {nobody + longer + " than printed.", nobody + longer + ".",
                  "No published speed (~): " + longer + "."};
  }
  return tile;
}

}  // namespace

std::string adapter_names(const Sheet& sheet) {
  std::vector<std::string> names;
  for (const SheetMethod& method : sheet.methods) {
    if (method.adapters) names.push_back(method.short_title);
  }
  return joined_words(names);
}

std::string few_digits_usd(MicroUsd usd) { return few_digits(to_usd(usd)); }

std::string few_digits_hours(double hours) {
  // As the site rounds them (run_hours), where both have two digits.
  const bool both_two = hours >= 0.0995 && hours < 0.995;
  return both_two ? format_number(hours, 2) : few_digits(hours);
}

std::string machine_usd(MicroUsd usd) {
  const double value = to_usd(usd);
  const auto as = [&](double unit, const char* name) {
    return few_digits(value / unit) + "\u00a0" + name;
  };
  if (value >= 999.5e6) return as(1e9, "bn");
  if (value >= 999.5e3) return as(1e6, "M");
  return value >= 999.5 ? as(1e3, "k") : few_digits(value);
}

std::string gpus_words(const Sheet& sheet, const std::string& gpu, std::int64_t gpus) {
  return format_integer(gpus) + "\u00a0×\u00a0" + sheet.gpu(gpu).short_name;
}

std::vector<std::string> decision_sentences(const Sheet& sheet) {
  if (const auto bought = bought_words(sheet)) {
    const std::string months = format_integer(sheet.plan->demand.months) + " months";
    if (bought->empty()) {
      return {"Rent by the hour: the demand of the next " + months + " pays for no machine",
              "Rent by the hour; buy no machine"};
    }
    return {"Buy " + *bought + " and rent the rest for the next " + months,
            "Buy " + *bought + ", rent the rest", "Buy what the plan names, rent the rest"};
  }
  if (rented(sheet).empty()) {
    return {"No job of this edition has a price to rent", "No job has a price"};
  }
  std::optional<double> least, most;  // of every job, as the pages about owning say them
  const std::vector<const OwnPick*> machines = compared(sheet);
  for (const Pick& pick : sheet.picks) {
    if (!pick.own || !pick.own->rent_usd_per_run) continue;
    const auto& hours = pick.own->break_even_hours_per_month;
    if (!hours) continue;
    least = std::min(least.value_or(*hours), *hours);
    most = std::max(most.value_or(*hours), *hours);
  }
  if (machines.empty())
    return {"Rent by the hour: no machine of these jobs has a price to buy", "Rent by the hour"};
  if (!least) {
    return {"Rent by the hour: no machine pays within the hours of a month", "Rent by the hour"};
  }
  const double from = std::max(1.0, std::floor(std::round(*least) / kRoundHours) * kRoundHours);
  const double to = std::ceil(std::round(*most) / kRoundHours) * kRoundHours;
  const std::string one = format_number(from, 0);
  const std::string hours = to - from < 2 * kRoundHours ? one : one + "–" + format_number(to, 0);
  return {"Rent by the hour: owning is cheaper only if a machine is busy over " + hours +
              " h per month" + (hours == one ? "" : " (by job)"),
          "Rent by the hour: owning is cheaper only above " + hours + " h of use per month",
          "Rent below " + one + " h of use per month"};
}

std::vector<std::string> run_sentences(const Sheet& sheet) {
  const std::string adapters = adapter_names(sheet);
  const std::string full = count_words(sheet.options.tokens);
  const std::string fewer =
      count_words(sheet.options.adapter_tokens.value_or(sheet.options.tokens));
  const bool both = full != fewer && !adapters.empty() &&
                    !std::ranges::all_of(sheet.methods, &SheetMethod::adapters);
  const std::string run =
      both ? "One run = " + full + " training tokens for full fine-tuning, " + fewer + " for " +
                 adapters
           : "One run = " + (adapters.empty() || full == fewer ? full : fewer) + " training tokens";
  const std::string compare = both ? " Compare costs within one method." : "";
  if (sheet.scenarios.empty()) return {run + "." + compare, run + "."};
  const std::string length = format_integer(sheet.scenarios.front().seq_len);
  return {run + "; sequences of " + length + " tokens." + compare,
          run + "; sequences of " + length + "." + compare, run + "." + compare, run + "."};
}

DecisionTile budget_tile(const Sheet& sheet) {
  if (!sheet.plan) return {};
  const SheetPlan& plan = *sheet.plan;
  DecisionTile tile;
  tile.title = (plan.demand.example ? "Example budget for " : "Budget for ") +
               format_integer(plan.demand.months) + " months";
  if (!plan.totals.why.empty()) {
    tile.figure = "none";
    tile.words = {sentence_case(plan.totals.why) + "."};
    return tile;
  }
  const MicroUsd middle = plan.totals.usd_mid.value_or(plan.totals.usd);
  tile.figure = "$" + machine_usd(middle);
  if (plan.totals.usd_high && plan.totals.usd_high->value > middle.value) {
    tile.aside = "($" + machine_usd(*plan.totals.usd_high) + " if all runs are slow)";
  }
  const PlanOtherwise& all = plan.all_rented;
  const std::string rented = !all.usd ? "Not all of it can be rented."
                                      : "Renting every run costs $" + machine_usd(*all.usd) + ".";
  tile.words = budget_words(sheet, quarter_words(plan), rented);
  tile.words.pop_back();  // shorter ones with the first quarter follow
  for (std::string& words : budget_words(sheet, first_quarter_words(plan), rented)) {
    tile.words.push_back(std::move(words));
  }
  return tile;
}

std::vector<DecisionTile> decision_tiles(const Sheet& sheet) {
  const SheetModel* model = highlighted(sheet);
  if (model == nullptr) return {};
  std::vector<DecisionTile> tiles{adapters_tile(sheet, *model), full_tile(sheet, *model),
                                  budget_tile(sheet), weakest_tile(sheet)};
  std::erase_if(tiles, [](const DecisionTile& tile) { return tile.figure.empty(); });
  return tiles;
}

std::vector<UseSplit> use_splits(const Sheet& sheet) {
  const std::vector<const OwnPick*> machines = compared(sheet);
  if (machines.empty()) return {};
  std::set<double> hours(kShownHours.begin(), kShownHours.end());
  hours.insert({sheet.options.planned_hours_per_month, sheet.options.hours_per_month});
  std::vector<UseSplit> splits;
  for (const double use : hours) {
    if (use <= 0 || use > sheet.options.hours_per_month) continue;
    UseSplit split{use, 0, 0};
    for (const OwnPick* own : machines) {
      const auto& from = own->break_even_hours_per_month;
      ++(from && *from <= use ? split.own : split.rent);
    }
    splits.push_back(split);
  }
  return splits;
}

std::vector<JobsAtRisk> jobs_at_risk(const Sheet& sheet) {
  std::vector<JobsAtRisk> risks{
      {"not-certain", 0, 0, 0}, {"one-seller", 0, 0, 0}, {"not-measured", 0, 0, 0}};
  const std::vector<DecidedJob> jobs = rented(sheet);
  for (const DecidedJob& job : jobs) {
    if (!job.run->certain.value_or(true)) ++risks[0].count;
    if (job.pick->exposed) ++risks[1].count;
    if (job.run->measured) continue;
    ++risks[2].count;
    if (job.run->hours.mid > 0) {
      risks[2].longer = std::max(risks[2].longer, job.run->hours.high / job.run->hours.mid - 1);
    }
  }
  for (JobsAtRisk& risk : risks) risk.of = std::ssize(jobs);
  std::erase_if(risks, [](const JobsAtRisk& risk) { return risk.count == 0; });
  std::ranges::stable_sort(risks, std::greater<>(), &JobsAtRisk::count);
  return risks;
}

}  // namespace sizesheet
