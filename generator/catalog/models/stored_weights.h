// SPDX-License-Identifier: Apache-2.0
// `quantization_config` says in which format a checkpoint stores its matrices, or why no run starts
// from it. The names are those of huggingface/transformers src/transformers/quantizers, and so is
// what each method does on loading.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// The format in which a checkpoint holds its matrices, as its quantization_config says it.
struct StoredWeights {
  std::string quant_method = {};  ///< bitsandbytes, compressed-tensors, fp8 or mxfp4
  std::string format = {};        ///< nf4, int8, fp8, mxfp4, nvfp4, int4, sparse; "fp8 and int4"
  bool as_stored = false;         ///< trains as it is stored; false: is dequantised on loading
  bool fp4 = false;               ///< FP4 of bitsandbytes in the place of NF4
  bool fp32_products = false;     ///< what is unpacked is multiplied in fp32
  bool double_quant = false;      ///< the scales of NF4 are quantised themselves
  std::vector<std::string> skipped = {};  ///< "layers.3.mlp": what stays in 16 bits

  bool operator==(const StoredWeights&) const = default;
};

/// The format that "quantization_config" or "compression_config" says; nullopt where there is none.
/// A format that no run is modelled from is a fault.
std::optional<StoredWeights> read_stored_weights(ObjectReader& config);

/// A quantization_config that says the same.
Json stored_json(const StoredWeights& stored);

}  // namespace sizesheet
