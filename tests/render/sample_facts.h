// SPDX-License-Identifier: Apache-2.0
// The made-up inputs of the sample sheets: cards, and the parts a sheet has beside its rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet::sample {

/// In bytes.
inline constexpr std::int64_t kGib = 1LL << 30;

/// A card with what the sample needs beyond SheetGpu.
struct Card {
  SheetGpu gpu;
  double tflops = 0;
  std::int64_t per_instance = 1;     ///< GPUs of the priced instance
  std::optional<MicroUsd> node_usd;  ///< purchase price of a node
  double node_kw = 0;
};

std::vector<Card> cards();
std::vector<SheetModel> models();
std::vector<SheetMethod> methods();
std::vector<Scenario> scenarios();
std::vector<SheetEstimate> purchase_nodes(const std::vector<Card>& cards);
std::vector<SheetEstimate> rates();
std::vector<SheetConstant> constants();
/// A used row for every priced card, and rows the price policy leaves out.
std::vector<SheetPrice> prices(const std::vector<Card>& cards);
SheetMeta meta();
SheetOptions options();

}  // namespace sizesheet::sample
