// SPDX-License-Identifier: Apache-2.0
// A document of configuration keys under our names, and what the model has by it and by its family.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/models/families.h"
#include "support/json.h"

namespace sizesheet {

/// The family, or nullptr when the model type is not known here.
const Family* family_of(const std::string& model_type);

std::vector<std::string> known_model_types();

/// Why a model type that is known is not counted; "" when it is counted or not known at all.
std::string why_not_modelled(const std::string& model_type);

/// One object of configuration keys, read by our names: each key also under the name its family
/// publishes it by, which may be a path into an object within (attn_config/kv_n_heads).
class FamilyKeys {
 public:
  FamilyKeys(ObjectReader& reader, const Family& family) : reader_(&reader), family_(&family) {}

  /// True when the key stands there, not null, under one of its names.
  bool has(const std::string& key) { return stands(name(key)); }
  /// The name that is used; where none is, the one its family publishes.
  std::string name(const std::string& key);
  /// The value, else the family's, else a fault.
  std::int64_t integer(const std::string& key, Bounds<std::int64_t> bounds) {
    return value(key, true, bounds).value_or(bounds.low);
  }
  /// The value, else the family's, else `fallback`.
  std::int64_t integer_or(const std::string& key, std::int64_t fallback,
                          Bounds<std::int64_t> bounds) {
    return value(key, false, bounds).value_or(fallback);
  }
  bool flag_or(const std::string& key, bool fallback);
  std::string text_or(const std::string& key, const std::string& fallback);
  Json raw(const std::string& key);
  bool sound(const std::string& key) { return reader_->sound(name(key)); }
  void fault(const std::string& key, const std::string& message);

  ObjectReader& reader() { return *reader_; }
  const Family& family() const { return *family_; }

 private:
  /// The reader of the object a path ends in, and the last part of the path.
  struct Place {
    ObjectReader* outer;
    std::optional<ObjectReader> within;  ///< absent: the outer object, or none at all
    std::string key;
    bool reachable = true;

    ObjectReader& reader() { return within ? *within : *outer; }
  };
  Place place(const std::string& path);
  bool stands(const std::string& path);
  std::optional<std::int64_t> value(const std::string& key, bool required,
                                    Bounds<std::int64_t> bounds);
  /// Both names of a key may stand there, with one value.
  void check_equal_names(const std::string& key, std::int64_t value);

  ObjectReader* reader_;
  const Family* family_;
};

/// The family of the document's model_type. One that is not known is a fault, unless the document
/// spells out every trait in the catalog's own keys.
Family read_family(ObjectReader& reader, const std::string& usual_type = "");

/// The family's traits after the document's flags; the catalog's own keys come last.
Traits read_traits(FamilyKeys& keys);

/// Faults every key whose value makes the model one that is not counted here.
void refuse_other_shapes(FamilyKeys& keys);

/// The activation function that the document names, or the family's.
std::string read_activation(FamilyKeys& keys);

}  // namespace sizesheet
