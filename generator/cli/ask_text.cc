// SPDX-License-Identifier: Apache-2.0
#include "cli/ask_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "catalog/catalog.h"
#include "cli/ask_advice.h"
#include "cli/ask_answer.h"
#include "cli/explanation_text.h"
#include "cli/taken_names.h"
#include "render/change_words.h"
#include "render/choices.h"
#include "render/phrases.h"
#include "render/project_words.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_mark.h"
#include "sizing/job/training.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kScreenColumns = 80;

std::string range_words(const std::string& low, const std::string& high) {
  return " (" + low + "–" + high + ")";
}

void line(const char* what, const std::string& left, const std::string& right, std::ostream& out) {
  constexpr std::size_t kRight = 24;
  const std::size_t width = width_of(left);
  out << "  " << std::left << std::setw(6) << what << left
      << std::string(width < kRight ? kRight - width : 2, ' ') << right << '\n';
}

/// "not certain: up to 81.3 of 79.2 GiB; run two training steps first" of what is rented; "" where
/// that is certain.
std::string doubt_of(const Row& row) {
  if (row.certain().value_or(true)) return "";
  const std::string words = standing_words(row.verdict, row.device_high, row.memory.capacity);
  const std::string fits = "fits, ";  // the line above says so
  return words.starts_with(fits) ? words.substr(fits.size()) : words;
}

/// On two lines where it is longer than the screen.
void print_doubt(const std::string& doubt, std::ostream& out) {
  constexpr std::size_t kIndent = 8;
  if (doubt.empty()) return;
  const std::size_t cut =
      kIndent + width_of(doubt) > kScreenColumns ? doubt.find("; ") : doubt.npos;
  out << "        " << doubt.substr(0, cut) << '\n';
  if (cut != doubt.npos) out << "        " << doubt.substr(cut + 2) << '\n';
}

/// Whether the set-up in the line above is certain, and what it is run with.
void print_set_up(const Row& row, std::ostream& out) {
  print_doubt(doubt_of(row), out);
  out << "  with  " << choice_words(row.choices) << '\n';
  if (row.team) out << "        " << team_words(*row.team) << '\n';
}

void print_rent(const Sheet& sheet, const MethodAnswer& answer, std::ostream& out) {
  constexpr std::size_t kBeside = 10;  // what stands before and between both
  const RunCandidate& run = *answer.row->set_up();
  const std::string right =
      run_hours(run.hours.mid) + " h" +
      range_words(run_hours(run.hours.low), run_hours(run.hours.high)) + ", $" +
      run_usd(run.usd.mid) +
      range_words(format_usd_roughly(run.usd.low), format_usd_roughly(run.usd.high)) +
      (answer.pick->exposed ? ", one seller" : "");
  const std::string set = set_up(sheet, run.gpu, run.gpus) + ", ";
  if (kBeside + width_of(set + run.provider + right) <= kScreenColumns) {
    line("rent", set + run.provider, right, out);
  } else {  // a seller's other name stands in brackets
    out << "  rent  " << set << run.provider.substr(0, run.provider.find(" (")) << "  " << right
        << '\n';
  }
  if (answer.pick->far_below_next) out << "        " << far_below_words(*answer.pick) << '\n';
  print_set_up(*answer.row, out);
}

void print_per_million(const Pick& pick, std::ostream& out) {
  if (!pick.usd_per_million_tokens) return;
  out << "        $" << million_tokens_usd(*pick.usd_per_million_tokens) << " per million tokens\n";
}

/// Exactly so many GPUs as were named, where the answer takes fewer.
void print_asked(const AskedCount& count, std::ostream& out) {
  line("asked", count.set_up, count.figures, out);
  out << "        " << count.words << '\n';
}

/// The set-up that costs least in the tier, where it is another one: the pick is chosen on demand.
void print_lowest(const Sheet& sheet, const Row& row, const std::string& tier, std::ostream& out) {
  const Row* lowest = lowest_in_tier(sheet, row.method, tier);
  if (lowest == nullptr || lowest == &row) return;
  const RentLine& offer = *lowest->rents[*rent_tier(tier)];
  const bool interrupted = offer.usd_per_run_interrupted.has_value();
  out << "        lowest " << price_tier(tier).words << ": " << set_up(sheet, *lowest) << ", $"
      << run_usd(interrupted ? *offer.usd_per_run_interrupted : *offer.usd_per_run) << " per run"
      << (interrupted ? " with lost work" : "") << "; "
      << offer.price_key.substr(0, offer.price_key.find('/')) << '\n';
}

/// What the same GPUs cost in the tier that is asked for.
void print_tier(const Row& row, const std::string& tier, std::ostream& out) {
  const SheetTier* shown = tier.empty() ? nullptr : rent_tier(tier);
  if (tier.empty() || tier == kOnDemand.key) return;
  const std::string words = price_tier(tier).words;
  const auto* rent = shown != nullptr ? &row.rents[*shown] : nullptr;
  if (rent == nullptr || !*rent) {
    out << "        " << words << ": no price of these GPUs applies\n";
    return;
  }
  const RentLine& offer = **rent;
  out << "        " << words << ": $" << hourly_usd(offer.usd_per_hour) << " per hour for "
      << counted(offer.gpus_paid, "GPU", "GPUs");
  if (offer.gpus_paid > row.layout.gpus) out << "; the run uses " << row.layout.gpus;
  if (offer.usd_per_run) out << ", $" << run_usd(*offer.usd_per_run) << " per run";
  if (offer.usd_per_run_interrupted) {
    out << ", $" << run_usd(*offer.usd_per_run_interrupted) << " with lost work";
  }
  if (offer.usd_per_month)
    out << ", $" << whole_usd(*offer.usd_per_month) << " per month, used or not";
  const std::string& key = offer.price_key;
  out << "; " << key.substr(0, key.find('/')) << '\n';
}

/// The whole project beside the one run, where one is asked for.
void print_project(const Row& row, std::ostream& out) {
  if (!row.project) return;
  out << "  project " << project_amount(*row.project) << '\n'
      << "        " << project_parts(*row.project) << '\n';
}

/// The best set-up of another GPU type and seller: its dollars, and by how much it is worse once
/// the risk of an expensive run is weighed.
void print_next(const Sheet& sheet, const MethodAnswer& answer, std::ostream& out) {
  if (answer.row == nullptr) return;
  const RunCandidate* next = runner_up_of(sheet, *answer.pick);
  if (next == nullptr) return;
  std::string wins;
  if (answer.pick->switch_at && answer.pick->switch_at->usd_per_gpu_hour) {
    wins = "; wins below $" + hourly_usd(*answer.pick->switch_at->usd_per_gpu_hour) + "/GPU-h";
  }
  const double share = answer.pick->runner_up->score_share;
  const std::string seller = next->provider.substr(0, next->provider.find(" ("));
  line("other", set_up(sheet, next->gpu, next->gpus) + ", " + seller,
       "$" + run_usd(next->usd.mid) + ", with risk " + (share < 0 ? "−" : "+") +
           format_number(std::abs(100 * share), 0) + " %" + wins,
       out);
}

/// "1,000", "0.5".
std::string count_words(double runs) {
  return runs == std::floor(runs) ? format_number(runs, 0) : shortest(runs);
}

/// "30 runs", "1 run".
std::string runs_words(double runs) { return count_words(runs) + (runs == 1 ? " run" : " runs"); }

/// "30 runs per month", "200 h per month".
std::string use_words(const AskOptions& options, const OwnPick& own) {
  if (!options.runs) return shortest(own.advice_at_hours) + " h per month";
  std::string words = runs_words(*options.runs) + " per month";
  if (options.failed) words += " (" + format_number(*options.started_runs(), 1) + " started)";
  return words;
}

/// "$38.8 (31–52)".
std::string usd_words(MicroUsd low, MicroUsd mid, MicroUsd high) {
  return "$" + run_usd(mid) + range_words(format_usd_roughly(low), format_usd_roughly(high));
}

/// A run on either side at the use that is asked for, and what that decides.
void print_decision(const Sheet& sheet, const MethodAnswer& answer, const AskOptions& options,
                    std::ostream& out) {
  const OwnPick& own = *answer.pick->own;
  if (options.states_use() && !own.rent_set_up) {
    out << "        at " << use_words(options, own) << ": no rental price to compare with\n";
  }
  if (!own.decision || !own.rent_set_up) return;
  const RentSetUp& against = *own.rent_set_up;
  out << "        at " << use_words(options, own) << ": " << (own.measured ? "" : "~")
      << usd_words(own.usd_per_run_low, own.usd_per_run, own.usd_per_run_high)
      << " per run, rented " << usd_words(against.usd.low, against.usd.mid, against.usd.high)
      << ": " << own.word() << '\n';
  const RunCandidate* run = answer.row != nullptr ? answer.row->set_up() : nullptr;
  const bool same =
      run != nullptr && against.price_key == run->price_key && against.gpus == run->gpus;
  if (same) return;
  out << "        rented as " << set_up(sheet, against.gpu, against.gpus) << ", "
      << against.provider << ", the cheapest on average\n";
}

/// What owning costs a month and from when it pays; what a stated demand decides.
void print_own(const Sheet& sheet, const MethodAnswer& answer, const AskOptions& options,
               std::ostream& out) {
  if (!answer.pick->own) {
    if (!options.states_use()) return;
    const bool sold = std::ranges::any_of(sheet.machines, &SoldMachine::quoted);
    out << "  own   "
        << (!sold          ? std::string("no machine with these GPUs is on sale")
            : options.runs ? "no machine on sale does " + runs_words(*options.runs) + " in a month"
                           : std::string("no machine on sale does this run"))
        << '\n';
    return;
  }
  const OwnPick& own = *answer.pick->own;
  const std::string machine = set_up(sheet, own.gpu, own.gpus + own.unused_gpus) +
                              (own.used ? ", used, for $" : " for $") + whole_usd(own.capex_usd);
  const std::string month = "$" + whole_usd(own.usd_per_month) + " per month";
  std::string pays;
  if (own.rent_usd_per_run) {
    constexpr std::size_t kLongest = 40;  // of machine and month: a line has 80 columns
    const bool brief = width_of(machine) + width_of(month) > kLongest;
    const char* from = brief ? "; from " : "; cheaper from ";
    if (!own.break_even_hours_per_month) {
      pays = "; never cheaper";
    } else if (options.runs && own.break_even_runs_per_month) {
      pays = from + format_number(*own.break_even_runs_per_month, 0) + " runs per month";
    } else {
      pays = from + format_number(*own.break_even_hours_per_month, 0) + " h per month";
    }
  }
  line("own", machine, month + pays, out);
  print_decision(sheet, answer, options, out);
}

/// "Together LoRA $17.0 ($0.340/M tokens) with weights; Fireworks $25.0": what services
/// ask, which no answer picks. "~" is before dollars at an assumed rate.
std::string services_words(const std::vector<SheetService>& offers) {
  const SheetService& first = offers.front();
  std::string words = first.title + " " + first.trains +
                      (first.basis == "assumption" ? " ~$" : " $") + run_usd(first.usd_per_run) +
                      (first.minimum_applies ? ", its minimum" : "") + " ($" +
                      million_tokens_usd(first.usd_per_million_tokens) + "/M tokens)" +
                      (first.weights == "yes" ? " with weights" : weights_words(first.weights));
  if (offers.size() > 1) {
    words += "; " +
             (offers.size() == 2 ? offers[1].title + " $"
                                 : std::to_string(offers.size() - 1) + " others from $") +
             run_usd(offers[1].usd_per_run);
  }
  return words;
}

/// Of LoRA and QLoRA, which a service trains alike, the line is printed once.
void print_services(const Sheet& sheet, const std::string& method, std::string& printed,
                    std::ostream& out) {
  const auto offers = services_for(sheet, sheet.models.front().id, method);
  const std::string words = offers.empty() ? "" : services_words(offers);
  if (!words.empty() && words != printed) out << "  service " << words << '\n';
  printed = words;
}

/// The fewest GPUs that fit, or how the row itself stands.
std::string fitting(const Sheet& sheet, const Row& row) {
  const Row* smallest = smallest_row(sheet, row);
  if (smallest == nullptr) return standing_facts(row.verdict, row.certain()).words;
  const RunCandidate* run = row.set_up();
  const bool same = run != nullptr && run->gpu == smallest->gpu && run->gpus == *smallest->rentable;
  return (same ? "fits on " : "memory fits on ") +
         set_up(sheet, smallest->gpu, *smallest->rentable) +
         doubt_behind(*smallest, *smallest->rentable);
}

/// Where a method stands, in one line.
std::string standing(const Sheet& sheet, const MethodAnswer& answer, const AskOptions& options) {
  const std::string name = answer.method->title + ": ";
  if (answer.row != nullptr) {
    return name + fitting(sheet, *answer.row) +
           (answer.over_budget ? "; over the budget: this set-up has the lowest upper end" : "");
  }
  const char* deadline = options.deadline ? "the deadline" : "the default deadline";
  return name + unrented_words(sheet, answer.method->id, deadline);
}

bool has_offers(const Sheet& sheet, const std::string& gpu) {
  return std::ranges::any_of(sheet.prices, [&](const SheetPrice& one) { return one.gpu == gpu; });
}

/// A set-up that one may have, though nobody is known to rent it out.
void print_unpriced(const Sheet& sheet, const MethodAnswer& answer, const AskOptions& options,
                    std::ostream& out) {
  const Row& row = *answer.unpriced;
  const auto& rent = row.rents[kOnDemand];
  std::string words = hours_range(row) + ", ";
  words += rent ? "$" + hourly_usd(rent->usd_per_hour) + " per hour" : "no rental price";
  line("rent", set_up(sheet, row), words, out);
  if (!rent && (!options.provider.empty() || !options.region.empty())) {
    const std::string where = options.provider.empty() ? "--region " + options.region
                              : options.provider.find(',') == options.provider.npos
                                  ? options.provider + ' ' + row.gpu
                                  : row.gpu;
    out << "        no price there applies; sizesheet prices " << where << " lists them\n";
  } else if (!rent && has_offers(sheet, row.gpu)) {
    out << "        no offer meets the sheet's rules; sizesheet prices " << row.gpu << " lists\n"
        << "        the offers, and --provider takes those of one seller\n";
  }
  print_set_up(row, out);
  if (may_be_late(options, row)) {
    line("", "", row.hours_high ? "longer than the deadline" : "the deadline cannot be checked",
         out);
  }
  if (options.budget) line("", "", "the budget cannot be checked", out);
}

/// "in sequences of 4,096"; of methods that generate, the limits of what they generate.
std::string length_words(const Catalog& catalog, const Sheet& sheet, const Scenario& scenario) {
  const Json grpo = catalog.method(sheet.methods.front().id).grpo;
  if (grpo.is_null()) return "in sequences of " + format_integer(scenario.seq_len);
  const auto limit = [&](const char* key, std::int64_t usual) {
    return format_integer(grpo.value(key, usual));
  };
  return "in prompts of at most " + limit("prompt_length", GrpoSpec().prompt_length) +
         " and completions of at most " + limit("completion_length", GrpoSpec().completion_length);
}

/// "$1,500", "$0.5".
std::string budget_words(double usd) {
  return "$" + (usd >= 1000 ? format_number(usd, 0) : shortest(usd));
}

void print_budget(const BudgetChanges& changes, double budget_usd, std::ostream& out) {
  const std::string budget = budget_words(budget_usd);
  if (!changes.within.empty()) {
    out << "  It is sure to stay within " << budget << ' ' << join(changes.within, ", or ")
        << ".\n";
    return;
  }
  out << "  No set-up of the sheet is sure to stay within " << budget
      << (changes.least.empty() ? "" : "; the cheapest is " + changes.least) << ".\n";
}

void print_changes(const ChangesAsked& changes, const AskOptions& options, const Sheet& sheet,
                   std::ostream& out) {
  if (!changes.fit.empty()) out << "  It fits " << join(changes.fit, ", or ") << ".\n";
  if (changes.budget) print_budget(*changes.budget, *options.budget, out);
  if (!sheet.options.deadline_hours) return;
  const std::string deadline = limit_words(*sheet.options.deadline_hours);
  if (!changes.in_time.empty()) {
    out << "  It is sure to end within " << deadline << ' ' << join(changes.in_time, ", or ")
        << ".\n";
  } else if (changes.too_short) {
    out << "  No set-up of the sheet is sure to end within " << deadline << ".\n";
  }
}

/// The GPU types that the sheet leaves out may cost less.
void print_other_types(const Sheet& sheet, const std::vector<MethodAnswer>& answers,
                       const AskOptions& options, std::ostream& out) {
  const bool one = answers.size() == 1 && answers.front().row != nullptr && !options.model.empty();
  if (!one || !options.gpu.empty()) return;
  out << "  all GPU types: sizesheet compare " << sheet.models.front().id << ' '
      << answers.front().method->id << " --gpu all\n";
}

}  // namespace

std::vector<CardLeftOut> left_out_of(const Sheet& sheet) {
  std::vector<CardLeftOut> left_out;
  for (const SheetGpu& gpu : sheet.gpus) {
    const Row* first = nullptr;
    bool answered = false;
    for (const Row& row : sheet.rows) {
      if (row.gpu != gpu.id) continue;
      if (first == nullptr) first = &row;
      answered = answered || row.modelled;
    }
    if (first != nullptr && !answered) left_out.push_back({gpu.id, first->refusal});
  }
  if (left_out.size() == sheet.gpus.size()) left_out.clear();
  return left_out;
}

std::string whole_standing(const Sheet& sheet, const MethodAnswer& answer,
                           const AskOptions& options) {
  const std::string words = standing(sheet, answer, options);
  const std::string doubt = answer.row != nullptr ? doubt_of(*answer.row) : "";
  return doubt.empty() ? words : words + "; " + set_up(sheet, *answer.row) + " " + doubt;
}

/// A warning without its name and without keys of a request, which `ask` does not take.
std::string plain_note(const std::string& warning) {
  constexpr std::string_view kName = "no-bf16: ";
  if (!warning.starts_with(kName)) return warning;
  return warning.substr(kName.size(), warning.find("; use kernels.") - kName.size()) +
         "; fp16 is faster there";
}

/// What is odd in the question itself. What the stack says of every run is left to `explain` and to
/// the JSON.
void print_notes(const Row& row, std::ostream& out) {
  for (const std::string& warning : row.warnings) {
    for (const char* head : {"config.json: ", "workload.", "no-bf16: "}) {
      if (starts_with(warning, head)) line("note", plain_note(warning), "", out);
    }
  }
}

void print_text(const Catalog& catalog, const Sheet& sheet,
                const std::vector<MethodAnswer>& answers, const AskOptions& options,
                const TakenNames& taken, std::ostream& answer_out) {
  std::ostringstream out;
  const Scenario& scenario = sheet.scenarios.front();
  out << sheet.models.front().title << ", ";
  for (const std::string& id : {options.method, options.gpu}) out << id << (id.empty() ? "" : ", ");
  out << scenario.stack_title;
  const std::string types = "; " + std::to_string(sheet.gpus.size()) + " GPU types";
  const std::string seen = price_days(sheet.meta);
  const std::string days = seen.empty() ? "" : "; prices seen " + seen;
  const bool fits = width_of(out.str() + types + days) <= kScreenColumns;
  out << (options.gpu.empty() && fits ? types : "") << days << '\n';
  for (const std::string& sentence : taken.sentences_in(answer_out)) out << sentence << '\n';
  const bool usual = !options.tokens && !options.examples;
  out << run_length(sheet, format_parameters) << (usual ? " per run by default, " : " per run, ")
      << length_words(catalog, sheet, scenario) << '\n';
  if (options.deadline || options.budget) out << "limits, at the upper end of each range:";
  if (options.deadline) out << ' ' << limit_words(*options.deadline);
  if (options.budget) {
    out << (options.deadline ? " and " : " ") << budget_words(*options.budget);
  }
  if (options.deadline || options.budget) out << '\n';
  for (const CardLeftOut& one : left_out_of(sheet)) {
    out << "left out: " << sheet.gpu(one.gpu).short_name << ", " << one.why << '\n';
  }
  std::string service;
  for (const MethodAnswer& answer : answers) {
    out << '\n' << standing(sheet, answer, options) << '\n';
    const Row* row = answer.set_up();
    if (row == nullptr) {
      print_changes(answer.changes, options, sheet, out);
      continue;
    }
    answer.row != nullptr ? print_rent(sheet, answer, out)
                          : print_unpriced(sheet, answer, options, out);
    // Several methods fill a screen without it.
    if (answer.row != nullptr && answers.size() == 1) print_per_million(*answer.pick, out);
    if (answer.asked_count) print_asked(*answer.asked_count, out);
    print_tier(*row, options.tier, out);
    if (options.tier != kOnDemand.key) print_lowest(sheet, *row, options.tier, out);
    print_project(*row, out);
    print_next(sheet, answer, out);
    print_notes(*row, out);
    print_own(sheet, answer, options, out);
    print_services(sheet, answer.method->id, service, out);
    print_changes(answer.changes, options, sheet, out);
    if (answer.explanation) print_explanation(*answer.explanation, out << '\n');
  }
  constexpr auto kMostLines = 20;  // a screen has three more: two of a legend, and a prompt
  if (std::ranges::count(out.str(), '\n') < kMostLines) {
    print_other_types(sheet, answers, options, out);
  }
  const std::string text = out.str();
  answer_out << text;
  if (text.find('~') == text.npos) return;
  answer_out << "\n~: the speed or the rate is estimated, not published\n";
}

}  // namespace sizesheet
