// SPDX-License-Identifier: Apache-2.0
// What people call GPUs, methods, stacks and providers, and the one that a word means. Those of
// models have rules of their own: models/model_names.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/named.h"

namespace sizesheet {

struct Catalog;

/// An entry and its names; the id is one of them.
struct CalledEntry {
  std::string id;
  std::vector<std::string> names;
  /// A name that says only a part of an entry's must have one of these words; empty: any does.
  std::vector<std::string> telling = {};
  std::string kind = {};  ///< whose forms `usual` may decide between; "" for any
};

std::vector<CalledEntry> called_gpus(const Catalog& catalog);  ///< names of price feeds, too
std::vector<CalledEntry> called_methods(const Catalog& catalog);
std::vector<CalledEntry> called_stacks(const Catalog& catalog);
std::vector<CalledEntry> called_providers(const Catalog& catalog);  ///< who has a price

/// The id that `asked` means, as `resolved` reads it; nullopt where nothing fits. Throws InputError
/// where several do.
std::optional<std::string> meant(const std::string& what, const std::string& asked,
                                 const std::vector<CalledEntry>& all,
                                 const std::vector<std::string>& usual = {});

/// The id that `asked` means: letter for letter, as it is spelled (catalog/spelling.h), or by all
/// its words. Where several fit, the one among `usual`. Throws InputError: it lists those that fit
/// where they are still several, and a near miss where none fits. `what` says the kind: "GPU".
std::string resolved(const std::string& what, const std::string& asked,
                     const std::vector<CalledEntry>& all,
                     const std::vector<std::string>& usual = {});

/// `what "asked": several fit, say one of …`.
std::string several_fit(const std::string& what, const std::string& asked,
                        const std::vector<std::string>& ids);

}  // namespace sizesheet
