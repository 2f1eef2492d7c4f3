// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/labels.h"

#include <algorithm>
#include <tuple>

#include "support/dates.h"

namespace sizesheet::xlsx {
namespace {

std::map<std::string, std::size_t> gpu_order(const Sheet& sheet) {
  std::map<std::string, std::size_t> order;
  for (std::size_t i = 0; i < sheet.gpus.size(); ++i) order[sheet.gpus[i].id] = i;
  return order;
}

}  // namespace

std::string gpu_label(const Sheet& sheet, const std::string& id) {
  const std::string& name = sheet.gpu(id).short_name;
  const auto shares = std::count_if(sheet.gpus.begin(), sheet.gpus.end(),
                                    [&](const SheetGpu& gpu) { return gpu.short_name == name; });
  return shares == 1 ? name : id;
}

std::vector<const SheetPrice*> price_lines(const Sheet& sheet) {
  static const std::vector<std::string> tiers = {"on_demand", "spot", "capacity_block"};
  const std::map<std::string, std::size_t> order = gpu_order(sheet);
  std::vector<const SheetPrice*> lines;
  for (const SheetPrice& price : sheet.prices) lines.push_back(&price);
  const auto rank = [&](const SheetPrice& price) {
    const auto gpu = order.find(price.gpu);
    const auto tier = std::find(tiers.begin(), tiers.end(), price.tier) - tiers.begin();
    return std::tuple(gpu == order.end() ? order.size() : gpu->second, tier, price.tier,
                      -day_number(price.as_of).value_or(0), price.provider, price.key);
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const SheetPrice* a, const SheetPrice* b) { return rank(*a) < rank(*b); });
  return lines;
}

std::map<std::string, std::int64_t> line_numbers(const std::vector<const SheetPrice*>& lines) {
  std::map<std::string, std::int64_t> numbers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    numbers.emplace(lines[i]->key, static_cast<std::int64_t>(i) + 1);
  }
  return numbers;
}

std::vector<SetUp> set_ups(const Sheet& sheet) {
  const std::map<std::string, std::size_t> order = gpu_order(sheet);
  std::map<std::pair<std::size_t, std::int64_t>, SetUp> found;
  for (const Row& row : sheet.rows) {
    if (!row.own) continue;
    found.try_emplace({order.at(row.gpu), row.layout.gpus}, SetUp{row.gpu, row.layout.gpus, &row});
  }
  std::vector<SetUp> all;
  for (const auto& [place, set_up] : found) all.push_back(set_up);
  return all;
}

std::vector<const Row*> priced_rows(const Sheet& sheet) {
  std::vector<const Row*> rows;
  for (const Row& row : sheet.rows) {
    if (row.modelled && row.verdict != "no") rows.push_back(&row);
  }
  return rows;
}

}  // namespace sizesheet::xlsx
