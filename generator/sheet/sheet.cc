// SPDX-License-Identifier: Apache-2.0
// The closed list of kinds of change and what each is worth.

#include "sheet/sheet.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "sheet/build/rows.h"
#include "sheet/changes.h"

namespace sizesheet {
namespace {

template <typename T>
const T& with_id(const std::vector<T>& all, const std::string& id, const char* what) {
  for (const T& one : all) {
    if (one.id == id) return one;
  }
  throw std::out_of_range(std::string("the sheet has no ") + what + " '" + id + "'");
}

/// `row.key() == key`, without writing the key of each of thousands of rows.
bool has_key(const Row& row, std::string_view key) {
  const std::size_t size =
      row.model.size() + row.method.size() + row.gpu.size() + row.scenario.size() + 3;
  return key.size() == size && key.starts_with(row.model) && key.ends_with(row.scenario) &&
         row.key() == key;
}

}  // namespace

std::int64_t SheetOptions::age_limit_days(const std::string& tier) const {
  return AgeLimits{price_max_age_days, reserved_max_age_days, price_rules.block_max_age_days}.of(
      tier);
}

const Row* Sheet::find(const std::string& key) const {
  for (const Row& row : rows) {
    if (has_key(row, key)) return &row;
  }
  return nullptr;
}

const Row* Sheet::find(const std::string& model_id, const std::string& method_id,
                       const std::string& gpu_id, const std::string& scenario_id) const {
  for (const Row& row : rows) {
    if (row.model == model_id && row.method == method_id && row.gpu == gpu_id &&
        row.scenario == scenario_id) {
      return &row;
    }
  }
  return nullptr;
}

const Pick* Sheet::pick(const std::string& model_id, const std::string& method_id) const {
  for (const Pick& pick : picks) {
    if (pick.model == model_id && pick.method == method_id) return &pick;
  }
  return nullptr;
}

const SheetGpu& Sheet::gpu(const std::string& id) const { return with_id(gpus, id, "GPU"); }
const SheetModel& Sheet::model(const std::string& id) const { return with_id(models, id, "model"); }
const SheetMethod& Sheet::method(const std::string& id) const {
  return with_id(methods, id, "method");
}

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
