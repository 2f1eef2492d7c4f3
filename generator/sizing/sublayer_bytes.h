// SPDX-License-Identifier: Apache-2.0
// What the sublayers of a block keep for backward, per token, before parallelism divides it. One
// file per kind of sublayer; block_activations.h puts them together.
#pragma once

#include <string>
#include <string_view>

#include "sizing/job.h"
#include "support/trace.h"

namespace sizesheet {

/// Names of one block kind in a formula: `f`, and `f_2` for the second kind of block of a model.
template <typename N>
class BlockScope {
 public:
  explicit BlockScope(int kind) : kind_(kind) {}

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

template <typename N>
SublayerBytes<N> attention_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                                 std::int64_t norms);
template <typename N>
SublayerBytes<N> mlp_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms);
template <typename N>
SublayerBytes<N> moe_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms);
template <typename N>
SublayerBytes<N> mamba_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                             std::int64_t norms);

// What several sublayers need.

bool recomputes(const Job& job, const char* module);

/// Width of the residual stream: 2 bytes, 4 after k-bit preparation.
double residual_bytes(const Job& job);

/// Linear4bit hands its output back in the input's dtype, so fp32 inputs double what follows them.
double inner_factor(const Job& job);

/// Bytes of a saved input of a trained projection: 2, under fp8 the width of the quantised copy.
double saved_input_bytes(const Job& job);

/// The pre-norms of a sublayer and the input its first projections share.
template <typename N>
N norm_bytes(const Job& job, std::int64_t norms, const N& h);

/// What the adapters of a sublayer save: their inputs, unless other operations hold them already,
/// and the rank-r middle; DoRA also both products that its magnitude scales.
template <typename N>
N adapter_bytes(const Job& job, const BlockScope<N>& scope, const Block& block, Sublayer sublayer,
                const Linears& list, InputGroups saved);

/// Inputs of frozen projections that an int8 base saves for its own backward.
template <typename N>
N frozen_input_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                     Sublayer sublayer, const Linears& list);

}  // namespace sizesheet
