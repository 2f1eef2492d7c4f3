// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "sheet/decision.h"
#include "sheet/money.h"
#include "sizing/memory/verdict.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

template <typename T>
const T& with_id(const std::vector<T>& all, const std::string& id, const char* what) {
  if (const T* one = entry_with(all, &T::id, id)) return *one;
  throw std::out_of_range(std::string("the sheet has no ") + what + " '" + id + "'");
}

/// `row.key() == key`, without writing the key of each of thousands of rows.
bool has_key(const Row& row, std::string_view key) {
  const std::size_t size =
      row.model.size() + row.method.size() + row.gpu.size() + row.scenario.size() + 3;
  return key.size() == size && key.starts_with(row.model) && key.ends_with(row.scenario) &&
         row.key() == key;
}

/// Also where the other has no price at all.
bool is_cheaper(const Row& row, const Row& other) {
  const auto usd = row.usd_per_run();
  return usd && (!other.usd_per_run() || *usd < *other.usd_per_run());
}

}  // namespace

std::optional<bool> Row::certain_on(std::int64_t gpus) const {
  if (gpus == layout.gpus && holds(verdict)) return certain();
  const RunCandidate* run = entry_with(candidates, &RunCandidate::gpus, gpus);
  if (run != nullptr && run->certain) return run->certain;
  const SmallerCount* smaller = entry_with(smaller_counts, &SmallerCount::gpus, gpus);
  if (smaller != nullptr && smaller->certain) return smaller->certain;
  if (certain_from && gpus >= *certain_from) return true;
  return certain() ? std::optional(false) : std::nullopt;
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

const Row* Sheet::main_row(const std::string& model_id, const std::string& method_id,
                           const std::string& gpu_id) const {
  return find(model_id, method_id, gpu_id, scenarios.front().id);
}

const SheetGpu& Sheet::gpu(const std::string& id) const { return with_id(gpus, id, "GPU"); }
const SheetModel& Sheet::model(const std::string& id) const { return with_id(models, id, "model"); }
const SheetMethod& Sheet::method(const std::string& id) const {
  return with_id(methods, id, "method");
}

const Row* rent_pick_row(const Sheet& sheet, const std::string& model, const std::string& method) {
  const Pick* pick = sheet.pick(model, method);
  return pick && pick->rent_key ? sheet.find(*pick->rent_key) : nullptr;
}

const RunCandidate* runner_up_of(const Sheet& sheet, const Pick& pick) {
  if (!pick.runner_up) return nullptr;
  const auto place = static_cast<std::size_t>(pick.runner_up->candidate);
  return &sheet.find(pick.runner_up->row)->candidates.at(place);
}

std::string far_below_words(const Pick& pick) { return pick.far_below_next ? kFarBelowNext : ""; }

bool has_decision(const Sheet& sheet) {
  return std::ranges::any_of(sheet.picks,
                             [](const Pick& pick) { return pick.own && pick.own->decision; });
}

const Row* shown_row(const Sheet& sheet, const std::string& model, const std::string& method) {
  if (const Row* row = rent_pick_row(sheet, model, method)) return row;
  const Pick* pick = sheet.pick(model, method);
  return pick && pick->buy_key ? sheet.find(*pick->buy_key) : nullptr;
}

std::vector<const Row*> rent_pick_rows(const Sheet& sheet) {
  std::vector<const Row*> rows;
  for (const Pick& pick : sheet.picks) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    if (row != nullptr) rows.push_back(row);
  }
  return rows;
}

const Row* best_row(const Sheet& sheet, const std::string& model) {
  const Row* best = nullptr;
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    if (row != nullptr && (best == nullptr || is_cheaper(*row, *best))) best = row;
  }
  return best;
}

const Row* smallest_row(const Sheet& sheet, const Row& like) {
  const Row* best = nullptr;
  for (const Row& row : sheet.rows) {
    const bool asked = row.model == like.model && row.method == like.method &&
                       row.scenario == like.scenario && row.rentable;
    if (!asked || (best && *row.rentable > *best->rentable)) continue;
    if (!best || *row.rentable < *best->rentable || is_cheaper(row, *best)) best = &row;
  }
  return best;
}

std::vector<const Row*> rows_by_price(const Sheet& sheet, const std::string& model,
                                      const std::string& method) {
  std::vector<const Row*> rows;
  for (const Row& row : sheet.rows) {
    if (sheet.is_main(row) && row.model == model && row.method == method) rows.push_back(&row);
  }
  const Row* pick = rent_pick_row(sheet, model, method);
  const auto rank = [&](const Row* row) {
    if (row == pick) return std::pair(-2, MicroUsd{});
    auto usd = row->usd_per_run();
    if (const RunCandidate* run = row->set_up()) usd = ranked_usd(*run, sheet.options.pick_rules);
    const Verdict standing = row->standing();
    return holds(standing) && usd ? std::pair(-1, *usd)
                                  : std::pair(static_cast<int>(standing), MicroUsd{});
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return rank(a) < rank(b); });
  return rows;
}

std::vector<SheetService> services_for(const Sheet& sheet, const std::string& model,
                                       const std::string& method) {
  std::vector<SheetService> offers;
  std::ranges::copy_if(sheet.services, std::back_inserter(offers), [&](const SheetService& offer) {
    return offer.model == model && offer.method == method;
  });
  return offers;
}

const SheetModel* largest_on_one(const Sheet& sheet, const SheetGpu& gpu,
                                 const SheetMethod& method) {
  const SheetModel* largest = nullptr;
  for (const SheetModel& model : sheet.models) {
    const Row* row = sheet.main_row(model.id, method.id, gpu.id);
    if (row == nullptr || row->rentable != 1) continue;
    if (largest == nullptr || model.parameters > largest->parameters) largest = &model;
  }
  return largest;
}

}  // namespace sizesheet
