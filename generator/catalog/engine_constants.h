// SPDX-License-Identifier: Apache-2.0
// The engine's constants as catalog data: each with the value in use, the value of the reference
// prototype, a reason and a source.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/engine_names.h"
#include "support/json.h"

namespace sizesheet {

/// Bytes per trainable parameter of one state recipe.
struct StateRecipe {
  std::string id;
  double weight = 0;
  double gradient = 0;
  double master = 0;
  bool lazy = true;                    ///< optimizer state appears at the first step()
  double autocast_cache = 0;           ///< bf16 copies of fp32 weights, full fine-tuning only
  bool bf16_moments = false;           ///< optimizer states follow the weights' dtype
  bool persistent_gradients = false;   ///< gradient buffer alive in forward, from the first step on
  bool persistent_when_zero3 = false;  ///< the same, under ZeRO-3 only (DeepSpeed)
  double live_parameters = 0;  ///< under ZeRO-3: gathered ones that wait to be released (DeepSpeed)
  double step_gradient_copy = 0;  ///< fp32 copy of the shard's gradient in step()
  bool ddp_bucket = true;         ///< DDP keeps a second copy of the gradients in buckets
};

/// Bytes of optimizer state. Three classes of parameter: matrices of the blocks, embedding and
/// head, vectors (norms, biases); plus bytes per row and per column of each matrix (factored
/// states).
struct OptimizerCost {
  std::string id;
  double matrix = 0;
  double embedding = 0;
  double vector = 0;
  double matrix_bf16 = 0;  ///< under a recipe with bf16 moments
  double embedding_bf16 = 0;
  double vector_bf16 = 0;
  double per_row = 0;
  double per_column = 0;
  double step_per_largest_matrix =
      0;  ///< transient bytes per element of the largest matrix in step()
};

/// Bytes per (token x vocabulary entry) of one loss path.
struct LossCost {
  double forward = 0;
  double backward = 0;
  double residual = 0;  ///< left during block backward
};

/// How fast a GPU runs the arithmetic and its links.
struct GpuSpeed {
  double matmul_efficiency = 0;     ///< of the dense peak, in large matrix products
  double attention_efficiency = 0;  ///< of the dense peak, in flash attention
  double bus_gb_per_s = 0;          ///< achieved, per GPU, one direction, inside a node; 0: no link
  double host_link_gb_per_s = 0;    ///< achieved, per GPU, one direction; 0: not known
  bool measured = false;            ///< some published speed is of this GPU
  std::string source;
};

struct Constant {
  std::string id;  ///< "headroom.dynamic_share"
  double reference = 0;
  double current = 0;
  std::string unit;
  std::string reason;
  std::string source;
  Json raw;
};

/// Throws the InputError of a constant that is not there.
[[noreturn]] void refuse_missing(ConstantName name);

/// One coherent set of values; the catalog holds two, `reference` and `current`.
struct EngineConstants {
  /// In the order of kEngineNames; an edition of an earlier program may lack some.
  std::array<std::optional<double>, kEngineNames.size()> values;
  std::map<std::string, StateRecipe> recipes;
  std::map<std::string, OptimizerCost> optimizers;
  std::map<std::string, LossCost> losses;  ///< by name of kernels.loss; chunked-compiled besides
  std::map<std::string, GpuSpeed> speeds;  ///< by GPU id

  /// Throws InputError naming a constant that is not there.
  double value(ConstantName name) const {
    const std::optional<double>& found = values[name.index()];
    if (!found) refuse_missing(name);
    return *found;
  }
};

struct EngineCatalog {
  EngineConstants reference;
  EngineConstants current;
  std::vector<Constant> constants;  ///< the scalar ones, for the method page
  Json raw;
};

EngineCatalog read_engine(ObjectReader reader);

}  // namespace sizesheet
