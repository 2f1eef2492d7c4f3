// SPDX-License-Identifier: Apache-2.0
#include "support/pointer.h"

namespace sizesheet {

std::string pointer_token(std::string_view key) {
  if (key.find_first_of("~/") == std::string_view::npos) return std::string(key);
  std::string token;
  for (const char letter : key) {
    token += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
  }
  return token;
}

}  // namespace sizesheet
