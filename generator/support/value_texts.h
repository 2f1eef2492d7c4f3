// SPDX-License-Identifier: Apache-2.0
// Figures that a request or a specification gives as texts, the way people write them.
#pragma once

#include <string>
#include <string_view>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct ValueKind;

/// The kind of the figure under a key of a request, a question or a specification; nullptr for a
/// key whose figure is a number alone.
const ValueKind* kind_of_key(std::string_view key);

/// Whether a request has a text that `request_with_values` reads.
bool has_value_text(const Json& document);

/// The document with numbers in the place of such texts: "seq_len": "8k" becomes 8192. A text that
/// is no figure of its kind stays, and is a fault at its pointer. A model's configuration, the
/// rates of a sheet's ownership and the rules of its picks are left alone: their texts are names.
Json with_values(const Json& document, const std::string& file, Faults& faults);

/// The same of a request. Throws InputError with the faults of a request.
Json request_with_values(const Json& request);

}  // namespace sizesheet
