// SPDX-License-Identifier: Apache-2.0
// Rates of a whole project: storage, transfer, people, evaluation; and how often sellers take spot
// instances back. A sheet uses them where it asks for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/prices/purchase.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

struct Price;
struct Provider;

/// What a rate of a project is for, by its id; each has one unit.
struct ProjectRateKind {
  const char* id;
  const char* unit;
  double least;
  double most;
};
inline constexpr ProjectRateKind kForwardShare{"forward-share", "share", 0.01, 1};
inline constexpr ProjectRateKind kStorageRate{"storage-usd-per-gib-month", "USD per GiB and month",
                                              0, 1000};
inline constexpr ProjectRateKind kEgressRate{"egress-usd-per-gib", "USD per GiB", 0, 1000};
inline constexpr ProjectRateKind kEngineerRate{"engineer-usd-per-hour", "USD per hour", 0, 100000};
inline constexpr ProjectRateKind kCheckpointHours{"checkpoint-hours", "h", 0.001, 10000};
inline constexpr ProjectRateKind kProjectRateKinds[] = {kForwardShare, kStorageRate, kEgressRate,
                                                        kEngineerRate, kCheckpointHours};

struct ProjectRate {
  std::string id;  ///< of one of kProjectRateKinds
  std::string title;
  std::string unit;
  Estimate value;
};
BOOST_DESCRIBE_STRUCT(ProjectRate, (), (id, title, unit))

/// Sellers whose spot instances are interrupted alike.
struct SpotInterruptions {
  std::string id;
  std::string title;
  std::vector<std::string> offers;     ///< of kOffers
  std::optional<std::string> sellers;  ///< one of kSellerKinds; absent: any
  Estimate value;                      ///< of one instance, an hour
};
BOOST_DESCRIBE_STRUCT(SpotInterruptions, (), (id, title, sellers))

struct ProjectRates {
  std::vector<ProjectRate> rates;
  std::vector<SpotInterruptions> spot_interruptions;
  Json raw;  ///< null in a catalog without

  /// nullptr in a catalog without.
  const ProjectRate* find(const ProjectRateKind& kind) const;
  /// The first class that has the offer and the kind of its seller; nullptr without one. A seller
  /// without a kind of its own is specialised.
  const SpotInterruptions* spot_of(const Price& price,
                                   const std::vector<Provider>& providers) const;
};

/// The file catalog/project.json. Faults are recorded.
ProjectRates read_project_rates(ObjectReader reader);

}  // namespace sizesheet
