// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/risks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "sheet/assemble/ownership.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/sections.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kDaysBack = 90;
constexpr double kLeastMove = 0.01;

std::string percent_of(double share) { return format_number(100 * share, 0) + "\u00a0%"; }

/// Picks of the handout with one property, and the GPU types that they have it of.
struct Sharing {
  std::int64_t count = 0;
  std::int64_t of = 0;
  std::map<std::string, std::set<std::string>> types;  ///< by provider: "MI300X"
};

template <typename Has>
Sharing sharing(const Sheet& sheet, Has has) {
  Sharing all;
  for (const Pick& pick : sheet.picks) {
    const Row* row = rent_pick_row(sheet, pick.model, pick.method);
    if (row == nullptr || row->set_up() == nullptr || !sheet.on_handout(pick.model)) continue;
    ++all.of;
    const RunCandidate& run = *row->set_up();
    if (!has(pick, run)) continue;
    ++all.count;
    all.types[seller_name(sheet, run.provider)].insert(sheet.gpu(run.gpu).short_name);
  }
  return all;
}

/// "5090 and MI300X from runpod"; of more than two types, one and how many others.
std::string types_of(const Sharing& all) {
  std::vector<std::string> names;
  std::size_t count = 0;
  for (const auto& [provider, types] : all.types) {
    count += types.size();
    names.push_back(joined_words({types.begin(), types.end()}) + " from " + provider);
  }
  if (count <= 2) return joined_words(names);
  const auto& [provider, types] = *all.types.begin();
  return *types.begin() + " from " + provider + " and " + std::to_string(count - 1) +
         " other offers (marked in the table)";
}

/// Told only where there is such a pick: it is a price to check.
void add_far_below(Sheet& sheet) {
  const Sharing all = sharing(
      sheet, [](const Pick& pick, const RunCandidate&) { return pick.far_below_next.has_value(); });
  if (all.count == 0) return;
  sheet.risks.push_back({"far-below-next", all.count, all.of, "picks far below the next offer",
                         types_of(all) + " " + kFarBelowNext});
}

void add_one_seller(Sheet& sheet) {
  const double share = sheet.options.pick_rules.exposure_share;
  const Sharing all =
      sharing(sheet, [](const Pick& pick, const RunCandidate&) { return pick.exposed; });
  sheet.risks.push_back({"one-seller", all.count, all.of,
                         "picks have only one seller near the printed price",
                         "They use " + types_of(all) + ". The next seller costs over " +
                             percent_of(share) + " more, or there is no other seller"});
}

void add_not_measured(Sheet& sheet) {
  double most = 0;
  const Sharing all = sharing(sheet, [&](const Pick&, const RunCandidate& run) {
    if (!run.measured) most = std::max(most, run.hours.high / run.hours.mid - 1);
    return !run.measured;
  });
  sheet.risks.push_back({"not-measured", all.count, all.of, "picks have an estimated speed",
                         "They use " + types_of(all) + ". A run can take up to " +
                             percent_of(most) + " longer and cost more"});
}

void add_ties(Sheet& sheet) {
  constexpr double kNearTie = 0.05;
  const Sharing all = sharing(sheet, [](const Pick& pick, const RunCandidate&) {
    return pick.runner_up && pick.runner_up->score_share <= kNearTie;
  });
  sheet.risks.push_back(
      {"tie", all.count, all.of,
       "picks have another GPU type with a score at most " + percent_of(kNearTie) + " higher",
       "Take the type that is in stock"});
}

/// A list price then and now.
struct Move {
  const SheetPrice* before = nullptr;
  const SheetPrice* after = nullptr;

  double share() const {
    return to_usd(after->usd_per_gpu_hour) / to_usd(before->usd_per_gpu_hour) - 1;
  }
};

/// Of every on-demand list offer that was seen on several days of the last 90, the first and the
/// last of them.
std::vector<Move> moves_of(const Sheet& sheet) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::int64_t>, Move> all;
  const auto today = day_number(sheet.meta.as_of);
  for (const SheetPrice& price : sheet.prices) {
    const auto day = day_number(price.as_of);
    const bool seen = today && day && *day <= *today && *today - *day <= kDaysBack;
    if (price.tier != "on_demand" || price.offer != "list" || !seen) continue;
    Move& move = all[{price.provider, price.region, price.instance, price.gpu, price.gpus}];
    if (move.before == nullptr || price.as_of < move.before->as_of) move.before = &price;
    if (move.after == nullptr || price.as_of > move.after->as_of) move.after = &price;
  }
  std::vector<Move> moves;
  for (const auto& [offer, move] : all) {
    if (move.before->as_of != move.after->as_of) moves.push_back(move);
  }
  return moves;
}

/// The offers that became dearer by a per cent or more, beside those that became cheaper; the
/// example is of the type picked most.
void add_moves(Sheet& sheet) {
  const std::vector<Move> all = moves_of(sheet);
  std::vector<Move> dearer;
  std::int64_t cheaper = 0;
  for (const Move& move : all) {
    if (move.share() >= kLeastMove) dearer.push_back(move);
    if (move.share() <= -kLeastMove) ++cheaper;
  }
  if (dearer.empty()) return;
  std::map<std::string, std::int64_t> picks;
  for (const Pick& pick : sheet.picks) {
    if (const Row* row = rent_pick_row(sheet, pick.model, pick.method)) ++picks[row->gpu];
  }
  std::ranges::sort(dearer, {}, &Move::share);
  const double middle = dearer[dearer.size() / 2].share();
  const Move& shown = *std::ranges::max_element(
      dearer, {}, [&](const Move& move) { return picks[move.after->gpu]; });
  const auto usd = [](const SheetPrice& price) { return format_usd(price.usd_per_gpu_hour, 2); };
  sheet.risks.push_back({"prices-rise", static_cast<std::int64_t>(dearer.size()),
                         static_cast<std::int64_t>(all.size()),
                         "compared list prices rose within " + std::to_string(kDaysBack) + " days",
                         "The median rise is " + percent_of(middle) + ". " +
                             (cheaper == 0   ? std::string("No price fell")
                              : cheaper == 1 ? std::string("1 price fell")
                                             : std::to_string(cheaper) + " prices fell") +
                             ". For example, " + sheet.gpu(shown.after->gpu).short_name + " at " +
                             seller_name(sheet, shown.after->provider) + " rose from $" +
                             usd(*shown.before) + " to $" + usd(*shown.after) + " per GPU-hour (+" +
                             percent_of(shown.share()) + ")"});
}

void add_old_prices(Sheet& sheet) {
  std::int64_t priced = 0;
  std::vector<std::string> old;
  for (const SheetGpu& gpu : sheet.gpus) {
    if (!gpu.list_price) continue;
    ++priced;
    if (gpu.list_price->old) old.push_back(gpu.short_name + " of " + gpu.list_price->as_of);
  }
  sheet.risks.push_back({"old-price", static_cast<std::int64_t>(old.size()), priced,
                         "GPU types have no price of the last " +
                             std::to_string(sheet.options.price_max_age_days) + " days",
                         joined_words(old)});
}

}  // namespace

void add_risks(Sheet& sheet) {
  add_far_below(sheet);
  const std::ptrdiff_t first = std::ssize(sheet.risks);
  add_one_seller(sheet);
  add_not_measured(sheet);
  std::ranges::stable_sort(sheet.risks.begin() + first, sheet.risks.end(), std::greater<>(),
                           &SheetRisk::count);
  add_moves(sheet);
  add_ties(sheet);
  add_old_prices(sheet);
  std::erase_if(sheet.risks, [](const SheetRisk& risk) { return risk.count == 0; });
}

}  // namespace sizesheet
