// SPDX-License-Identifier: Apache-2.0
#include "catalog/purchase.h"

#include <algorithm>

#include "catalog/entry.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kPrice{0.01, 1e9};
constexpr Bounds<double> kKilowatts{0.001, 1e5};
constexpr Bounds<double> kRate{0, 1e9};

Estimate read_estimate(ObjectReader reader, Bounds<double> bounds) {
  Estimate estimate;
  estimate.low = reader.number("low", bounds);
  estimate.typical = reader.number("typical", bounds);
  estimate.high = reader.number("high", bounds);
  if (reader.sound("") &&
      !(estimate.low <= estimate.typical && estimate.typical <= estimate.high)) {
    reader.fault("", "expected low <= typical <= high, got " + shortest(estimate.low) + ", " +
                         shortest(estimate.typical) + ", " + shortest(estimate.high));
  }
  estimate.basis = reader.one_of("basis", {"source", "part-assumption", "assumption"});
  estimate.source = read_source(reader);
  estimate.date = read_date(reader, "date");
  estimate.note = reader.text("note");
  reader.done();
  return estimate;
}

std::vector<std::string> read_covers(ObjectReader& reader) {
  const std::vector<std::string> known = {"staff", "licence", "cabling"};
  std::vector<std::string> covers = reader.texts("covers");
  for (const std::string& option : covers) {
    if (std::find(known.begin(), known.end(), option) != known.end()) continue;
    reader.fault("covers", "expected one of " + join(known, ", ") + "; got " + shown(option) +
                               did_you_mean(option, known));
  }
  return covers;
}

}  // namespace

const Rate& Purchase::rate(const std::string& id) const {
  std::vector<std::string> known;
  for (const Rate& rate : rates) {
    if (rate.id == id) return rate;
    known.push_back(rate.id);
  }
  throw InputError("purchase rate \"" + id + "\" is not in the catalog" + did_you_mean(id, known));
}

PurchaseNode read_purchase_node(ObjectReader& reader) {
  PurchaseNode node;
  node.raw = reader.whole();
  node.id = read_id(reader, "id");
  node.title = read_filled_text(reader, "title");
  node.gpu = read_filled_text(reader, "gpu");
  node.gpus = reader.integer("gpus", {1, 65536});
  node.multi_node = reader.flag("multi_node");
  node.usd = read_estimate(reader.object("usd"), kPrice);
  node.kw = read_estimate(reader.object("kw"), kKilowatts);
  reader.done();
  return node;
}

PurchaseCard read_purchase_card(ObjectReader& reader) {
  PurchaseCard card;
  card.raw = reader.whole();
  card.id = read_id(reader, "id");
  card.title = read_filled_text(reader, "title");
  card.gpu = read_filled_text(reader, "gpu");
  card.usd = read_estimate(reader.object("usd"), kPrice);
  reader.done();
  return card;
}

Rate read_rate(ObjectReader& reader) {
  Rate rate;
  rate.raw = reader.whole();
  rate.id = read_id(reader, "id");
  rate.title = read_filled_text(reader, "title");
  rate.unit = read_filled_text(reader, "unit");
  rate.value = read_estimate(reader.object("value"), kRate);
  if (reader.has("covers")) rate.covers = read_covers(reader);
  reader.done();
  return rate;
}

}  // namespace sizesheet
