// SPDX-License-Identifier: Apache-2.0
#include "render/price_moves.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "sheet/changes.h"
#include "sheet/measures.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// How the ids of what moved of an offer begin.
std::string moved_id(const std::string& price_key) { return "prices:" + offer_of(price_key); }

}  // namespace

bool is_price_of(const MovedInput& moved, const std::string& price_key) {
  return moved.id == moved_id(price_key) + moved.field;
}

std::string took_over_words(const ChangeSide& from, const ChangeSide& to, const MovedById& moved,
                            const std::string& arrow) {
  const auto hour = [](const ChangeSide& side, double usd_per_instance_hour) {
    const auto gpus = static_cast<double>(side.gpus_per_instance());
    return "$" + format_number(usd_per_instance_hour / gpus, 2);
  };
  const auto known = [](const ChangeSide& side) {
    return side.usd_per_instance_hour && side.gpus_per_instance() > 0;
  };
  if (!known(from) || !known(to)) return to.provider + " instead of " + from.provider;
  const std::string before = from.provider + " " + hour(from, to_usd(*from.usd_per_instance_hour));
  const std::string after = to.provider + " " + hour(to, to_usd(*to.usd_per_instance_hour));
  // Ids of other offers begin as this one's does: that of 1 GPU as that of 16.
  const std::string offer = moved_id(from.price_key);
  auto entry = moved.lower_bound(offer);
  while (entry != moved.end() && starts_with(entry->first, offer) &&
         !is_price_of(*entry->second, from.price_key)) {
    ++entry;
  }
  const bool unmoved = entry == moved.end() || !is_price_of(*entry->second, from.price_key) ||
                       entry->second->field == "/as_of";
  if (unmoved) return after + " instead of " + before;
  const auto now = number_in(entry->second->new_value);
  const std::string fate = entry->second->how == "removed" ? " is gone"
                           : now                           ? arrow + hour(from, *now)
                                 : " " + bare_value(entry->second->new_value);
  return before + fate + ", so " + after;
}

}  // namespace sizesheet
