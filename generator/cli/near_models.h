// SPDX-License-Identifier: Apache-2.0
// Models for a question that names none of the catalog exactly: a size, a family, or both.
#pragma once

#include <optional>
#include <string>

namespace sizesheet {

struct Catalog;

/// A model that is taken for what was said, which the answer has to say.
struct NearModel {
  std::string id;
  std::string why;  ///< `34B is taken as qwen3-32b, the nearest size of the catalog`
};

/// Whether the letters begin the ids of models: "llama", "qwen".
bool is_model_family(const Catalog& catalog, const std::string& word);

/// Whether the word is a number of parameters: "34B", "350M".
bool is_model_size(const std::string& word);

/// "34b" of "01-ai/Yi-34B-Chat"; "" where no part of the name is a size.
std::string size_in_name(const std::string& name);

/// The model whose parameters are the nearest to a size, of those that use all of them for every
/// token; nullopt where the word is no size.
std::optional<NearModel> model_of_size(const Catalog& catalog, const std::string& size);

/// The newest model of a family and a size; where no size is said, the one nearest to 8B.
std::optional<NearModel> model_of_family(const Catalog& catalog, const std::string& family,
                                         const std::string& size);

}  // namespace sizesheet
