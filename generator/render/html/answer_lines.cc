// SPDX-License-Identifier: Apache-2.0
#include "render/html/answer_lines.h"

#include <algorithm>
#include <vector>

#include "render/formats.h"
#include "render/job_options.h"
#include "render/phrases.h"
#include "sheet/money_words.h"
#include "sheet/seller_names.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr MicroUsd kWholeFrom{10'000'000};  // $10

void add_line(const std::string& title, const std::string& words, Json& lines) {
  if (!words.empty()) lines.push_back({{"line_title", title}, {"line_words", words}});
}

std::string candidate_words(const Sheet& sheet, const RunCandidate& run) {
  return rented_words(sheet, run.gpu, run.gpus, run.provider) + ": " +
         run_words(run.usd, run.hours.mid, run.measured);
}

std::string doubt_words(const SecondSource& source) {
  return source.certain.value_or(true) ? "" : ", memory not certain";
}

std::string second_words(const Sheet& sheet, const Pick& pick, const JobOptions& options) {
  if (options.second == nullptr) {
    return "none";
  }
  const SecondSource& second = *options.second;
  return rented_words(sheet, second.gpu, second.gpus, second.provider) + ": " +
         run_words({second.usd_low, second.usd, second.usd_high}, second.hours,
                   is_measured(sheet, pick, second)) +
         doubt_words(second);
}

/// What costs less where a seller has it in stock: ask first.
std::string scarce_words(const Sheet& sheet, const Pick& pick) {
  const ScarceOffer& offer = *pick.if_available;
  return rented_words(sheet, offer.gpu, offer.gpus, offer.provider) + ": " +
         run_words({offer.usd_low, offer.usd, offer.usd_high}, offer.hours,
                   is_measured(sheet, pick, offer)) +
         doubt_words(offer) + ", stock " + offer.stock + ": ask first";
}

/// Every GPU type's smallest count on offer that fits, of those that people can order.
std::string fewest_words(const Sheet& sheet, const Pick& pick) {
  std::vector<std::string> words;
  for (const Row* row : job_rows(sheet, pick.model, pick.method)) {
    if (!row->rentable || *row->rentable > kMostToldGpus) continue;
    const bool sure = row->certain_on(*row->rentable).value_or(true);
    words.push_back(set_up(sheet, row->gpu, *row->rentable) + (sure ? "" : kDoubtMark));
  }
  return words.empty() ? "none of at most " + format_integer(kMostToldGpus) + " GPUs"
                       : join(words, " · ");
}

/// "177 runs": what the hours of the break-even are in runs.
std::string runs_at_even(const OwnPick& own) {
  const double runs = own.break_even_runs_per_month.value_or(0);
  return format_number(runs, runs < 10 ? 1 : 0) + " runs";
}

std::string own_words(const Sheet& sheet, const OwnPick& own) {
  const std::string hours = month_hours(sheet.options.planned_hours_per_month);
  std::string words = machine_set_up(sheet, own) + ", $" + whole_usd(own.capex_usd) + ": " +
                      (own.measured ? "$" : "~$") + brief_usd(own.usd_per_run) + " per run at " +
                      hours + "\u00a0h of use per month";
  if (own.rent_usd_per_run) {
    words += own.break_even_hours_per_month
                 ? "; owning is cheaper from " + month_hours(*own.break_even_hours_per_month) +
                       "\u00a0h (" + runs_at_even(own) + ") per month"
                 : "; owning is never cheaper";
  }
  if (own.decision) words += "; the plan says " + own.word();
  return words;
}

std::string service_line(const Sheet& sheet, const Pick& pick) {
  const std::vector<SheetService> offers = services_for(sheet, pick.model, pick.method);
  if (offers.empty()) return "";
  const SheetService& first = offers.front();
  return first.title + ": $" + brief_usd(first.usd_per_run) + weights_words(first.weights) +
         (first.basis == "assumption" ? ", price assumed" : "");
}

Json notes_of(const Sheet& sheet, const RunCandidate& run, const Pick& pick) {
  Json notes = Json::array();
  if (run.certain == false) notes.push_back("Memory is not certain: run two training steps first.");
  if (pick.exposed) {
    const double share = sheet.options.pick_rules.exposure_share;
    notes.push_back("One seller: no second source within " + format_number(100 * share, 0) +
                    "\u00a0% of its price.");
  }
  const Row* row = rent_pick_row(sheet, pick.model, pick.method);
  if (row != nullptr && row->team) notes.push_back(sentence_case(team_words(*row->team)) + ".");
  if (!run.measured)
    notes.push_back("~: nobody published a speed of this GPU type with this method.");
  if (const std::string far = far_below_words(pick); !far.empty()) notes.push_back(far);
  return notes;
}

}  // namespace

std::string brief_usd(MicroUsd usd) {
  return usd < kWholeFrom ? format_usd_roughly(usd) : whole_usd(usd);
}

std::string more_words(MicroUsd usd, MicroUsd than) {
  return than.value > 0 ? away_words(to_usd(usd) / to_usd(than) - 1) : std::string(kAbsent);
}

std::string run_words(const UsdRange& usd, double hours, bool measured) {
  return "$" + brief_usd(usd.mid) + " (" + format_usd_roughly(usd.low) + "–" +
         format_usd_roughly(usd.high) + "), " + (measured ? "" : "~") + hours_words(hours);
}

std::string rented_words(const Sheet& sheet, const std::string& gpu, std::int64_t gpus,
                         const std::string& provider) {
  return set_up(sheet, gpu, gpus) + " from " + seller_name(sheet, provider);
}

Json answer_values(const Sheet& sheet, const Pick& pick) {
  const JobOptions options = job_options(sheet, pick);
  Json values = {{"answer_head", "no set-up to rent"},
                 {"answer_figures", ""},
                 {"answer_notes", Json::array()},
                 {"answer_lines", Json::array()}};
  Json& lines = values["answer_lines"];
  if (options.pick != nullptr) {
    const RunCandidate& run = *options.pick;
    values["answer_head"] = rented_words(sheet, run.gpu, run.gpus, run.provider);
    values["answer_figures"] = run_words(run.usd, run.hours.mid, run.measured);
    values["answer_notes"] = notes_of(sheet, run, pick);
    add_line(kSecondTitle, second_words(sheet, pick, options), lines);
    if (pick.if_available) add_line(kScarceTitle, scarce_words(sheet, pick), lines);
    if (options.faster) add_line(kFasterTitle, candidate_words(sheet, *options.faster), lines);
    if (options.cheaper) {
      add_line(kCheaperTitle, candidate_words(sheet, *options.cheaper), lines);
    }
  }
  add_line(kFewestTitle, fewest_words(sheet, pick), lines);
  if (pick.own) add_line(kOwnTitle, own_words(sheet, *pick.own), lines);
  add_line(kServiceTitle, service_line(sheet, pick), lines);
  return values;
}

}  // namespace sizesheet
