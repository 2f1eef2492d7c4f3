// SPDX-License-Identifier: Apache-2.0
// Machines by the names that clouds give them: "p5.48xlarge" is 8 × h100-sxm.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sizesheet {

struct Catalog;
class TakenNames;

struct CloudMachine {
  std::string gpu;  ///< id
  std::int64_t gpus = 0;
  std::string provider = {};  ///< id of who rents it out
};

/// The machine of that name in `machines` of catalog/providers.json or among the price rows, in any
/// case, with or without Azure's "Standard_"; nullopt where none has it, or they differ in its
/// GPUs.
std::optional<CloudMachine> cloud_machine(const Catalog& catalog, const std::string& name);

/// Puts the GPU type of such a machine in the place of its name, and its count where none is said.
bool take_machine(std::string& gpu, std::optional<std::int64_t>& gpus, std::string& provider,
                  const Catalog& catalog, TakenNames& taken);

/// Whether the provider has any price of the GPU type.
bool sells(const Catalog& catalog, const std::string& provider, const std::string& gpu);

/// Throws InputError where the provider has no price of the GPU type, with those that have one.
void refuse_unsold(const std::string& provider, const std::string& gpu, const Catalog& catalog);

}  // namespace sizesheet
