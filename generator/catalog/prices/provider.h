// SPDX-License-Identifier: Apache-2.0
// Who rents GPUs out, and what others call them and their GPUs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/prices/price.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

/// The seat whose law it is under, what a customer gets of a machine, and where its regions are.
struct Provider {
  std::string id;            ///< as price files spell it
  std::string title;         ///< of the company
  std::string country;       ///< ISO 3166 code of the seat, or "unstated"
  std::string jurisdiction;  ///< us | eu | uk …, or "unstated"
  std::string tenancy;       ///< bare-metal | virtual-machine | container, or "unstated"
  std::map<std::string, std::string> locations;  ///< region or its beginning -> us | eu | uk …
  std::string url;
  std::string basis;  ///< source | part-assumption | assumption
  std::string source;
  std::string date;
  std::string note;
  Json raw;

  /// Where a region is: by its longest beginning in `locations`, else "unstated".
  std::string location_of(const std::string& region) const;
};
BOOST_DESCRIBE_STRUCT(Provider, (), (title, jurisdiction, tenancy, url, basis, source, date, note))

/// What a seat or a region may be said to be in; "unstated" is not among them.
inline const std::vector<std::string> kJurisdictions = {"au", "br", "ca", "ch", "eu",
                                                        "in", "jp", "sg", "uk", "us"};
/// What a customer may be given; "unstated" is not among them.
inline const std::vector<std::string> kTenancies = {"bare-metal", "virtual-machine", "container"};

Provider read_provider(ObjectReader& reader);

/// Fills in seat, place and tenancy of every row whose provider is known. A row's own tenancy
/// stays.
void place_prices(const std::vector<Provider>& providers, std::vector<Price>& prices);

/// A sign that tells which card a name means; one of the two is set.
struct AcceleratorSign {
  std::string provider;  ///< of ours
  std::string text;      ///< lower case, within the machine's name or the GPU's description
  std::string gpu;
};
BOOST_DESCRIBE_STRUCT(AcceleratorSign, (), (provider, text, gpu))

struct AcceleratorName {
  std::string name;
  std::string gpu;      ///< where no sign says otherwise
  std::string unclear;  ///< what the name may mean, or ""
  std::vector<AcceleratorSign> signs;
};
BOOST_DESCRIBE_STRUCT(AcceleratorName, (), (name, gpu, unclear))

/// What the price files of others call GPUs and providers.
struct AcceleratorNames {
  std::map<std::string, std::string> providers;  ///< their name -> ours, where they differ
  std::map<std::string, std::string> offers;     ///< our provider -> offer, where it is not "list"
  std::vector<AcceleratorName> accelerators;
  std::vector<std::string> not_in_catalog;       ///< known names without an entry of ours
  std::vector<std::string> priced_without_gpus;  ///< machines whose GPUs are priced apart, prefixes

  const AcceleratorName* find(const std::string& name) const;  ///< nullptr when unknown
  /// Every name, for near misses.
  std::vector<std::string> known() const;
};

/// A card, and whether the name alone had to decide.
struct ResolvedGpu {
  std::string gpu;
  bool guessed = false;
};

/// `described`: the machine's name and whatever describes its GPU.
ResolvedGpu resolve(const AcceleratorName& name, const std::string& provider,
                    const std::string& described);

/// Reads a file of catalog/import; every GPU must be one of `gpus`. Faults are recorded.
AcceleratorNames read_accelerator_names(ObjectReader reader, const std::vector<std::string>& gpus);

}  // namespace sizesheet
