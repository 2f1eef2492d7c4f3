// SPDX-License-Identifier: Apache-2.0
// What can be ordered of an offer: how many instances make the machine that has so many GPUs, and
// whether cards are on sale at its price.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sizesheet {

struct Gpu;
struct Price;

/// Instances of an order for `gpus`; nullopt where the offer is not sold so. Up to a node one
/// machine has them all. Beyond it the offer must be of whole nodes, and where `connected` is asked
/// for it must say what joins them. The least order is billed for a smaller need.
std::optional<std::int64_t> instances_to_order(const Price& price, const Gpu& gpu,
                                               std::int64_t gpus, bool connected);

/// "" when the seller has cards at this price on `day` (YYYY-MM-DD), by a stock that is admitted
/// (`stock_of`), else the reason in words. Such a row still replaces an older one of its offer.
std::string why_not_on_sale(const Price& price, const std::string& day,
                            const std::vector<std::string>& stock);

}  // namespace sizesheet
