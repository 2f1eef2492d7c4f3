// SPDX-License-Identifier: Apache-2.0
// The table of families, in three parts. The defaults are those of the configuration and modelling
// classes of huggingface/transformers, or of the code beside the weights where it has none.
#pragma once

#include <vector>

#include "catalog/family.h"

namespace sizesheet {

/// RMSNorm and a gated MLP, after Llama.
std::vector<Family> llama_families();
/// LayerNorm and mostly a plain MLP, after GPT-2.
std::vector<Family> gpt_families();
/// Routed experts.
std::vector<Family> routed_families();

/// Flags that more than one part of the table uses.
FlagKey all_attention_bias(const std::string& key = "attention_bias");
FlagKey qkv_bias(const std::string& key = "attention_bias");
FlagKey mlp_bias(const std::string& key = "mlp_bias");

}  // namespace sizesheet
