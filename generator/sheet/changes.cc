// SPDX-License-Identifier: Apache-2.0
// The kinds of change, and how much each matters.
#include "sheet/changes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "sheet/money.h"
#include "support/text.h"

namespace sizesheet {

const std::vector<ChangeKind>& change_kinds() {
  static const std::vector<ChangeKind> kKinds{
      {"no_longer_fits", "breaking", "!", "no longer fits", "fit", 1, "no longer fit"},
      {"needs_more", "breaking", "↑", "needs more GPUs", "fit", 2, "need more GPUs"},
      {"headroom_low", "breaking", "!", "fits only tightly now", "fit", 3, "fit only tightly now"},
      {"no_longer_certain", "notable", "?", "fits, no longer certain", "fit", 4,
       "fit, but no longer for certain"},
      {"now_fits", "notable", "*", "fits now", "fit", 5, "fit now"},
      {"headroom_back", "notable", "*", "fits with headroom now", "fit", 6,
       "fit with headroom now"},
      {"now_certain", "notable", "*", "fits, certain now", "fit", 7, "fit for certain now"},
      {"needs_less", "notable", "↓", "needs fewer GPUs", "fit", 8, "need fewer GPUs"},
      {"type_changed", "notable", "~", "another card is picked", "", 9, "change card",
       "changes card"},
      {"count_changed", "notable", "~", "another count is picked", "", 10, "change count",
       "changes count"},
      {"seller_changed", "notable", "~", "another seller is picked", "", 11, "change seller",
       "changes seller"},
      {"advice_flipped", "notable", "~", "rent-or-buy advice flipped", "", 12,
       "flip between renting and buying", "flips between renting and buying"},
      {"vanished", "notable", "-", "has no list price any more", "rent", 13, "lost their price",
       "lost its price"},
      {"appeared", "notable", "+", "has a list price now", "rent", 14, "got a price",
       "got a price"},
      {"dearer", "notable", " ", "dearer", "rent", 15},
      {"cheaper", "notable", " ", "cheaper", "rent", 16},
      {"own_vanished", "notable", "-", "can no longer be bought", "own", 17},
      {"own_appeared", "notable", "+", "can be bought now", "own", 18},
      {"offsetting", "notable", "~", "price, count and time moved against each other", "rent", 21,
       "with moves that offset each other", "with moves that offset each other"},
      {"own_dearer", "notable", " ", "dearer to own", "own", 19},
      {"own_cheaper", "notable", " ", "cheaper to own", "own", 20},
      {"slower", "notable", "~", "takes longer", "hours", 22, "take longer"},
      {"faster", "notable", "~", "takes less time", "hours", 23, "take less time"},
      {"far_below_next", "notable", "~", kFarBelowNext, "", 26,
       "cost less than a third of the next offer", "costs less than a third of the next offer"},
      {"removed", "notable", "-", "gone", "entry", 25},
      {"added", "notable", "+", "new", "entry", 24},
      {"break_even_moved", "detail", "~", "break-even moved"},
      {"buy_type_changed", "detail", "~", "another card is cheapest to own"},
      {"own_machine_changed", "detail", "~", "another machine is cheapest to own"},
      {"runner_up_changed", "detail", "~", "another card comes next"},
      {"exposure_changed", "detail", "~", "one seller, or no longer"},
      {"other_rent_moved", "detail", "~", "spot, reserved or block price moved"},
      {"service_moved", "detail", "~", "cheapest service moved"},
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
  if (const auto* kind = entry_with(change_kinds(), &ChangeKind::id, id)) return *kind;
  throw std::out_of_range("no such kind of change: " + id);
}

std::size_t severity(const std::string& kind) {
  return static_cast<std::size_t>(&change_kind(kind) - change_kinds().data());
}

bool Change::is(const std::string& id) const { return kind == id || contains(also, id); }

std::vector<std::string> Change::kinds() const {
  std::vector<std::string> all{kind};
  all.insert(all.end(), also.begin(), also.end());
  return all;
}

}  // namespace sizesheet
