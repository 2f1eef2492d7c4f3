// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/purchase.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/prices/price.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kPrice{0.01, 1e9};

constexpr Bounds<double> kWeeks{0, 520};

void check_lead_time(ObjectReader& reader, const PurchaseNode& node) {
  const auto& weeks = node.lead_time_weeks;
  if (!weeks || !reader.sound("lead_time_weeks") || weeks->low <= weeks->high) return;
  reader.fault("lead_time_weeks",
               "expected low <= high, got " + shortest(weeks->low) + ", " + shortest(weeks->high));
}

/// Pages, workbook and answers print the title, so they all say "used".
void check_used(ObjectReader& reader, const PurchaseNode& node) {
  if (!node.used() || !reader.sound("title") || node.title.find("used") != std::string::npos)
    return;
  reader.fault("title", "expected the word \"used\" in it beside condition \"used\", got " +
                            shown(node.title));
}

const std::vector<std::string> kRateUnits{
    rate_unit::kRatio,         rate_unit::kShare,          rate_unit::kShareOfPurchase,
    rate_unit::kShareOfCapex,  rate_unit::kShareOfCluster, rate_unit::kShareOfCapexPerYear,
    rate_unit::kSharePerYear,  rate_unit::kOomPerYear,     rate_unit::kYears,
    rate_unit::kHours,         rate_unit::kFtePerNode,     rate_unit::kFtePerSite,
    rate_unit::kUsdPerYear,    rate_unit::kUsdPerGpu,      rate_unit::kUsdPerGpuYear,
    rate_unit::kUsdPerKwMonth, rate_unit::kUsdPerKwh};

/// Above these no price is meant, and the dollars of a plan cannot be added up.
constexpr std::pair<std::string_view, double> kMostDollars[] = {
    {rate_unit::kUsdPerKwh, 100},  {rate_unit::kUsdPerKwMonth, 1e5},
    {rate_unit::kUsdPerGpu, 1e6},  {rate_unit::kUsdPerGpuYear, 1e6},
    {rate_unit::kUsdPerYear, 1e8},
};

Bounds<double> bounds_of_rate(std::string_view unit) {
  constexpr double kMost = 1e9;
  const auto known =
      std::ranges::find(kMostDollars, unit, &std::pair<std::string_view, double>::first);
  return {0, known == std::end(kMostDollars) ? kMost : known->second};
}

constexpr std::size_t kCodeSize = 3;  // of a currency

/// "EUR" of "EUR per kWh"; "" where the unit is none of money.
std::string currency_of(const std::string& unit) {
  const std::string code = unit.substr(0, kCodeSize);
  const bool people = unit == rate_unit::kFtePerNode || unit == rate_unit::kFtePerSite;
  if (!is_currency_code(code) || people) return "";
  return starts_with(unit.substr(kCodeSize), " per ") ? code : "";
}

std::string in_currency(const std::string& unit, const std::string& currency) {
  return currency_of(unit).empty() ? unit : currency + unit.substr(kCodeSize);
}

std::string read_unit(ObjectReader& reader) {
  std::string unit = read_filled_text(reader, "unit");
  if (!reader.sound("unit")) return unit;
  const std::string currency = currency_of(unit);
  std::vector<std::string> known = kRateUnits;
  if (!currency.empty()) {
    for (std::string& each : known) each = in_currency(each, currency);
  }
  if (!contains(known, unit)) {
    reader.fault("unit", "expected one of " + join(kRateUnits, ", ") +
                             ", where another currency may stand for USD; got " + shown(unit) +
                             did_you_mean(unit, known));
  }
  return unit;
}

/// The three values, each rounded once, and in the source what they were.
Estimate in_dollars(const Rate& rate, const ExchangeRate& exchange) {
  Estimate usd = rate.value;
  std::vector<std::string> stated;
  for (double* value : {&usd.low, &usd.typical, &usd.high}) {
    stated.push_back(shortest(*value));
    *value = to_usd(converted(rounded_usd(*value), exchange));
  }
  usd.source += "; stated as " + join(stated, ", ") + " " + rate.unit + "; " + words_of(exchange);
  return usd;
}

}  // namespace

Estimate read_estimate(ObjectReader reader, Bounds<double> bounds) {
  const auto estimate = read_entry<Estimate>(
      reader, {.numbers = bounds, .choices = {{"basis", kBases}}, .may_be_empty = {"note"}});
  if (reader.sound("") &&
      !(estimate.low <= estimate.typical && estimate.typical <= estimate.high)) {
    reader.fault("", "expected low <= typical <= high, got " + shortest(estimate.low) + ", " +
                         shortest(estimate.typical) + ", " + shortest(estimate.high));
  }
  return estimate;
}

std::int64_t whole_months(const LeadTime& weeks) {
  constexpr double kWeeksOfYear = 365.25 / 7;
  return static_cast<std::int64_t>(std::ceil(weeks.high * 12 / kWeeksOfYear));
}

const Rate& Purchase::rate(const std::string& id) const {
  if (const Rate* found = entry_with(rates, &Rate::id, id)) return *found;
  throw InputError("purchase rate " + in_quotes(id) + " is not in the catalog" +
                   did_you_mean(id, each_of(rates, &Rate::id)));
}

PurchaseNode read_purchase_node(ObjectReader& reader) {
  auto node = read_members<PurchaseNode>(reader, {.counts = {1, 65536},
                                                  .bounds = {{"low", kWeeks}, {"high", kWeeks}},
                                                  .may_lack = {"quoted"}});
  check_lead_time(reader, node);
  check_used(reader, node);
  node.usd = read_estimate(reader.object("usd"), kPrice);
  node.kw = read_estimate(reader.object("kw"), {0.001, 1e5});
  reader.done();
  return node;
}

PurchaseCard read_purchase_card(ObjectReader& reader) {
  auto card = read_members<PurchaseCard>(reader, {.may_lack = {"quoted"}});
  card.usd = read_estimate(reader.object("usd"), kPrice);
  reader.done();
  return card;
}

Rate read_rate(ObjectReader& reader) {
  auto rate = read_members<Rate>(reader);
  rate.unit = read_unit(reader);
  rate.value = read_estimate(reader.object("value"), bounds_of_rate(rate.unit));
  if (reader.has("covers")) rate.covers = reader.texts("covers");
  const std::vector<std::string> known = {"staff", "licence", "cabling"};
  for (const std::string& option : rate.covers) {
    if (contains(known, option)) continue;
    reader.fault("covers", "expected one of " + join(known, ", ") + "; got " + shown(option) +
                               did_you_mean(option, known));
  }
  reader.done();
  return rate;
}

void convert_rates(const Exchange& exchange, std::vector<Rate>& rates) {
  for (Rate& rate : rates) {
    const std::string currency = currency_of(rate.unit);
    if (currency.empty() || currency == "USD") continue;
    const ExchangeRate* found = exchange.rate_on(currency, rate.value.date);
    if (found == nullptr) {
      rate.unconverted = exchange.why_none(currency, rate.value.date);
      continue;
    }
    rate.exchange = *found;
    rate.value = in_dollars(rate, *found);
    rate.unit = in_currency(rate.unit, "USD");
  }
}

}  // namespace sizesheet
