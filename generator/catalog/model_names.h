// SPDX-License-Identifier: Apache-2.0
// What people call a model, and the entry that a name means. A name means an entry only where it is
// the same model, or one whose architecture a table says is the same; every other name is refused.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct Model;
struct ModelAlias;

/// A row of a sheet: what "70b" means there.
struct SizeRow {
  std::string size;  ///< "70B"
  std::string id;
};
/// Asked only where a name is nothing but a size.
using SizeRows = std::function<std::vector<SizeRow>()>;

/// An entry that a name was taken for.
struct ModelTaken {
  std::string id;
  std::string asked;
  std::string words;   ///< `model "asked" is id`, or more; "" where the id was asked for
  std::string stored;  ///< what its weights are stored in: "NF4", "FP8"; "": 16 bits
};

/// Why the object `method` of a request cannot train from weights stored so; "" where it can.
std::string stored_refusal(const ModelTaken& taken, const Json& method);
/// What is sized of weights stored so; "" for 16 bits.
std::string stored_words(const ModelTaken& taken, const Json& method);

class ModelNames {
 public:
  /// `catalog` must outlive it.
  ModelNames(const Catalog& catalog, SizeRows sizes);

  /// The entry that `asked` means: an id; a title; a repository on a hub, or its address; the same
  /// under a mirror's name, or with what does not change the architecture behind it ("-Instruct",
  /// "-2507"); what the table of aliases says; a bare size of the sheet. nullopt where it means
  /// none. Throws InputError where several fit, and for weights that nothing here trains from.
  std::optional<ModelTaken> meant(const std::string& asked) const;
  /// The same. Throws InputError with the nearest ids where it means none.
  ModelTaken resolved(const std::string& asked) const;

 private:
  /// A name of an entry as it is compared.
  struct KnownName {
    const Model* model = nullptr;
    const ModelAlias* alias = nullptr;  ///< nullptr: a name of its own
    std::string owner;                  ///< in small letters
    std::string base;                   ///< spelled, without what does not change the model
    std::string plain;                  ///< the same in words
  };

  /// Of every model; gathered at the first name that is no id.
  const std::vector<KnownName>& known_names() const;
  void gather() const;
  void add_name(const Model& model, const std::string& name, const std::string& owner,
                const ModelAlias* alias) const;
  bool is_owner(const std::string& owner, const KnownName& known, bool quantised) const;
  std::optional<ModelTaken> sized_row(const std::string& asked) const;
  void refuse_several(const std::string& asked, const std::string& plain) const;

  const Catalog& catalog_;
  SizeRows sizes_;
  mutable std::once_flag gathered_;
  mutable std::vector<KnownName> known_;
};

}  // namespace sizesheet
