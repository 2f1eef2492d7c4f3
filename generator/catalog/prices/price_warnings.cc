// SPDX-License-Identifier: Apache-2.0
// What looks like a slip of the hand in prices that can each be read.

#include <algorithm>
#include <map>
#include <unordered_map>

#include "catalog/prices/price.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kLeap = 10;  // times, up or down

/// Median per GPU of a card in a tier.
class UsualPrices {
 public:
  explicit UsualPrices(const std::vector<Price>& known) {
    std::map<std::string, std::vector<MicroUsd>> all;
    for (const Price& price : known) {
      if (!price.settled.empty()) continue;
      all[card(price)].push_back(scaled(price.usd_per_instance_hour, 1, price.gpus));
    }
    for (auto& [card, prices] : all) medians_[card] = median(std::move(prices));
  }

  /// The price of one GPU, put down for an instance of several, shows as a fraction of the usual.
  /// "" where the row does not look like that.
  std::string price_of_one(const Price& price) const {
    const auto usual = medians_.find(card(price));
    const MicroUsd asked = price.usd_per_instance_hour;
    if (price.gpus == 1 || usual == medians_.end()) return "";
    if (asked * 3 >= usual->second * price.gpus) return "";
    return dollars(scaled(asked, 1, price.gpus)) + " a GPU-hour (" + dollars(asked) + " / " +
           std::to_string(price.gpus) + ") is below a third of " + dollars(usual->second) +
           ", the median of the catalog";
  }

 private:
  static std::string card(const Price& price) { return price.gpu + "/" + price.tier; }

  std::map<std::string, MicroUsd> medians_;
};

/// The rows of every offer by day.
class OfferHistory {
 public:
  void add(const std::vector<Price>& prices) {
    for (const Price& price : prices) {
      const auto day = day_number(price.as_of);
      if (day && price.settled.empty()) offers_[price.offer_key()].emplace_back(*day, &price);
    }
  }

  void sort() {
    for (auto& [offer, rows] : offers_) {
      std::ranges::stable_sort(rows,
                               [](const Dated& a, const Dated& b) { return a.first < b.first; });
    }
  }

  /// The newest row of the offer before `day`; nullptr where there is none.
  const Price* last_before(const std::string& offer, std::int64_t day) const {
    const auto rows = offers_.find(offer);
    if (rows == offers_.end()) return nullptr;
    const auto next =
        std::lower_bound(rows->second.begin(), rows->second.end(), day,
                         [](const Dated& row, std::int64_t wanted) { return row.first < wanted; });
    return next == rows->second.begin() ? nullptr : std::prev(next)->second;
  }

 private:
  using Dated = std::pair<std::int64_t, const Price*>;
  std::unordered_map<std::string, std::vector<Dated>> offers_;
};

/// "" or what is odd about the amount beside the offer's last.
std::string leap(const Price& price, const Price& last) {
  const MicroUsd now = price.usd_per_instance_hour;
  const MicroUsd then = last.usd_per_instance_hour;
  const bool up = now >= then * kLeap;
  if (!up && now * kLeap > then) return "";
  return dollars(now) + " is " + (up ? "ten times" : "a tenth of") + " the " + dollars(then) +
         " of the same offer on " + last.as_of + (up ? ", or more" : ", or less");
}

class Judge {
 public:
  Judge(const std::vector<Price>& rows, const std::vector<Price>& known, const std::string& day)
      : usual_(known), day_(day), last_day_(day_number(day)) {
    history_.add(known);
    if (&rows != &known) history_.add(rows);
    history_.sort();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].settled.empty()) judge(i, rows[i]);
    }
  }

  std::vector<PriceWarning> found;

 private:
  void judge(std::size_t row, const Price& price) {
    const std::string amount = price.asked ? "per_instance_hour" : "usd_per_instance_hour";
    const auto warn = [&](const std::string& key, const std::string& words) {
      if (!words.empty()) found.push_back({row, key, price.key() + ": " + words});
    };
    const std::string one = price.confirmed.empty() ? usual_.price_of_one(price) : "";
    if (!one.empty()) warn(amount, one + "; is it the price of one GPU?");
    const auto day = day_number(price.as_of);
    if (!day) return;
    if (price.tier == "spot") warn(amount, above_on_demand(price, *day));
    if (const Price* last = history_.last_before(price.offer_key(), *day)) {
      warn(amount, leap(price, *last));
    }
    if (last_day_ && *day > *last_day_)
      warn("as_of", "dated after " + day_ + ", the day of the sheet");
  }

  std::string above_on_demand(const Price& spot, std::int64_t day) const {
    const Price* list = history_.last_before(spot.offer_key("on_demand"), day + 1);
    if (list == nullptr || spot.usd_per_instance_hour <= list->usd_per_instance_hour) return "";
    return "spot at " + dollars(spot.usd_per_instance_hour) + " is above on demand at " +
           dollars(list->usd_per_instance_hour);
  }

  UsualPrices usual_;
  OfferHistory history_;
  std::string day_;
  std::optional<std::int64_t> last_day_;
};

}  // namespace

MicroUsd median(std::vector<MicroUsd> amounts) {
  std::ranges::sort(amounts);
  const std::size_t half = amounts.size() / 2;
  if (amounts.size() % 2 == 1) return amounts[half];
  return scaled(amounts[half - 1] + amounts[half], 1, 2);
}

std::vector<PriceWarning> price_warnings(const std::vector<Price>& rows,
                                         const std::vector<Price>& known, const std::string& day) {
  return Judge(rows, known, day).found;
}

void mark_doubts(std::vector<Price>& prices) {
  const UsualPrices usual(prices);
  for (Price& price : prices) {
    if (!price.settled.empty() || !price.confirmed.empty()) continue;
    price.doubt = usual.price_of_one(price);
  }
}

}  // namespace sizesheet
