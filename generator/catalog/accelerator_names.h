// SPDX-License-Identifier: Apache-2.0
// What SkyPilot's catalogs call GPUs and providers, and what we do.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// A sign that tells which card a name means; one of the two is set.
struct AcceleratorSign {
  std::string provider;  ///< of ours
  std::string text;      ///< lower case, within the machine's name or the GPU's description
  std::string gpu;
};

struct AcceleratorName {
  std::string name;
  std::string gpu;      ///< where no sign says otherwise
  std::string unclear;  ///< what the name may mean, or ""
  std::vector<AcceleratorSign> signs;
};

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

/// Reads catalog/import/skypilot.json; every GPU must be one of `gpus`. Faults are recorded.
AcceleratorNames read_accelerator_names(ObjectReader reader, const std::vector<std::string>& gpus);

}  // namespace sizesheet
