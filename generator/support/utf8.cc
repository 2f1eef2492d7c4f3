// SPDX-License-Identifier: Apache-2.0
#include "support/utf8.h"

#include <unicode/utf8.h>

namespace sizesheet {

// ICU's macros narrow and wrap on purpose, which the compiler and clang's integer checks would
// tell.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wattributes"  // g++ knows no such check

[[clang::no_sanitize("integer")]] std::optional<char32_t> next_character(std::string_view text,
                                                                         std::size_t& at) {
  UChar32 code = 0;
  U8_NEXT(text.data(), at, text.size(), code);
  if (code < 0) return std::nullopt;
  return static_cast<char32_t>(code);
}

[[clang::no_sanitize("integer")]] std::string encode(std::u32string_view characters) {
  std::string text;
  for (const char32_t character : characters) {
    char bytes[U8_MAX_LENGTH];
    std::size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, character);
    text.append(bytes, length);
  }
  return text;
}

#pragma GCC diagnostic pop

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!next_character(text, at)) return false;
  }
  return true;
}

std::u32string decode(std::string_view text) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::u32string characters;
  for (std::size_t at = 0; at < text.size();) {
    characters += next_character(text, at).value_or(kReplacement);
  }
  return characters;
}

}  // namespace sizesheet
