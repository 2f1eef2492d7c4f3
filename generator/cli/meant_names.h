// SPDX-License-Identifier: Apache-2.0
// Reads the names of models, methods, sellers, stacks and regions in a line.
#pragma once

#include <string>

namespace sizesheet {

struct LineReading;

/// "on" and "is" are in names of models, too, and a count is none.
bool is_model_name(const std::string& word);

/// A method, then a model, of as many words as there are; then a family of models and a size.
bool take_names(LineReading& line);

/// A provider or a stack, of one word or two.
bool take_seller(LineReading& line);

/// "excluding runpod and vast": sellers that the answer may not be of. False where none is named.
bool leave_out_sellers(LineReading& line);

/// "us-central1", where some price has it; "Europe".
bool take_region(LineReading& line);

}  // namespace sizesheet
