// SPDX-License-Identifier: Apache-2.0
#include "cost/machines.h"

#include <algorithm>

#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "support/text.h"

namespace sizesheet {

std::optional<std::int64_t> instances_to_order(const Price& price, const Gpu& gpu,
                                               std::int64_t gpus, bool connected) {
  if (price.gpus < 1) return std::nullopt;
  const bool several = gpus > gpu.gpus_per_node;
  if (several && price.gpus != gpu.gpus_per_node) return std::nullopt;
  if (several && connected && !joins_nodes(price.interconnect)) return std::nullopt;
  const std::optional<std::int64_t> machine = machine_gpus(price, gpus);
  if (!machine && !several) return std::nullopt;
  const std::int64_t billed = std::max(machine.value_or(gpus), price.minimum_gpus.value_or(0));
  return (billed + price.gpus - 1) / price.gpus;
}

std::string why_not_on_sale(const Price& price, const std::string& day,
                            const std::vector<std::string>& stock) {
  const std::string has = stock_of(price);
  if (!contains(stock, has)) {
    if (has == kSales.front()) return "sold by reservation only";
    if (has == "none") return "out of stock on " + price.as_of;
    return "stock was " + has + " on " + price.as_of;
  }
  if (price.sale == kSales.back()) return "a price field without cards on " + price.as_of;
  if (price.valid_until && *price.valid_until < day) return "valid until " + *price.valid_until;
  return "";
}

}  // namespace sizesheet
