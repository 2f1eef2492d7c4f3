// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/price_age.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "catalog/files/entry.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "2026-09" -> months since year 0; nullopt for no date.
std::optional<std::int64_t> month_number(std::string_view date) {
  if (!day_number(date)) return std::nullopt;
  const auto year = parsed<std::int64_t>(date.substr(0, 4));
  const auto month = parsed<std::int64_t>(date.substr(5, 2));
  return year && month ? std::optional(*year * 12 + *month) : std::nullopt;
}

double as_double(std::int64_t days) { return static_cast<double>(days); }

/// A list of words, each of which is known.
std::vector<std::string> read_words(ObjectReader& reader, const std::string& key,
                                    const std::vector<std::string>& known) {
  std::vector<std::string> words = reader.texts(key);
  if (words.empty() && reader.sound(key)) {
    reader.fault(key, "expected at least one of " + join(known, ", ") + ", got []");
  }
  for (const std::string& word : words) {
    if (contains(known, word)) continue;
    reader.fault(key, "expected some of " + join(known, ", ") + ", got " + in_quotes(word) +
                          did_you_mean(word, known));
  }
  return words;
}

std::vector<AgeWidth> read_widths(ObjectReader& reader) {
  std::vector<AgeWidth> widths;
  for (ObjectReader& row : read_rows(reader, "widths")) {
    const AgeWidth width{row.integer("days", {0, 100000}), row.number("ln", {0, kMostLnOfAge})};
    row.done();
    if (!row.sound("")) continue;
    if (widths.empty() && (width.days != 0 || width.ln > 0)) {
      row.fault("", "expected a first width of 0 after 0 days");
    } else if (!widths.empty() && width.days <= widths.back().days) {
      row.mismatch("days", "more days than the " + std::to_string(widths.back().days) +
                               " of the width before");
    } else if (!widths.empty() && width.ln < widths.back().ln) {
      row.mismatch("ln", "at least the " + shortest(widths.back().ln) + " of the width before");
    }
    widths.push_back(width);
  }
  return widths;
}

AgeKind read_age_kind(ObjectReader& reader) {
  auto kind = read_members<AgeKind>(reader, {.bounds = {{"drift_per_day", {-1, 1}}},
                                             .choices = {{"sellers", kSellerKinds}},
                                             .may_lack = {"sellers"}});
  kind.tiers = read_words(reader, "tiers", price_tiers());
  kind.offers = read_words(reader, "offers", kOffers);
  kind.widths = read_widths(reader);
  reader.done();
  return kind;
}

}  // namespace

double AgeKind::ln_width(std::int64_t days) const {
  if (widths.empty()) return 0;
  const auto to =
      std::ranges::find_if(widths, [&](const AgeWidth& one) { return one.days >= days; });
  if (to == widths.begin()) return to->ln;
  const AgeWidth& from = *(to - 1);
  if (to == widths.end()) {
    // A price that goes its way at random is off by the root of the days.
    const double more = from.days > 0 ? as_double(days) / as_double(from.days) : 1;
    return std::min(kMostLnOfAge, from.ln * std::sqrt(more));
  }
  const double part = as_double(days - from.days) / as_double(to->days - from.days);
  return from.ln + part * (to->ln - from.ln);
}

const AgeKind* PriceAge::kind_of(const Price& price) const {
  return price.age_kind.empty() ? nullptr : entry_with(kinds, &AgeKind::id, price.age_kind);
}

double PriceAge::drift_per_day(const Price& price) const {
  const AgeKind* kind = kind_of(price);
  return kind != nullptr && rising.contains(price.gpu) ? kind->drift_per_day : 0;
}

PriceAge read_price_age(ObjectReader reader) {
  PriceAge age;
  age.raw = reader.whole();
  ObjectReader rise = reader.object("rise");
  age.rise = read_members<RiseRule>(rise, {.bounds = {{"months", {1, 120}}, {"share", {0, 10}}}});
  rise.done();
  age.kinds = read_list(reader, "kinds", read_age_kind);
  reader.done();
  return age;
}

bool rises(const PriceHistory& history, const RiseRule& rule) {
  if (history.points.empty()) return false;
  const PricePoint& last = history.points.back();
  const auto now = month_number(last.date);
  const PricePoint* before = nullptr;
  for (const PricePoint& point : history.points) {
    const auto month = month_number(point.date);
    if (now && month && *month <= *now - rule.months) before = &point;
  }
  if (before == nullptr) return false;
  return to_usd(last.usd_per_gpu_hour) >= to_usd(before->usd_per_gpu_hour) * (1 + rule.share);
}

void note_rises(const std::vector<PriceHistory>& histories, PriceAge& age) {
  for (const PriceHistory& history : histories) {
    if (rises(history, age.rise)) age.rising.insert(history.gpu);
  }
}

void mark_ages(const PriceAge& age, const std::vector<Provider>& providers,
               std::vector<Price>& prices) {
  for (Price& price : prices) {
    const Provider* known = entry_with(providers, &Provider::id, price.provider);
    const std::string& seller = known != nullptr ? known->kind : kSellerKinds.back();
    const auto kind = std::ranges::find_if(age.kinds, [&](const AgeKind& one) {
      return contains(one.tiers, price.tier) && contains(one.offers, price.offer) &&
             (one.sellers.empty() || one.sellers == seller);
    });
    price.age_kind = kind != age.kinds.end() ? kind->id : "";
  }
}

}  // namespace sizesheet
