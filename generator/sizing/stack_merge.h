// SPDX-License-Identifier: Apache-2.0
// A stack's documented practice laid under a request: keys the user left out take the stack's
// values.
#pragma once

#include <string>
#include <vector>

#include "catalog/method.h"
#include "support/json.h"

namespace sizesheet {

/// How the GPUs of a layout share one model; decides which variant of a setting holds.
enum class Spread { kSingle, kDdp, kSharded };

/// As variants call it: single | ddp | sharded.
const char* name_of(Spread spread);

/// A trap the stack's preset avoids: the bare default the user did not ask for.
struct Trap {
  std::string key;
  std::string words;
  Json bare_value;
};

/// A setting as it applies to one request. Points into the stack.
struct AppliedSetting {
  explicit AppliedSetting(const StackSetting& of) : setting(&of), value(&of.value) {}

  const StackSetting* setting;
  const Json* value;  ///< where no variant holds
  /// An alternative in the place of value and variants, which avoids no trap.
  bool alternative = false;
  bool has_alternatives = true;
};
using AppliedSettings = std::vector<AppliedSetting>;

struct MergedRequest {
  Json request;
  std::vector<Trap> traps;
};

/// `user` with every absent key that the practice names filled in; "layout.shard" style keys nest.
MergedRequest merge_stack(const Json& user, const AppliedSettings& practice, Spread spread);

/// The practice is the same for both ways of spreading.
bool same_practice(const AppliedSettings& practice, Spread one, Spread other);

/// Sets the value under a dotted key; objects on the way that are absent or null come to be.
void set_dotted(Json& object, const std::string& key, const Json& value);
/// The value under a dotted key, or null.
const Json& at_dotted(const Json& object, const std::string& key);

}  // namespace sizesheet
