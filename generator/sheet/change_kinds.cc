// SPDX-License-Identifier: Apache-2.0
// The closed list of kinds of change and what each is worth.
#include <algorithm>
#include <stdexcept>

#include "sheet/changes.h"

namespace sizesheet {

const std::vector<ChangeKind>& change_kinds() {
  static const std::vector<ChangeKind> kKinds{
      {"no_longer_fits", "breaking", "!", "no longer fits"},
      {"needs_more", "breaking", "↑", "needs more GPUs"},
      {"headroom_low", "breaking", "!", "fits only tightly now"},
      {"now_fits", "notable", "*", "fits now"},
      {"headroom_back", "notable", "*", "fits with headroom now"},
      {"needs_less", "notable", "↓", "needs fewer GPUs"},
      {"type_changed", "notable", "~", "another card is cheapest"},
      {"advice_flipped", "notable", "~", "rent-or-buy advice flipped"},
      {"vanished", "notable", "-", "has no list price any more"},
      {"appeared", "notable", "+", "has a list price now"},
      {"dearer", "notable", " ", "dearer"},
      {"cheaper", "notable", " ", "cheaper"},
      {"own_vanished", "notable", "-", "can no longer be bought"},
      {"own_appeared", "notable", "+", "can be bought now"},
      {"offsetting", "notable", "~", "price, count and time moved against each other"},
      {"own_dearer", "notable", " ", "dearer to own"},
      {"own_cheaper", "notable", " ", "cheaper to own"},
      {"slower", "notable", "~", "takes longer"},
      {"faster", "notable", "~", "takes less time"},
      {"removed", "notable", "-", "gone"},
      {"added", "notable", "+", "new"},
      {"break_even_moved", "detail", "~", "break-even moved"},
      {"buy_type_changed", "detail", "~", "another card is cheapest to own"},
      {"other_rent_moved", "detail", "~", "spot, reserved or block price moved"},
      {"spread_moved", "detail", "~", "spread of list prices moved"},
      {"term_changed", "detail", "~", "memory term moved"},
      {"confidence_changed", "detail", "~", "grade of confidence changed"},
      {"note_changed", "detail", "~", "remarks changed"},
      {"price_date", "detail", "~", "price seen on another day, or another row"},
      {"renamed", "detail", "~", "renamed"},
  };
  return kKinds;
}

const ChangeKind& change_kind(const std::string& id) {
  const auto& kinds = change_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const ChangeKind& kind) { return kind.id == id; });
  if (found == kinds.end()) throw std::out_of_range("no such kind of change: " + id);
  return *found;
}

bool Change::is(const std::string& id) const {
  return kind == id || std::find(also.begin(), also.end(), id) != also.end();
}

}  // namespace sizesheet
