// SPDX-License-Identifier: Apache-2.0
// The help on what a question names: a method, a GPU, a model, a seller, a framework, an option.
#pragma once

#include <string>

namespace sizesheet {

/// What the catalog says of it and commands that ask about it, line by line; "" where the name
/// means nothing.
std::string concept_help(const std::string& name);

}  // namespace sizesheet
