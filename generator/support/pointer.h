// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901) as text.
#pragma once

#include <string>
#include <string_view>

namespace sizesheet {

/// A key as one token of a pointer: "models/a.html" is "models~1a.html".
std::string pointer_token(std::string_view key);

}  // namespace sizesheet
