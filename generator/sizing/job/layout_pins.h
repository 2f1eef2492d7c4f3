// SPDX-License-Identifier: Apache-2.0
// What a request fixes of a layout, dimension by dimension.
#pragma once

#include <optional>
#include <span>

#include "sizing/job/job.h"
#include "sizing/job/layout_shape.h"

namespace sizesheet {

/// The layout keys a request may fix; what is absent is searched.
struct LayoutPins {
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> dp;
  std::optional<std::int64_t> tp;
  std::optional<std::int64_t> pp;
  std::optional<std::int64_t> cp;
  std::optional<std::int64_t> ep;
  std::optional<Shard> shard;
};

/// A dimension that a request fixes or a search chooses.
struct Dimension {
  const char* key;
  std::int64_t ParallelRanks::*ranks;
  std::optional<std::int64_t> LayoutPins::*pin;
};
inline constexpr Dimension kDimensions[] = {{"tp", &Layout::tp, &LayoutPins::tp},
                                            {"pp", &Layout::pp, &LayoutPins::pp},
                                            {"cp", &Layout::cp, &LayoutPins::cp},
                                            {"ep", &Layout::ep, &LayoutPins::ep},
                                            {"dp", &Layout::dp, &LayoutPins::dp}};
/// Those that split the model.
inline constexpr std::span<const Dimension, 4> kSplits(kDimensions, 4);

}  // namespace sizesheet
