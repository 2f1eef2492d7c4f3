// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_json_check.h"

#include <set>
#include <vector>

#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "evidence/accuracy.h"
#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/logo.h"
#include "sheet/money.h"
#include "sheet/repeated_picks.h"
#include "sheet/sections.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "sheet/spec_ownership.h"
#include "support/error.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Names = std::set<std::string>;

class Checker {
 public:
  Checker(const Sheet& sheet, const std::string& file) : sheet_(sheet), file_(file) {}

  void check() {
    if (sheet_.meta.exchange) check_exchange(*sheet_.meta.exchange);
    check_meta();
    models_ = ids_of(sheet_.models, "/models");
    methods_ = ids_of(sheet_.methods, "/methods");
    gpus_ = ids_of(sheet_.gpus, "/gpus");
    scenarios_ = ids_of(sheet_.scenarios, "/scenarios");
    for (const Row& row : sheet_.rows) rows_.insert(row.key());
    check_purchases();
    each(sheet_.rows, "/rows", [&](const Row& row, const auto& at) { check_row(row, at); });
    each(sheet_.picks, "/picks", [&](const Pick& pick, const auto& at) { check_pick(pick, at); });
    refuse_repeated_picks(sheet_.picks, file_);
    check_row_keys();
    check_gpus();
    if (sheet_.accuracy) check_speed(sheet_.accuracy->speed, "/accuracy/speed");
    if (sheet_.changes) check_changes(*sheet_.changes);
  }

 private:
  using Place = std::string;

  [[noreturn]] void refuse(const Place& place, const std::string& words) const {
    throw InputError(file_ + ":" + place + ": " + words);
  }
  template <typename T, typename Look>
  static void each(const std::vector<T>& list, const Place& place, const Look& look) {
    for (std::size_t i = 0; i < list.size(); ++i) look(list[i], place + "/" + std::to_string(i));
  }
  void filled(const auto& list, const Place& at) const {
    if (list.empty()) refuse(at, "expected one or more, got []");
  }
  /// The ids of a list that may not be empty; each is there once.
  template <typename T>
  Names ids_of(const std::vector<T>& list, const Place& place) const {
    filled(list, place);
    Names ids;
    each(list, place, [&](const T& item, const Place& at) {
      if (item.id.empty()) refuse(at + "/id", "expected a name, got \"\"");
      if (!ids.insert(item.id).second) refuse(at + "/id", in_quotes(item.id) + " is there twice");
    });
    return ids;
  }
  void known(const Names& names, const std::string& name, const Place& place,
             const char* what) const {
    if (names.contains(name)) return;
    refuse(place, std::string("no ") + what + " " + in_quotes(name) + " in this sheet" +
                      did_you_mean(name, {names.begin(), names.end()}));
  }
  void known_row(const std::optional<std::string>& key, const Place& place) const {
    if (key) known(rows_, *key, place, "row");
  }
  void one_of(const std::string& word, const std::vector<std::string>& words,
              const Place& place) const {
    if (contains(words, word)) return;
    refuse(place, "expected " + join(words, ", ") + ", got " + in_quotes(word) +
                      did_you_mean(word, words));
  }
  /// A count that is divided by, or multiplied with money.
  void count(std::int64_t value, const Place& place) const {
    constexpr std::int64_t kMost = 1'000'000;
    if (value >= 1 && value <= kMost) return;
    refuse(place, "expected an integer from 1 to 1000000, got " + std::to_string(value));
  }
  void hours(const std::optional<double>& value, const Place& place) const {
    constexpr double kMost = 1e9;
    if (!value || (*value >= 0 && *value <= kMost)) return;
    refuse(place, "expected a number from 0 to 1e9, got " + shortest(*value));
  }
  void hours_of_month(double value, const Place& place) const {
    if (value > 0 && value <= kHoursOfLongestMonth) return;
    refuse(place, "expected hours of a month, above 0 to " + shortest(kHoursOfLongestMonth) +
                      ", got " + shortest(value));
  }
  void date(const std::string& text, const Place& place) const {
    constexpr std::size_t kLength = 10;
    if (text.size() == kLength && day_number(text)) return;
    refuse(place, "expected a date YYYY-MM-DD, got " + in_quotes(text));
  }

  void check_meta() const {
    const SheetMeta& meta = sheet_.meta;
    date(meta.as_of, "/meta/as_of");
    one_of(meta.paper, {"a4", "letter"}, "/meta/paper");
    if (!meta.base_url.empty() && !is_address(meta.base_url)) {
      refuse("/meta/base_url", "expected https://…, got " + in_quotes(meta.base_url));
    }
    const SheetOptions& options = sheet_.options;
    filled(options.price_rules.stock, "/options/price_rules/stock");
    each(options.price_rules.stock, "/options/price_rules/stock",
         [&](const std::string& word, const Place& at) {
           if (word.empty()) refuse(at, "expected a word, got \"\"");
         });
    hours_of_month(options.planned_hours_per_month, "/options/planned_hours_per_month");
    hours_of_month(options.hours_per_month, "/options/hours_per_month");
    if (!options.logo.empty()) logo_of(options.logo, file_ + ":/options/logo");
  }
  /// Machines on sale and what each costs; the rates by which owning is worked out.
  void check_purchases() {
    for (const SheetEstimate& node : sheet_.purchase_nodes) machines_.insert(node.id);
    each(sheet_.machines, "/machines", [&](const SoldMachine& machine, const Place& at) {
      known(machines_, machine.id, at + "/id", "price of a machine");
    });
    const std::vector<std::string> roles = each_of(ownership_roles(), &OwnershipRole::name);
    each(sheet_.rates, "/rates", [&](const SheetEstimate& rate, const Place& at) {
      if (!rate.role.empty()) one_of(rate.role, roles, at + "/role");
    });
  }
  void known_job(const auto& of, const Place& at) const {
    known(models_, of.model, at + "/model", "model");
    known(methods_, of.method, at + "/method", "method");
  }
  void known_gpu(const auto& of, const Place& at) const {
    known(gpus_, of.gpu, at + "/gpu", "GPU type");
  }
  void check_row(const Row& row, const Place& at) const {
    known_job(row, at);
    known_gpu(row, at);
    known(scenarios_, row.scenario, at + "/scenario", "scenario");
    if (row.modelled) {
      one_of(id_of(row.verdict), {"fits", "tight", "no"}, at + "/verdict");
      count(row.layout.gpus, at + "/layout/gpus");
    }
    hours(row.hours_low, at + "/hours/low");
    hours(row.hours_mid, at + "/hours/mid");
    hours(row.hours_high, at + "/hours/high");
    for (const SheetTier& tier : kRentTiers) {
      const auto& line = row.rents[tier];
      if (line) count(line->instances, at + "/rent/" + tier.name + "/instances");
    }
    if (row.own) {
      count(row.own->nodes, at + "/own/nodes");
      known(machines_, row.own->node, at + "/own/node", "machine");
    }
    if (row.owned) check_owned(*row.owned, at + "/owned");
    each(row.candidates, at + "/candidates",
         [&](const RunCandidate& run, const Place& place) { known_gpu(run, place); });
    if (row.chosen) place_in(row.candidates, *row.chosen, at + "/chosen");
  }
  void place_in(const auto& list, std::int64_t place, const Place& at) const {
    const auto size = static_cast<std::int64_t>(list.size());
    if (place >= 0 && place < size) return;
    refuse(at, "expected a place in a list of " + std::to_string(size) + ", got " +
                   std::to_string(place));
  }
  void check_owned(const OwnPick& own, const Place& at) const {
    known_gpu(own, at);
    known(machines_, own.machine, at + "/machine", "machine");
    if (own.rent_set_up) known_gpu(*own.rent_set_up, at + "/rent_set_up");
    count(own.machines, at + "/machines");
    count(own.gpus, at + "/gpus");
    hours(own.hours.mid, at + "/hours/mid");
  }
  /// Of a run that a pick names, if it does.
  void check_place(const auto& run, const Place& at) const {
    if (!run) return;
    known_row(run->row, at + "/row");
    place_in(sheet_.find(run->row)->candidates, run->candidate, at + "/candidate");
  }
  void check_pick(const Pick& pick, const Place& at) const {
    known_job(pick, at);
    known(scenarios_, pick.scenario, at + "/scenario", "scenario");
    known_row(pick.rent_key, at + "/rent_pick");
    known_row(pick.hourly_key, at + "/hourly_pick");
    known_row(pick.buy_key, at + "/buy_pick");
    if (pick.own) check_owned(*pick.own, at + "/own");
    if (pick.rent_key && pick.candidate) {
      place_in(sheet_.find(*pick.rent_key)->candidates, *pick.candidate, at + "/candidate");
    }
    if (pick.second_source) known_gpu(*pick.second_source, at + "/second_source");
    if (pick.if_available) known_gpu(*pick.if_available, at + "/if_available");
    each(pick.at_lengths, at + "/at_lengths",
         [&](const LengthPick& of, const Place& place) { known_gpu(of, place); });
    check_place(pick.runner_up, at + "/runner_up");
    check_place(pick.cheapest_mid, at + "/cheapest_mid");
  }
  void check_row_keys() const {
    const auto row_key = [&](const auto& item, const Place& at) {
      known(rows_, item.row_key, at + "/row_key", "row");
    };
    const auto job = [&](const auto& item, const Place& at) { known_job(item, at); };
    each(sheet_.offers, "/offers", row_key);
    each(sheet_.series, "/series", row_key);
    each(sheet_.what_if, "/what_if", [&](const SheetWhatIf& all, const Place& at) {
      row_key(all, at);
      filled(all.levers, at + "/levers");
      if (!all.combination) return;
      Names ids;
      for (const SheetLever& lever : all.levers) ids.insert(lever.id);
      each(all.combination->levers, at + "/combination/levers",
           [&](const std::string& id, const Place& place) { known(ids, id, place, "lever"); });
    });
    each(sheet_.zero_stages, "/zero_stages", [&](const SheetZeroStages& stages, const Place& at) {
      known(models_, stages.model, at + "/model", "model");
      known_gpu(stages, at);
      filled(stages.stages, at + "/stages");
    });
    each(sheet_.adapter_ranks, "/adapter_ranks",
         [&](const SheetAdapterRanks& ranks, const Place& at) {
           job(ranks, at);
           filled(ranks.ranks, at + "/ranks");
         });
    each(sheet_.services, "/services", job);
    if (sheet_.advice) check_cards(*sheet_.advice);
    if (sheet_.plan) {
      if (sheet_.plan->totals.why.empty()) filled(sheet_.plan->kinds, "/plan/kinds");
      each(sheet_.plan->kinds, "/plan/kinds", job);
      each(sheet_.plan->assignments, "/plan/assignments", job);
    }
    each(sheet_.worksheets, "/worksheets", [&](const SheetWorksheet& sheet, const Place& at) {
      filled(sheet.columns, at + "/columns");
    });
    if (!sheet_.ownership) return;
    each(sheet_.ownership->uses, "/ownership/uses", row_key);
    each(sheet_.ownership->tornadoes, "/ownership/tornadoes", row_key);
    each(sheet_.ownership->buy_or_rent, "/ownership/buy_or_rent",
         [&](const BuyOrRent& choice, const Place& at) {
           known_job(choice, at);
           known(rows_, choice.buy_key, at + "/buy_key", "row");
           known(rows_, choice.rent_key, at + "/rent_key", "row");
         });
  }
  void check_exchange(const ShownCurrency& rate) const {
    if (!is_currency_sign(rate.symbol)) {
      refuse("/meta/exchange/symbol",
             "expected letters or signs of a currency, got " + in_quotes(rate.symbol));
    }
    if (rate.usd_per_unit > MicroUsd{}) return;
    refuse("/meta/exchange/usd_per_unit",
           "expected a rate above 0, got " + shortest(to_usd(rate.usd_per_unit)));
  }
  void check_cards(const SheetAdvice& advice) const {
    each(advice.tiers, "/advice/tiers", [&](const SheetCardTier& tier, const Place& tier_at) {
      each(tier.cards, tier_at + "/cards", [&](const SheetCard& card, const Place& card_at) {
        each(card.answers, card_at + "/answers", [&](const SheetCardAnswer& one, const Place& at) {
          if (!one.model.empty()) known(models_, one.model, at + "/model", "model");
        });
      });
    });
  }
  void check_gpus() const {
    each(sheet_.prices, "/prices", [&](const SheetPrice& price, const Place& at) {
      known_gpu(price, at);
      count(price.gpus, at + "/gpus");
      if (!day_number(price.as_of)) {
        refuse(at + "/as_of", "expected a date, got " + in_quotes(price.as_of));
      }
    });
    each(sheet_.price_histories, "/price_histories", [&](const PriceHistory& of, const Place& at) {
      known_gpu(of, at);
      if (of.points.empty()) refuse(at + "/points", "expected one or more, got []");
      each(of.points, at + "/points", [&](const PricePoint& point, const Place& place) {
        if (day_number(point.date)) return;
        refuse(place + "/date", "expected a date, got " + in_quotes(point.date));
      });
    });
    each(sheet_.price_ages, "/price_ages", [&](const SheetPriceAge& of, const Place& at) {
      if (of.widths.empty()) refuse(at + "/widths", "expected one or more, got []");
      std::int64_t before = -1;
      each(of.widths, at + "/widths", [&](const AgeWidth& width, const Place& place) {
        if (width.days <= before) {
          refuse(place + "/days",
                 "expected more days than the width before, got " + std::to_string(width.days));
        }
        before = width.days;
      });
    });
    each(sheet_.machines, "/machines", [&](const SoldMachine& machine, const Place& at) {
      known_gpu(machine, at);
      count(machine.gpus, at + "/gpus");
    });
  }
  void check_speed(const SpeedAccuracy& speed, const Place& at) const {
    check_part(speed.all, at + "/all");
    check_part(speed.tuned, at + "/tuned");
    check_part(speed.held_out, at + "/held_out");
  }
  void check_part(const SpeedPart& part, const Place& at) const {
    if (part.covered || !part.errors) return;
    refuse(at + "/covered", "expected a number beside errors, got null");
  }
  void known_kind(const std::string& id, const Place& place) const {
    const std::vector<std::string> kinds = each_of(change_kinds(), &ChangeKind::id);
    if (contains(kinds, id)) return;
    refuse(place, "no kind of change " + in_quotes(id) + did_you_mean(id, kinds));
  }
  void check_changes(const SheetChanges& changes) const {
    each(changes.changes, "/changes/changes", [&](const Change& change, const Place& at) {
      one_of(change.of, {"row", "pick"}, at + "/of");
      one_of(change.level, {"breaking", "notable", "detail"}, at + "/level");
      known_kind(change.kind, at + "/kind");
      each(change.also, at + "/also",
           [&](const std::string& kind, const Place& place) { known_kind(kind, place); });
    });
  }

  const Sheet& sheet_;
  const std::string& file_;
  Names models_, methods_, gpus_, scenarios_, rows_, machines_;
};

}  // namespace

void check_sheet(const Sheet& sheet, const std::string& file) { Checker(sheet, file).check(); }

}  // namespace sizesheet
