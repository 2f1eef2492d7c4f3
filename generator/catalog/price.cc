// SPDX-License-Identifier: Apache-2.0
#include "catalog/price.h"

#include "catalog/entry.h"
#include "catalog/provider.h"
#include "support/exact_money.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr MicroUsd kHighest{1'000'000'000'000};  // a million dollars an hour, in any currency

/// An unknown price is a row left out, never 0.
MicroUsd read_hourly_price(ObjectReader& reader, const std::string& key = "usd_per_instance_hour") {
  if (reader.raw(key) == 0) reader.fault(key, "expected a price above 0, got 0");
  const MicroUsd price = reader.usd(key);
  if (price > kHighest) {
    reader.fault(key,
                 "expected a price of at most 1,000,000 an hour, got " + shown(reader.raw(key)));
  }
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
      "expected a price above 0 and at most 1,000,000 dollars an hour once converted, got " +
          format_usd(price.usd_per_instance_hour, 6));
}

}  // namespace

const std::vector<std::string>& price_tiers() {
  static const std::vector<std::string> tiers = {"on_demand",   "spot",        "reserved_1y",
                                                 "reserved_3y", "reserved_5y", "capacity_block",
                                                 kUnstatedTerm};
  return tiers;
}

std::string Price::key() const { return offer_key() + "/" + as_of; }

std::string Price::offer_key() const { return offer_key(tier); }

std::string Price::offer_key(const std::string& in_tier) const {
  return join({provider, region, instance, gpu, in_tier, std::to_string(gpus)}, "/");
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
  price.offer = reader.one_of("offer", {"list", "community", "marketplace"});
  price.as_of = read_date(reader, "as_of");
  read_amount(reader, exchange, price);
  price.own_tenancy = reader.one_of_or("tenancy", known_tenancies(), kUnstated);
  price.tenancy = price.own_tenancy;
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
  Json row = {{"gpu", price.gpu},       {"region", price.region}, {"instance", price.instance},
              {"gpus", price.gpus},     {"tier", price.tier},     {"offer", price.offer},
              {"source", price.source}, {"as_of", price.as_of}};
  if (price.asked) {
    row["currency"] = price.asked->currency;
    row["per_instance_hour"] = exact_usd(price.asked->per_instance_hour);
  } else {
    row["usd_per_instance_hour"] = exact_usd(price.usd_per_instance_hour);
  }
  const auto put = [&row](const char* key, const std::string& text, const std::string& unsaid) {
    if (text != unsaid) row[key] = text;
  };
  put("tenancy", price.own_tenancy, kUnstated);
  put("note", price.note, "");
  put("settled", price.settled, "");
  put("confirmed", price.confirmed, "");
  return row;
}

void refuse_repeated(const Price& price, std::set<std::string>& seen, Faults& faults) {
  if (seen.insert(price.key()).second) return;
  faults.add(price.file, price.pointer,
             "expected a price key that stands once, got " + in_quotes(price.key()) + " again");
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

}  // namespace sizesheet
