// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/price.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "catalog/files/entry.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr MicroUsd kHighest{1'000'000'000'000};  // a million dollars per hour, in any currency

/// An unknown price is a row left out, never 0.
MicroUsd read_hourly_price(ObjectReader& reader, const std::string& key = "usd_per_instance_hour") {
  if (reader.raw(key) == 0) reader.fault(key, "expected a price above 0, got 0");
  const MicroUsd price = reader.usd(key);
  if (price > kHighest) reader.mismatch(key, "a price of at most 1,000,000 an hour");
  return price;
}

/// Dollars an instance-hour, converted where the row is in another currency.
void read_amount(ObjectReader& reader, const Exchange& exchange, Price& price) {
  const std::string currency = reader.text_or("currency", "USD");
  if (currency == "USD") {
    price.usd_per_instance_hour = read_hourly_price(reader);
    return;
  }
  const MicroUsd amount = read_hourly_price(reader, "per_instance_hour");
  if (!reader.sound("as_of") || !reader.sound("currency")) return;
  if (!reader.sound("per_instance_hour")) return;
  const ExchangeRate* rate = exchange.rate_on(currency, price.as_of);
  if (rate == nullptr) {
    reader.fault("currency", exchange.why_none(currency, price.as_of));
    return;
  }
  price.asked = AskedPrice{currency, amount, *rate};
  price.usd_per_instance_hour = converted(amount, *rate);
  if (price.usd_per_instance_hour > MicroUsd{} && price.usd_per_instance_hour <= kHighest) return;
  reader.fault(
      "per_instance_hour",
      "expected a price above 0 and at most 1,000,000 dollars per hour once converted, got " +
          format_usd(price.usd_per_instance_hour, 6));
}

/// The first is an instance, and the price counts for every further `gpus` of a machine.
void read_counts(ObjectReader& reader, Price& price) {
  if (!reader.has("counts")) return;
  price.counts = reader.integers("counts", {1, 65536});
  if (!reader.sound("counts") || !reader.sound("gpus")) return;
  const std::vector<std::int64_t>& counts = price.counts;
  const bool ascending =
      std::adjacent_find(counts.begin(), counts.end(), std::greater_equal{}) == counts.end();
  const bool whole =
      std::ranges::all_of(counts, [&](std::int64_t count) { return count % price.gpus == 0; });
  if (!counts.empty() && counts.front() == price.gpus && ascending && whole) return;
  reader.mismatch("counts", "ascending counts of GPUs, first the " + std::to_string(price.gpus) +
                                " of an instance, then multiples of it");
}

/// On which days the price is asked, and whether cards can be had for it.
void read_sale(ObjectReader& reader, Price& price) {
  read_validity(reader, price.valid_from, price.valid_until);
  if (reader.has("sale")) price.sale = reader.one_of("sale", kSales);
  const RentTier* tier = find_tier(price.tier);
  if (price.sale && tier != nullptr && tier->paid != PaidFor::kItsHours) {
    reader.fault("sale",
                 "expected no such key: a row of tier " + price.tier + " is no price by the hour");
  }
  price.second_reading = reader.flag_or("second_reading", false);
  if (reader.has("second_reading") && reader.sound("second_reading") && !price.second_reading) {
    reader.fault("second_reading", "expected true or no such key, got false");
  }
}

/// What an order must at least be; no such key stands where it would say nothing.
void read_minimum(ObjectReader& reader, Price& price) {
  price.minimum_gpus = reader.optional_integer("minimum_gpus", {1, 65536});
  if (price.minimum_gpus && reader.sound("gpus") && *price.minimum_gpus <= price.gpus) {
    reader.mismatch("minimum_gpus",
                    "more GPUs than the " + std::to_string(price.gpus) + " of an instance",
                    *price.minimum_gpus);
  }
  price.minimum_term_days = reader.optional_integer("minimum_term_days", {1, 3660});
  price.minimum_term_hours = reader.optional_integer("minimum_term_hours", {2, 87840});
  if (price.minimum_term_days && price.minimum_term_hours) {
    reader.fault("minimum_term_hours", "expected no such key beside minimum_term_days");
  }
  const RentTier* tier = find_tier(price.tier);
  if (tier == nullptr || tier->paid == PaidFor::kItsHours) return;
  for (const char* key : {"minimum_term_days", "minimum_term_hours"}) {
    if (!reader.has(key)) continue;
    reader.fault(key, "expected no such key: a row of tier " + price.tier + " is a term already");
  }
}

/// The keys that every row has in the order of the files, then any other.
Members row_members(const Price& price) {
  Members row{{"gpu", price.gpu},   {"region", price.region}, {"instance", price.instance},
              {"gpus", price.gpus}, {"tier", price.tier},     {"offer", price.offer}};
  const auto put = [&row](const char* key, const Json& value, const Json& unsaid = nullptr) {
    if (value != unsaid) row.emplace_back(key, value);
  };
  const std::optional<AskedPrice>& asked = price.asked;
  if (!asked) put("usd_per_instance_hour", exact_usd(price.usd_per_instance_hour));
  put("as_of", price.as_of);
  put("source", price.source);
  put("confirmed", price.confirmed, "");
  put("counts", price.counts, Json::array());
  if (asked) put("currency", asked->currency);
  put("interconnect", as_json(price.interconnect));
  put("minimum_gpus", as_json(price.minimum_gpus));
  put("minimum_term_days", as_json(price.minimum_term_days));
  put("minimum_term_hours", as_json(price.minimum_term_hours));
  put("note", price.note, "");
  if (asked) put("per_instance_hour", exact_usd(asked->per_instance_hour));
  put("sale", as_json(price.sale));
  put("second_reading", price.second_reading, false);
  put("settled", price.settled, "");
  put("stock", as_json(price.stock));
  put("tenancy", price.own_tenancy, kUnstated);
  put("valid_from", as_json(price.valid_from));
  put("valid_until", as_json(price.valid_until));
  return row;
}

constexpr std::int64_t kMillionths = 1'000'000;

/// The newest rate of the currency on or before `day`, whatever its age.
const ExchangeRate* newest_until(const std::vector<ExchangeRate>& rates,
                                 const std::string& currency, std::int64_t day) {
  const ExchangeRate* newest = nullptr;
  for (const ExchangeRate& rate : rates) {
    const auto rate_day = day_number(rate.date);
    if (rate.currency != currency || !rate_day || *rate_day > day) continue;
    if (newest == nullptr || day_number(newest->date) < rate_day) newest = &rate;
  }
  return newest;
}

}  // namespace

const RentTier* find_tier(std::string_view key) {
  const auto found = std::ranges::find(kPriceTiers, key, &RentTier::key);
  return found == kPriceTiers.end() ? nullptr : &*found;
}

const RentTier& price_tier(std::string_view key) {
  if (const RentTier* tier = find_tier(key)) return *tier;
  throw std::out_of_range("no such tier: " + std::string(key));
}

const std::vector<std::string>& price_tiers() {
  static const std::vector<std::string> kKeys = each_of(kPriceTiers, &RentTier::key);
  return kKeys;
}

bool joins_nodes(const std::optional<std::string>& interconnect) {
  const auto known = std::ranges::find(kInterconnects, interconnect, &Interconnect::key);
  return known != std::end(kInterconnects) && known->joins_nodes;
}

std::optional<std::int64_t> machine_gpus(const PriceFacts& offer, std::int64_t gpus) {
  if (offer.counts.empty()) return gpus;
  const auto machine = std::ranges::lower_bound(offer.counts, gpus);
  return machine == offer.counts.end() ? std::nullopt : std::optional(*machine);
}

std::string Price::key() const { return offer_key() + "/" + as_of; }

std::string Price::offer_key() const { return offer_key(tier); }

std::string Price::offer_key(const std::string& in_tier) const {
  return join({provider, region, instance, gpu, in_tier, std::to_string(gpus)}, "/");
}

std::string stock_of(const PriceFacts& price) {
  const bool reserved = price.sale == kSales.front() && price.stock != kStocks.back();
  return reserved ? kSales.front() : price.stock.value_or("unknown");
}

Price read_price(ObjectReader& reader, const std::string& provider, const Exchange& exchange) {
  Price price;
  price.provider = provider;
  price.gpu = read_filled_text(reader, "gpu");
  price.region = read_filled_text(reader, "region");
  price.instance = reader.text("instance");
  if (!price.instance.empty()) read_filled_text(reader, "instance");
  price.gpus = reader.integer("gpus", {1, 65536});
  price.tier = reader.one_of("tier", price_tiers());
  price.offer = reader.one_of("offer", kOffers);
  price.as_of = read_date(reader, "as_of");
  read_amount(reader, exchange, price);
  price.own_tenancy = reader.one_of_or("tenancy", kTenancies, kUnstated);
  price.tenancy = price.own_tenancy;
  if (reader.has("stock")) price.stock = reader.one_of("stock", kStocks);
  if (reader.has("interconnect")) {
    price.interconnect = reader.one_of("interconnect", each_of(kInterconnects, &Interconnect::key));
  }
  read_counts(reader, price);
  read_minimum(reader, price);
  read_sale(reader, price);
  price.source = read_source(reader);
  price.note = read_note(reader);
  price.settled = read_note(reader, "settled");
  price.confirmed = read_note(reader, "confirmed");
  price.file = reader.file();
  price.pointer = reader.pointer("");
  reader.done();
  return price;
}

Json price_row(const Price& price) {
  Json row = Json::object();
  for (const auto& [key, value] : row_members(price)) row[key] = value;
  return row;
}

void refuse_repeated(const Price& price, std::set<std::string>& seen, Faults& faults) {
  if (seen.insert(price.key()).second) return;
  faults.add(price.file, price.pointer,
             "expected a price key that is used once, got " + in_quotes(price.key()) + " again");
}

ExcludedPrice read_excluded_price(ObjectReader& reader) {
  ExcludedPrice price;
  price.provider = read_filled_text(reader, "provider");
  price.gpu = read_id(reader, "gpu");
  price.reason = read_filled_text(reader, "reason");
  read_source(reader);
  read_filled_text(reader, "region");
  reader.text("instance");
  read_filled_text(reader, "as_of");  // often just what is wrong with the row: "undated"
  reader.integer("gpus", {1, 65536});
  std::vector<std::string> tiers = price_tiers();
  tiers.emplace_back("index");
  reader.one_of("tier", tiers);
  read_hourly_price(reader);
  reader.done();
  return price;
}

std::string price_file_text(const std::string& provider, const std::vector<Price>& prices,
                            const Json& schema) {
  std::string text = "{\n";
  if (schema.is_string()) text += "  \"$schema\": " + json_text(schema) + ",\n";
  text += "  \"provider\": " + json_text(provider) + ",\n  \"rows\": [";
  const char* before = "\n    {\n      ";
  for (const Price& price : prices) {
    text += std::exchange(before, ",\n    {\n      ") +
            members_text(row_members(price), ",\n      ") + "\n    }";
  }
  return text + "\n  ]\n}\n";
}

const ExchangeRate* Exchange::rate_on(const std::string& currency, const std::string& day) const {
  const auto number = day_number(day);
  if (!number) return nullptr;
  const ExchangeRate* newest = newest_until(rates, currency, *number);
  if (newest == nullptr || *number - *day_number(newest->date) > max_age_days) return nullptr;
  return newest;
}

std::string Exchange::why_none(const std::string& currency, const std::string& day) const {
  std::vector<std::string> known{"USD"};
  for (const ExchangeRate& rate : rates) {
    if (rate.currency == currency) {
      const ExchangeRate* newest = newest_until(rates, currency, day_number(day).value_or(0));
      return "expected a rate of exchange dated at most " + std::to_string(max_age_days) +
             " days before " + day + " in exchange.json for " + in_quotes(currency) + ", " +
             (newest == nullptr ? "got later ones only" : "the newest is of " + newest->date);
    }
    known.push_back(rate.currency);
  }
  return "expected USD or a currency with a rate in exchange.json, got " + in_quotes(currency) +
         did_you_mean(currency, known);
}

ExchangeRate read_rate_of_exchange(ObjectReader& reader, const char* currency, const char* day) {
  ExchangeRate rate;
  rate.raw = reader.whole();
  rate.currency = reader.text(currency);
  if (reader.sound(currency) && (!is_currency_code(rate.currency) || rate.currency == "USD")) {
    reader.fault(currency, "expected three capital letters (ISO 4217) other than USD, got " +
                               in_quotes(rate.currency));
  }
  rate.usd_per_unit = reader.usd("usd_per_unit");
  constexpr std::int64_t kHighestRate = 1000;  // dollars; no currency comes near
  const std::int64_t value = rate.usd_per_unit.value;
  if (reader.sound("usd_per_unit") && value == 0) {
    reader.fault("usd_per_unit", "expected a rate above 0, got 0");
  } else if (value > kHighestRate * kMillionths) {
    reader.mismatch("usd_per_unit", "a rate of at most 1,000 dollars");
  }
  rate.date = read_date(reader, day);
  if (reader.sound(day) && rate.date.size() != 10) {
    reader.fault(day, "expected a day YYYY-MM-DD, got " + in_quotes(rate.date));
  }
  rate.source = read_source(reader);
  reader.done();
  return rate;
}

std::string dollars(MicroUsd amount) { return "$" + shortest(to_usd(amount)); }

std::string words_of(const ExchangeRate& rate) {
  return "1 " + rate.currency + " = " + dollars(rate.usd_per_unit) + " on " + rate.date + " (" +
         rate.source + ")";
}

bool is_currency_code(std::string_view code) {
  return code.size() == 3 && std::ranges::all_of(code, is_capital);
}

MicroUsd converted(MicroUsd amount, const ExchangeRate& rate) {
  return scaled(amount, rate.usd_per_unit.value, kMillionths);
}

MicroUsd in_currency(MicroUsd usd, const ExchangeRate& rate) {
  constexpr std::int64_t kKept = (std::int64_t{1} << 33) * kMillionths;
  const MicroUsd amount = scaled(usd, kMillionths, rate.usd_per_unit.value);
  const bool kept = amount.value < kKept && amount.value > -kKept;
  return kept ? amount : scaled(amount, 1, kMillionths) * kMillionths;
}

PriceHistory read_price_history(ObjectReader& reader) {
  PriceHistory history{read_id(reader, "gpu"),
                       read_filled_text(reader, "basis"),
                       {},
                       read_source(reader),
                       read_note(reader),
                       reader.whole()};
  for (ObjectReader& row : read_rows(reader, "points")) {
    const PricePoint point{read_date(row, "date"), read_hourly_price(row, "usd_per_gpu_hour"),
                           row.integer("sellers", kCount)};
    if (!history.points.empty() && point.date <= history.points.back().date) {
      row.fault("date", "expected one after " + history.points.back().date + ", got " + point.date);
    }
    history.points.push_back(point);
    row.done();
  }
  reader.done();
  return history;
}

Exchange read_exchange(ObjectReader reader) {
  Exchange exchange;
  exchange.max_age_days = reader.integer("max_age_days", {0, 100000});
  for (ObjectReader& rate : reader.objects("rates")) {
    exchange.rates.push_back(read_rate_of_exchange(rate));
    for (std::size_t i = 0; i + 1 < exchange.rates.size(); ++i) {
      const ExchangeRate& last = exchange.rates.back();
      if (exchange.rates[i].currency != last.currency || exchange.rates[i].date != last.date) {
        continue;
      }
      rate.fault("date",
                 "expected one rate of " + last.currency + " per day, got " + last.date + " again");
    }
  }
  reader.done();
  return exchange;
}

}  // namespace sizesheet
