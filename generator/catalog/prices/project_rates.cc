// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/project_rates.h"

#include <algorithm>

#include "catalog/files/entry.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kInterruptionsAnHour{0, 60};

ProjectRate read_project_rate(ObjectReader& reader) {
  auto rate = read_members<ProjectRate>(reader);
  const auto* kind = std::ranges::find(kProjectRateKinds, rate.id, &ProjectRateKind::id);
  const bool known = kind != std::end(kProjectRateKinds);
  if (!known && reader.sound("id")) {
    reader.fault("id", not_in_catalog("rate of a project", rate.id,
                                      each_of(kProjectRateKinds, &ProjectRateKind::id)));
  }
  if (known && reader.sound("unit") && rate.unit != kind->unit) {
    reader.mismatch("unit", in_quotes(kind->unit) + ", the unit of " + rate.id);
  }
  rate.value = read_estimate(reader.object("value"), known ? Bounds<double>{kind->least, kind->most}
                                                           : Bounds<double>{0, 1e9});
  reader.done();
  return rate;
}

SpotInterruptions read_spot_interruptions(ObjectReader& reader) {
  auto sellers = read_members<SpotInterruptions>(reader, {.choices = {{"sellers", kSellerKinds}}});
  sellers.offers = reader.texts("offers");
  if (sellers.offers.empty() && reader.sound("offers")) {
    reader.fault("offers", "expected at least one of " + join(kOffers, ", ") + ", got []");
  }
  for (const std::string& offer : sellers.offers) {
    if (contains(kOffers, offer)) continue;
    reader.fault("offers", "expected some of " + join(kOffers, ", ") + ", got " + in_quotes(offer) +
                               did_you_mean(offer, kOffers));
  }
  sellers.value = read_estimate(reader.object("value"), kInterruptionsAnHour);
  reader.done();
  return sellers;
}

}  // namespace

const ProjectRate* ProjectRates::find(const ProjectRateKind& kind) const {
  return entry_with(rates, &ProjectRate::id, std::string(kind.id));
}

const SpotInterruptions* ProjectRates::spot_of(const Price& price,
                                               const std::vector<Provider>& providers) const {
  const Provider* known = entry_with(providers, &Provider::id, price.provider);
  const std::string& seller = known != nullptr ? known->kind : kSellerKinds.back();
  const auto found = std::ranges::find_if(spot_interruptions, [&](const SpotInterruptions& one) {
    return contains(one.offers, price.offer) && one.sellers.value_or(seller) == seller;
  });
  return found == spot_interruptions.end() ? nullptr : &*found;
}

ProjectRates read_project_rates(ObjectReader reader) {
  ProjectRates all;
  all.raw = reader.whole();
  all.rates = read_list(reader, "rates", read_project_rate);
  all.spot_interruptions = read_list(reader, "spot_interruptions", read_spot_interruptions);
  reader.done();
  return all;
}

}  // namespace sizesheet
