// SPDX-License-Identifier: Apache-2.0
// Addresses on the web, as far as a page may lead to them.
#pragma once

#include <string>
#include <string_view>

namespace sizesheet {

/// The first address in a sentence that is not to be followed; "" where there is none. Followed is
/// https:// with a host of letters, digits, '.' and '-', perhaps a port, and no user's name.
std::string unsafe_address(std::string_view text);

/// True when the whole text is one address to follow, without blanks and quotes.
bool is_address(std::string_view text);

}  // namespace sizesheet
