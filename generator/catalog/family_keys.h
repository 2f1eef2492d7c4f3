// SPDX-License-Identifier: Apache-2.0
// One object of configuration keys, read by our names: each key also under the names its family
// publishes it by, which may be paths into objects within (attn_config/kv_n_heads).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/family.h"
#include "support/json.h"

namespace sizesheet {

class FamilyKeys {
 public:
  FamilyKeys(ObjectReader& reader, const Family& family) : reader_(&reader), family_(&family) {}

  /// True when the key stands there, not null, under one of its names.
  bool has(const std::string& key);
  /// The name that is used; where none is, the one its family publishes.
  std::string name(const std::string& key);
  /// The value, else the family's, else a fault.
  std::int64_t integer(const std::string& key, Bounds<std::int64_t> bounds);
  /// The value, else the family's, else `fallback`.
  std::int64_t integer_or(const std::string& key, std::int64_t fallback,
                          Bounds<std::int64_t> bounds);
  bool flag_or(const std::string& key, bool fallback);
  std::string text_or(const std::string& key, const std::string& fallback);
  Json raw(const std::string& key);
  bool sound(const std::string& key);
  void fault(const std::string& key, const std::string& message);

  ObjectReader& reader() { return *reader_; }
  const Family& family() const { return *family_; }

 private:
  /// The reader of the object a path ends in, and the last part of the path.
  struct Place {
    std::optional<ObjectReader> within;  ///< absent: the outer object, or none at all
    std::string key;
    bool reachable = true;
  };
  Place place(const std::string& path);
  bool stands(const std::string& path);
  std::optional<std::int64_t> value(const std::string& key, bool required,
                                    Bounds<std::int64_t> bounds);
  void check_equal_names(const std::string& key, std::int64_t value, const std::string& used);

  ObjectReader* reader_;
  const Family* family_;
};

}  // namespace sizesheet
