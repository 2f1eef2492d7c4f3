// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/effects.h"

#include "cost/rent.h"

namespace sizesheet {
namespace {

bool knows_run(const ChangeSide& side) {
  return side.list_usd_per_run && side.usd_per_instance_hour && side.hours;
}

MicroUsd run_of(MicroUsd per_instance_hour, std::int64_t instances, double hours) {
  return run_cost(per_instance_hour * instances, round_hours(hours));
}

}  // namespace

std::optional<ChangeEffects> row_effects(const ChangeSide& old_side, const ChangeSide& new_side) {
  if (!knows_run(old_side) || !knows_run(new_side)) return std::nullopt;
  const MicroUsd price = *old_side.usd_per_instance_hour;
  const MicroUsd start = *old_side.list_usd_per_run;
  const MicroUsd end = *new_side.list_usd_per_run;
  const MicroUsd other_hours = run_of(price, old_side.instances, *new_side.hours);
  const MicroUsd other_count = run_of(price, new_side.instances, *new_side.hours);
  ChangeEffects effects;
  effects.time = other_hours - start;
  effects.quantity = other_count - other_hours;
  effects.price = end - other_count;
  effects.total = end - start;
  return effects;
}

std::optional<ChangeEffects> pick_effects(const ChangeSide& old_pick,
                                          const ChangeSide* new_pick_in_old,
                                          const ChangeSide& new_pick) {
  if (!knows_run(old_pick) || !knows_run(new_pick)) return std::nullopt;
  ChangeEffects effects;
  MicroUsd start = *new_pick.list_usd_per_run;
  if (new_pick_in_old != nullptr && knows_run(*new_pick_in_old)) {
    effects = *row_effects(*new_pick_in_old, new_pick);
    start = *new_pick_in_old->list_usd_per_run;
  }
  effects.mix = start - *old_pick.list_usd_per_run;
  effects.total = *new_pick.list_usd_per_run - *old_pick.list_usd_per_run;
  return effects;
}

ChangeEffects& operator+=(ChangeEffects& sum, const ChangeEffects& more) {
  sum.price += more.price;
  sum.quantity += more.quantity;
  sum.time += more.time;
  sum.mix += more.mix;
  sum.total += more.total;
  return sum;
}

}  // namespace sizesheet
