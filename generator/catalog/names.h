// SPDX-License-Identifier: Apache-2.0
// What people call the entries of a catalog, and the one that a word means: case and separators do
// not count, nor does what a hub adds to the name of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace sizesheet {

/// An entry and its names; the id is one of them.
struct CalledEntry {
  std::string id;
  std::vector<std::string> names;
};

std::vector<CalledEntry> called_models(const Catalog& catalog);  ///< hub ids, too
std::vector<CalledEntry> called_gpus(const Catalog& catalog);    ///< names of price feeds, too
std::vector<CalledEntry> called_methods(const Catalog& catalog);
std::vector<CalledEntry> called_stacks(const Catalog& catalog);
std::vector<CalledEntry> called_providers(const Catalog& catalog);  ///< who has a price

/// The id that `asked` means, as `resolved` reads it; nullopt where nothing fits. Throws InputError
/// where several do.
std::optional<std::string> meant(const std::string& what, const std::string& asked,
                                 const std::vector<CalledEntry>& all,
                                 const std::vector<std::string>& usual = {});

/// The id that `asked` means: as it stands, without case and separators, without what a hub appends
/// ("-Instruct", "-hf"), or by words that all stand in a name. Where several fit, the one among
/// `usual`. Throws InputError that lists them where it is still not one, and with a near miss where
/// there is none. `what` is what is named: "model".
std::string resolved(const std::string& what, const std::string& asked,
                     const std::vector<CalledEntry>& all,
                     const std::vector<std::string>& usual = {});

}  // namespace sizesheet
