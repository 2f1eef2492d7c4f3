// SPDX-License-Identifier: Apache-2.0
// Who is asked for a machine by the hour, where no run is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sizesheet {

class CurrentPrices;
struct Gpu;
struct PickRules;
struct RentQuote;

/// Of the quotes for so many GPUs that `allowed` takes, the one that the sheet's rule ranks first:
/// an old price has a wide range, which counts against it. nullopt where there is none.
std::optional<RentQuote> picked_rent(
    const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus, const PickRules& rules,
    const std::function<bool(const RentQuote&)>& allowed = nullptr);

}  // namespace sizesheet
