// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet.h"

#include <stdexcept>
#include <string_view>

#include "sheet/build/rows.h"

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

}  // namespace sizesheet
