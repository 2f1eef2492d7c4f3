// SPDX-License-Identifier: Apache-2.0
// The keys of a config.json that nothing reads: those that are told unless they have their usual
// value, those that nobody knows, and slips for keys that are read.
#pragma once

#include <string>
#include <vector>

#include "catalog/models/families.h"
#include "support/json.h"

namespace sizesheet {

struct Architecture;

/// As `read_config` of model.h, which has kTold.
Architecture read_config(ObjectReader& reader, Uncounted uncounted);

/// Keys that an answer names where they have another value than the usual ones.
struct ToldKey {
  std::vector<std::string> keys;
  std::vector<Json> usual;
  std::string words;  ///< what is not sized then
};

const std::vector<ToldKey>& told_keys();

/// The same of a config that somebody published: a key that nothing reads is told in `remarks`
/// unless it is known to change no figure, and refused where it is a slip for a key that is read.
Architecture read_config(ObjectReader& reader);

}  // namespace sizesheet
