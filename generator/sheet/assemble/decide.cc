// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/decide.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/rows/candidates.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "sizing/memory/verdict.h"
#include "support/money.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// A candidate and the row that it stands in.
struct Contender {
  const Row* row = nullptr;
  std::int64_t place = 0;
  const RunCandidate* run = nullptr;
};

using Contenders = std::vector<Contender>;

std::string percent(double share) { return format_number(100 * share, share < 0.1 ? 1 : 0) + " %"; }

/// The rows of one model, method and scenario, decided by the rules of the sheet.
class Decision {
 public:
  Decision(const Sheet& sheet, const SizeAgain& again, std::vector<Row*> rows)
      : sheet_(sheet), rules_(sheet.options.pick_rules), rows_(std::move(rows)) {
    gather();
    winner_ = best_of(all_);
    if (winner_.run != nullptr && winner_.row->set_up() != winner_.run) settle(again);
    on_average_ = cheapest_of_eligible();
  }

  Pick pick() {
    if (winner_.run != nullptr) winner_row().rent_pick = true;
    Pick pick;
    pick.model = rows_.front()->model;
    pick.method = rows_.front()->method;
    pick.scenario = rows_.front()->scenario;
    pick.far_below_next = far_below_next();
    pick.rent_why = rent_why();
    if (pick.far_below_next) pick.rent_why += "; " + far_below_words(pick);
    pick.why = pick.rent_why;
    if (winner_.run != nullptr) set_rent(pick);
    const Row* hourly = cheapest_hour();
    if (hourly != nullptr) pick.hourly_key = hourly->key();
    pick.hourly_why = hourly_why(hourly);
    set_own(pick);
    return pick;
  }

 private:
  void gather() {
    all_.clear();
    for (const Row* row : rows_) {
      for (std::size_t i = 0; i < row->candidates.size(); ++i) {
        all_.push_back({row, static_cast<std::int64_t>(i), &row->candidates[i]});
      }
    }
    std::vector<const RunCandidate*> runs;
    for (const Contender& one : all_) runs.push_back(one.run);
    const auto able = able_to_win(runs, rules_, sheet_.options.deadline_hours);
    eligible_ = all_;
    std::erase_if(eligible_, [&](const Contender& one) {
      return std::ranges::find(able, one.run) == able.end();
    });
  }

  /// The candidate picked becomes what its row shows.
  void settle(const SizeAgain& again) {
    const std::string gpu = winner_.run->gpu;
    const std::int64_t gpus = winner_.run->gpus;
    Row& row = winner_row();
    row = again(row, gpus);
    gather();
    winner_ = *std::ranges::find_if(
        all_, [&](const Contender& one) { return one.run->gpu == gpu && one.run->gpus == gpus; });
  }

  Contender cheapest_of_eligible() const {
    if (winner_.run == nullptr) return {};
    const auto least = std::ranges::min_element(
        eligible_, {}, [](const Contender& one) { return one.run->usd.mid; });
    return least->run->usd.mid < winner_.run->usd.mid ? *least : winner_;
  }

  Row& winner_row() { return **std::ranges::find(rows_, winner_.row); }

  Contender best_of(const Contenders& some) const {
    std::vector<const RunCandidate*> runs;
    for (const Contender& one : some) runs.push_back(one.run);
    const RunCandidate* best = picked(runs, rules_, sheet_.options.deadline_hours);
    const auto found = std::ranges::find(some, best, &Contender::run);
    return found == some.end() ? Contender{} : *found;
  }

  void set_rent(Pick& pick) const {
    const RunCandidate& run = *winner_.run;
    pick.rent_key = winner_.row->key();
    pick.candidate = winner_.place;
    pick.usd_low = run.usd.low;
    pick.usd_high = run.usd.high;
    pick.provider = run.provider;
    pick.price_as_of = run.price_as_of;
    pick.usd_per_million_tokens =
        usd_per_million_tokens(run.usd.mid, sheet_.method(winner_.row->method).tokens);
    pick.second_source = second_source();
    pick.exposed = !is_near(pick.second_source, run);
    pick.why += pick.second_source ? "; second source: " + source_words(*pick.second_source)
                                   : "; one seller";
    pick.if_available = if_available();
    if (pick.if_available) {
      pick.why += "; cheaper if you can get it (stock " + pick.if_available->stock +
                  "): " + source_words(*pick.if_available);
    }
    if (on_average_.run != winner_.run) {
      const RunCandidate& least = *on_average_.run;
      pick.cheapest_mid = CheapestMid{on_average_.row->key(), on_average_.place, least.usd.mid};
      pick.why += "; cheapest on average: " + on_average_words();
    }
    Contenders others = eligible_;
    std::erase_if(others, [&](const Contender& one) {
      return one.run->gpu == run.gpu || one.run->provider == run.provider;
    });
    const Contender next = best_of(others);
    if (next.run == nullptr) return;
    const double share = to_usd(next.run->usd.high) / to_usd(run.usd.high) - 1;
    const double of_score =
        to_usd(ranked_usd(*next.run, rules_)) / to_usd(ranked_usd(run, rules_)) - 1;
    pick.runner_up = RunnerUp{next.row->key(), next.place, share, of_score};
    pick.switch_at = switch_to(next);
    pick.why += "; other GPU type: " + next_words(next, *pick.switch_at);
  }

  /// The pick's upper end over the lowest that another seller leads to, on this set-up or another;
  /// nullopt where that is no less than kFarBelow, or nobody else offers anything.
  std::optional<double> far_below_next() const {
    if (winner_.run == nullptr) return std::nullopt;
    std::optional<MicroUsd> next;
    for (const Row* row : rows_) {
      for (const RunCandidate& run : row->by_seller) {
        const bool other = run.provider != winner_.run->provider;
        if (other) next = std::min(next.value_or(run.usd.high), run.usd.high);
      }
    }
    if (!next) return std::nullopt;
    const double share = to_usd(winner_.run->usd.high) / to_usd(*next);
    return share < Pick::kFarBelow ? std::optional(share) : std::nullopt;
  }

  /// Of all other sellers, by the same rules.
  std::optional<SecondSource> second_source() const {
    std::vector<const RunCandidate*> others;
    for (const Row* row : rows_) {
      for (const RunCandidate& one : row->by_seller) {
        if (one.provider != winner_.run->provider) others.push_back(&one);
      }
    }
    const RunCandidate* best = picked(others, rules_, sheet_.options.deadline_hours);
    if (best == nullptr) return std::nullopt;
    return source_of(*best);
  }

  /// Whether there is a second source, and its expected dollars are within the sheet's share of the
  /// pick's.
  bool is_near(const std::optional<SecondSource>& second, const RunCandidate& run) const {
    return second && to_usd(second->usd) <= to_usd(run.usd.mid) * (1 + rules_.exposure_share);
  }

  /// What would be picked if its stock did not matter, where that is something else.
  std::optional<ScarceOffer> if_available() const {
    std::vector<const RunCandidate*> all;
    for (const Row* row : rows_) {
      if (row->of_any_stock) all.push_back(&*row->of_any_stock);
    }
    const RunCandidate* best = picked(all, rules_, sheet_.options.deadline_hours);
    if (best == nullptr || !(ranked_usd(*best, rules_) < ranked_usd(*winner_.run, rules_))) {
      return std::nullopt;
    }
    ScarceOffer offer;
    static_cast<SecondSource&>(offer) = source_of(*best);
    const SheetPrice* price = entry_with(sheet_.prices, &SheetPrice::key, best->price_key);
    offer.stock = price != nullptr ? stock_of(*price) : "unknown";
    return offer;
  }

  std::string source_words(const SecondSource& source) const {
    return std::to_string(source.gpus) + " × " + sheet_.gpu(source.gpu).short_name + " from " +
           seller_name(sheet_, source.provider) + ", " + usd_words(source.usd) + " in " +
           hours_words(source.hours);
  }

  std::string on_average_words() const {
    const RunCandidate& run = *on_average_.run;
    return set_up_words(run) + " from " + seller_name(sheet_, run.provider) + ", " +
           usd_words(run.usd.mid) + " (" + usd_words(run.usd.low) + " to " +
           usd_words(run.usd.high) + ")";
  }

  /// What the other has to come down to: to within the tie share of the least, and so far below
  /// what is faster that this is no longer within the tie share of it.
  PickSwitch switch_to(const Contender& other) const {
    const double tie = 1 + rules_.tie_share;
    constexpr double kNone = std::numeric_limits<double>::infinity();
    double least = kNone;
    double faster = kNone;
    double as_fast = kNone;
    for (const Contender& one : eligible_) {
      if (one.run == other.run) continue;
      const double usd = to_usd(ranked_usd(*one.run, rules_));
      least = std::min(least, usd);
      if (!one.run->keeps_batch || one.run->hours.high > other.run->hours.high) continue;
      double& bound = one.run->hours.high < other.run->hours.high ? faster : as_fast;
      bound = std::min(bound, usd);
    }
    const double target = faster > least * tie ? std::min(least * tie, as_fast) : faster / tie;
    const double share = target / to_usd(ranked_usd(*other.run, rules_));
    PickSwitch at;
    const auto& rent = other.row->rents[kOnDemand];
    const bool priced = rent && other.row->set_up() == other.run;
    const double hourly =
        priced ? to_usd(rent->usd_per_hour) : to_usd(other.run->usd.high) / other.run->hours.high;
    at.usd_per_gpu_hour = rounded_usd(hourly * share / static_cast<double>(other.run->gpus));
    at.speed_share = 1 / share - 1;
    return at;
  }

  std::string set_up_words(const RunCandidate& run) const {
    return std::to_string(run.gpus) + " × " + sheet_.gpu(run.gpu).short_name;
  }

  std::string within_words() const {
    const auto& deadline = sheet_.options.deadline_hours;
    return deadline ? " within " + limit_words(*deadline) : "";
  }

  /// "no speed of GPU t4 is known; it fits on 2 × T4", of each GPU type that fits.
  std::string untimed_words() const {
    std::vector<std::string> words;
    for (const Row* row : rows_) {
      if (row->standing() != Verdict::kFits || row->no_speed.empty()) continue;
      words.push_back(row->no_speed + "; it fits on " + std::to_string(row->layout.gpus) + " × " +
                      sheet_.gpu(row->gpu).short_name);
    }
    return words.empty() ? "what fits has no known speed" : join(words, "; ");
  }

  /// Memory, a price and a speed are three things that may be missing.
  std::string why_no_candidate() const {
    bool some_holds = false;
    bool some_fits = false;
    bool some_timed = false;
    for (const Row* row : rows_) {
      const Verdict verdict = row->standing();
      some_holds = some_holds || holds(verdict);
      if (verdict != Verdict::kFits) continue;
      some_fits = true;
      some_timed = some_timed || row->hours_mid.has_value();
    }
    if (some_timed) return "what fits has no rental price";
    if (some_fits) return untimed_words();
    return some_holds ? "it fits, but tight, on every GPU type of the sheet that holds it"
                      : "no GPU type of the sheet fits";
  }

  std::string rent_why() const {
    if (winner_.run == nullptr) {
      return all_.empty() ? why_no_candidate()
                          : "no set-up that fits and has a price is sure to end" + within_words();
    }
    const RunCandidate& run = *winner_.run;
    const auto usd_of = [&](const Contender& one) { return ranked_usd(*one.run, rules_); };
    const MicroUsd least = usd_of(*std::ranges::min_element(eligible_, {}, usd_of));
    const std::string end = ranked_words(rules_);
    const std::string of = std::to_string(eligible_.size()) + " set-ups" + within_words();
    return set_up_words(run) + ": " + usd_words(run.usd.mid) + " per run, at most " +
           usd_words(run.usd.high) + ", in " + hours_words(run.hours.mid) + " from " +
           seller_name(sheet_, run.provider) + "; " +
           (least < ranked_usd(run, rules_) ? why_not_least(least) : "the lowest " + end + " of ") +
           of;
  }

  /// The least that may win ties with what is picked.
  std::string why_not_least(MicroUsd least) const {
    return "the fastest within " + percent(rules_.tie_share) + " of the lowest " +
           ranked_words(rules_) + " (" + usd_words(least) + ") of ";
  }

  std::string next_words(const Contender& next, const PickSwitch& at) const {
    const std::string who = set_up_words(*next.run) + " from " +
                            seller_name(sheet_, next.run->provider) + ", at most " +
                            usd_words(next.run->usd.high);
    if (*at.speed_share <= 0) return who;
    return who + "; it wins from $" + format_usd(*at.usd_per_gpu_hour, 2) +
           " per GPU-hour, or if it is " + percent(*at.speed_share) + " faster than estimated";
  }

  const Row* cheapest_hour() const {
    const Row* best = nullptr;
    const auto hourly = [](const Row& row) { return row.rents[kOnDemand]->usd_per_hour; };
    for (const Row* row : rows_) {
      if (row->verdict != Verdict::kFits || !row->rents[kOnDemand]) continue;
      if (best == nullptr || hourly(*row) < hourly(*best)) best = row;
    }
    return best;
  }

  /// Why the cheapest hour is not the pick; "" where it is.
  std::string hourly_why(const Row* hourly) const {
    if (hourly == nullptr || winner_.row == nullptr || hourly == winner_.row) return "";
    const RentLine& rent = *hourly->rents[kOnDemand];
    const RentLine& chosen = *winner_.row->rents[kOnDemand];
    const std::string hour = std::to_string(hourly->layout.gpus) + " × " +
                             sheet_.gpu(hourly->gpu).short_name + " costs least per hour ($" +
                             format_usd(rent.usd_per_hour, 2) + "/h against $" +
                             format_usd(chosen.usd_per_hour, 2) + "/h)";
    if (!rent.usd_per_run) return hour + "; the hours of a run are not known";
    const MicroUsd run = *rent.usd_per_run;
    const MicroUsd least = *chosen.usd_per_run;
    const char* verdict = run > least   ? " but more per run: "
                          : run < least ? " and less per run on average, at a higher score: "
                                        : " and as much per run: ";
    return hour + verdict + hours_words(*hourly->hours_mid) + " and " + usd_words(run) +
           "; the pick takes " + hours_words(*winner_.row->hours_mid) + " and costs " +
           usd_words(least);
  }

  /// The machine of each GPU type against the rent pick, and of all the one with the cheapest run.
  void set_own(Pick& pick) {
    const Row* best = nullptr;
    std::int64_t sold = 0;
    for (Row* row : rows_) {
      if (!row->owned) continue;
      ++sold;
      OwnPick& own = *row->owned;
      if (winner_.run != nullptr) {
        compare_to_rent(*on_average_.run, sheet_.options.hours_per_month, own);
      }
      if (best == nullptr ||
          ranked_usd_to_own(own, rules_) < ranked_usd_to_own(*best->owned, rules_)) {
        best = row;
      }
    }
    if (best == nullptr) {
      pick.buy_why = "no machine on sale runs it" + within_words() + unquoted_words();
      return;
    }
    pick.own = best->owned;
    pick.break_even_hours_per_month = best->owned->break_even_hours_per_month;
    if (best->owned->advice) pick.advice_at_hours = best->owned->advice_at_hours;
    pick.buy_key = best->key();
    pick.buy_why = own_words(*pick.own, sold) + unquoted_words();
    for (Row* row : rows_) {
      row->owned = holds(row->verdict) ? pick.own : std::nullopt;
    }
  }

  /// What a row's GPUs are sold in without a quote.
  std::string unquoted_words() const {
    std::vector<std::string> titles;
    for (const SoldMachine& machine : sheet_.machines) {
      const bool held = std::ranges::any_of(
          rows_, [&](const Row* row) { return row->gpu == machine.gpu && holds(row->verdict); });
      if (!machine.quoted && held) titles.push_back(machine.title);
    }
    return titles.empty() ? "" : "; no quote: " + join(titles, ", ");
  }

  std::string own_words(const OwnPick& own, std::int64_t sold) const {
    std::string words = std::to_string(own.machines) + " × " + own.machine_title + " for " +
                        usd_words(own.capex_usd) + " (" +
                        price_words(own.price_kind, own.price_as_of) +
                        "): " + usd_words(own.usd_per_run) + " per run (" +
                        usd_words(own.usd_per_run_low) + " to " + usd_words(own.usd_per_run_high) +
                        ") at " + format_number(own.planned_runs_per_month, 1) +
                        " runs per month, the lowest of the machines of " + std::to_string(sold) +
                        (sold == 1 ? " GPU type" : " GPU types");
    if (own.unused_gpus > 0) {
      words += "; " + std::to_string(own.unused_gpus) + " of its GPUs stay idle";
    }
    if (!own.measured) words += "; nobody published a speed of its GPU type with this method";
    if (own.lead_time_weeks) words += "; delivered in " + lead_words(*own.lead_time_weeks);
    if (!own.rent_set_up) return words;
    const RentSetUp& rented = *own.rent_set_up;
    words += own.break_even_hours_per_month
                 ? "; owning is cheaper from " + pays_from_words(own)
                 : "; owning is never cheaper within the hours of a month";
    return words + ", against " + std::to_string(rented.gpus) + " × " +
           sheet_.gpu(rented.gpu).short_name + " from " + seller_name(sheet_, rented.provider) +
           " at " + usd_words(rented.usd.mid) + " per run (" + usd_words(rented.usd.low) + " to " +
           usd_words(rented.usd.high) + ")";
  }

  const Sheet& sheet_;
  const PickRules& rules_;
  std::vector<Row*> rows_;
  Contenders all_;
  Contenders eligible_;  ///< of them, those that may win
  Contender winner_;
  Contender on_average_;  ///< the cheapest on average; the winner where nothing is cheaper
};

}  // namespace

std::optional<Pick> decide_rows(const Sheet& sheet, const SizeAgain& again,
                                std::vector<Row>& rows) {
  std::optional<Pick> of_main;
  for (const Scenario& scenario : sheet.scenarios) {
    std::vector<Row*> those;
    for (Row& row : rows) {
      if (row.scenario == scenario.id) those.push_back(&row);
    }
    if (those.empty()) continue;
    Pick pick = Decision(sheet, again, std::move(those)).pick();
    if (sheet.scenarios.front().id == scenario.id) of_main = std::move(pick);
  }
  return of_main;
}

}  // namespace sizesheet
