// SPDX-License-Identifier: Apache-2.0
// What price files of others call GPUs and providers, and which card of ours a name means.
#pragma once

#include <map>
#include <optional>
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
BOOST_DESCRIBE_STRUCT(AcceleratorSign, (), (provider, text, gpu))

struct AcceleratorName {
  std::string name;
  std::string gpu;      ///< where no sign says otherwise
  std::string unclear;  ///< what the name may mean, or ""
  std::vector<AcceleratorSign> signs;
};
BOOST_DESCRIBE_STRUCT(AcceleratorName, (), (name, gpu, unclear))

/// A name taken apart: "A100_80G_SXM4" is the A100 with 80 GB as SXM. Separators, capitals, the
/// vendor and words that change no card ("Blackwell", "BAREMETAL") are left out.
struct AcceleratorSpelling {
  std::string stem;  ///< "a100", "rtxpro6000"
  std::optional<double> memory_gb;
  std::string form;  ///< "sxm", "pcie", "nvl", or ""
};
AcceleratorSpelling spelling_of(const std::string& name);

/// What the price files of others call GPUs and providers.
struct AcceleratorNames {
  std::map<std::string, std::string> providers;  ///< their name -> ours, where they differ
  std::map<std::string, std::string> offers;     ///< our provider -> offer, where it is not "list"
  std::vector<AcceleratorName> accelerators;
  std::vector<std::string> not_in_catalog;       ///< known names without an entry of ours
  std::vector<std::string> priced_without_gpus;  ///< machines whose GPUs are priced apart, prefixes
  std::map<std::string, double> memory_gb;       ///< of each card of the catalog, by its id

  const AcceleratorName* find(const std::string& name) const;  ///< nullptr when unknown
  /// Every name, for near misses.
  std::vector<std::string> known() const;
};

/// What a row says of its GPU.
struct DescribedGpu {
  std::string name;      ///< as the feed spells it
  std::string provider;  ///< ours
  std::string instance;  ///< the machine's name
  std::string words;     ///< what else describes the GPU
  /// Memory of a GPU in GB, as many readings as the row leaves open; none where it does not say.
  std::vector<double> memory_gb;
};

/// A card, or why none could be told.
struct ResolvedGpu {
  std::string gpu;      ///< "" where none could be told
  std::string unclear;  ///< where the name alone had to decide: what it may mean; else ""
  std::string refusal;  ///< why there is no card, or ""
};

/// Cards of one name are told apart by the form and the memory of the name, then by the memory of
/// the row, then by the signs of the entry. What contradicts itself, or fits several cards of
/// different memory, is refused.
ResolvedGpu resolve(const AcceleratorNames& names, const DescribedGpu& described);

/// Reads a file of catalog/import; every GPU must be one of `gpus`. Faults are recorded.
AcceleratorNames read_accelerator_names(ObjectReader reader, const std::vector<std::string>& gpus);

}  // namespace sizesheet
