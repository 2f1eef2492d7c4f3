// SPDX-License-Identifier: Apache-2.0
// Names of models that have the architecture of an entry, and owners who publish the models of
// others under the same name.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// What tells that a name has the architecture of its entry.
enum class AliasBasis {
  kConfig,     ///< its published configuration, compared
  kPublisher,  ///< its publisher, who trained that model further
  kName        ///< its name alone
};

struct AliasBasisFacts {
  AliasBasis value;
  std::string_view id;
  const char* words;  ///< behind `is sized as ID`
};

/// In the order of AliasBasis.
inline constexpr std::array<AliasBasisFacts, 3> kAliasBases{
    {{AliasBasis::kConfig, "config", ": same layers, heads and vocabulary"},
     {AliasBasis::kPublisher, "publisher", ", which its publisher trained further"},
     {AliasBasis::kName, "name", " by its name alone: its configuration was not read"}}};

constexpr const auto& table_of(AliasBasis /*of*/) { return kAliasBases; }

struct ModelAlias {
  std::string model;               ///< id of the entry
  std::vector<std::string> names;  ///< "Qwen/QwQ-32B"
  AliasBasis basis = AliasBasis::kConfig;
  std::string note;  ///< how it differs from the entry, or ""
  std::string source;
};
BOOST_DESCRIBE_STRUCT(ModelAlias, (), (model, names, basis, note, source))

struct ModelMirror {
  std::string owner;
  std::vector<std::string> of;  ///< the owners whose models it has; empty: any
  bool quantised = false;       ///< it has them quantised only; under other names are its own
  std::string source;
};
BOOST_DESCRIBE_STRUCT(ModelMirror, (), (owner, of, quantised, source))

/// What `model_aliases.json` says.
struct ModelAliases {
  std::vector<ModelMirror> mirrors;
  std::vector<ModelAlias> aliases;
};

/// Every model must be one of `models`, every name stand once. Faults are recorded.
ModelAliases read_model_aliases(ObjectReader reader, const std::vector<std::string>& models);

}  // namespace sizesheet
