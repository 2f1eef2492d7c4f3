// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_spot.h"

#include <string>

#include "catalog/catalog.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/prices/price.h"
#include "catalog/prices/project_rates.h"
#include "sheet/money.h"
#include "sheet/spot.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kRatesOfCatalog = "catalog";
constexpr const char* kRateOfSheet = "sheet";
constexpr Bounds<double> kRateOfInterruptions{0, 60};
constexpr Bounds<double> kHoursOfCheckpoint{0.001, 10000};

/// The catalog has a source for each of its rates, and a rate is no share.
void refuse_beside_rate(ObjectReader& reader, bool of_catalog) {
  if (reader.mentions("share")) reader.fault("share", "expected no such key beside rate");
  for (const char* key : {"basis", "source"}) {
    if (of_catalog && reader.mentions(key)) {
      reader.fault(key, "expected no such key beside rate \"catalog\"");
    }
  }
}

void read_checkpoint_hours(ObjectReader& reader, const Catalog& catalog, SpotRule& rule) {
  const ProjectRate* usual = catalog.project.find(kCheckpointHours);
  if (usual == nullptr) {
    rule.checkpoint_hours = reader.number("checkpoint_hours", kHoursOfCheckpoint);
  } else {
    rule.checkpoint_hours =
        reader.number_or("checkpoint_hours", usual->value.typical, kHoursOfCheckpoint);
    rule.checkpoint_basis = usual->value.basis;
    rule.checkpoint_source = usual->value.source;
  }
  if (usual != nullptr && !reader.has("checkpoint_hours")) return;
  rule.checkpoint_basis = "choice";
  rule.checkpoint_source = "sheet specification";
}

SpotRule read_spot_rule(ObjectReader& reader, const Catalog& catalog) {
  SpotRule rule;
  const Json& given = reader.raw("rate");
  const bool of_catalog = given == kRatesOfCatalog;
  refuse_beside_rate(reader, of_catalog);
  reader.leave({"share", "basis", "source"});
  if (of_catalog && catalog.project.spot_interruptions.empty()) {
    reader.fault(
        "rate",
        "expected interruptions per hour, since the catalog has no project.json with rates");
  } else if (given.is_string() && !of_catalog) {
    const auto word = given.get<std::string>();
    reader.fault("rate", "expected \"catalog\", or interruptions per hour, got " + in_quotes(word) +
                             did_you_mean(word, {kRatesOfCatalog}));
  } else if (!of_catalog) {
    SpotRate& rate = rule.rate.emplace();
    rate.id = kRateOfSheet;
    rate.per_hour = rate.low = rate.high = reader.number("rate", kRateOfInterruptions);
    rate.basis = reader.one_of("basis", kBases);
    rate.source = read_source(reader);
  }
  read_checkpoint_hours(reader, catalog, rule);
  return rule;
}

}  // namespace

void read_spot_interruption(ObjectReader reader, const Catalog& catalog, PriceRules& rules) {
  if (reader.has("rate")) {
    rules.spot_rule = read_spot_rule(reader, catalog);
  } else {
    reader.leave({"rate", "checkpoint_hours"});
    rules.spot_interruption_share = reader.number("share", {0, 10});
    rules.spot_interruption_basis = reader.one_of("basis", kBases);
    rules.spot_interruption_source = read_source(reader);
    if (reader.mentions("checkpoint_hours")) {
      reader.fault("checkpoint_hours", "expected rate beside it instead of share");
    }
  }
  reader.done();
}

std::optional<SpotRate> spot_rate_of(const Catalog& catalog, const PriceRules& rules,
                                     const Price& price) {
  if (!rules.spot_rule) return std::nullopt;
  if (rules.spot_rule->rate) return rules.spot_rule->rate;
  const SpotInterruptions* found = catalog.project.spot_of(price, catalog.providers);
  if (found == nullptr) return std::nullopt;
  const Estimate& value = found->value;
  return SpotRate{found->id,   value.typical, value.low, value.high,
                  value.basis, value.source,  value.date};
}

}  // namespace sizesheet
