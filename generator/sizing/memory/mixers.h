// SPDX-License-Identifier: Apache-2.0
// What the sublayers that mix tokens keep for backward, a kind after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sizing/model/parameters.h"
#include "support/trace.h"

namespace sizesheet {

struct Block;
struct Job;

/// A block of a job, and the names of its kind in a formula: `f`, and `f_2` for the second kind of
/// block of a model.
template <typename N>
class BlockScope {
 public:
  /// `kind` numbers the block kinds of a stage from 0.
  BlockScope(const Job& of, const Block& one, int kind) : job(of), block(one), kind_(kind) {}

  const Job& job;
  const Block& block;

  N in(std::string_view name, double value) const { return input<N>(named(name), value); }
  N in(std::string_view name, std::int64_t value) const {
    return in(name, static_cast<double>(value));
  }
  /// The same under a name of two parts.
  N in(std::string_view name, std::string_view part, double value) const {
    if constexpr (std::is_same_v<N, Traced>) {
      return in(std::string(name) + std::string(part), value);
    } else {
      return value;
    }
  }
  N named_step(std::string_view name, const N& value) const { return step<N>(named(name), value); }

 private:
  std::string named(std::string_view name) const {
    if constexpr (std::is_same_v<N, Traced>) {
      return std::string(name) + (kind_ > 0 ? "_" + std::to_string(kind_ + 1) : "");
    } else {
      return {};
    }
  }

  int kind_;
};

/// Bytes per token of one sublayer, split by how tensor parallelism divides it.
template <typename N>
struct SublayerBytes {
  N replicated = 0.0;          ///< norms and residuals: divided with sequence parallelism only
  N split = 0.0;               ///< divided by tp
  N transient = 0.0;           ///< temporaries while it runs backward, divided by tp
  N dropped_replicated = 0.0;  ///< of both, what module recompute rebuilds instead of keeping
  N dropped_split = 0.0;
};

/// Adds what a sublayer keeps that mixes tokens (attention, Gated DeltaNet, short convolution,
/// Mamba-2) or takes a per-layer embedding; `h`: the hidden size.
template <typename N>
void put_mixer(const BlockScope<N>& scope, Sublayer sublayer, const N& h, SublayerBytes<N>& bytes);

}  // namespace sizesheet
