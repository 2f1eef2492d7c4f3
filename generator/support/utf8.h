// SPDX-License-Identifier: Apache-2.0
// Text as characters and back: UTF-8 as ICU reads and writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sizesheet {

/// The character at `at`, before the end, which moves behind it; nullopt for bytes that are none,
/// of which `at` moves behind as many as belong together.
std::optional<char32_t> next_character(std::string_view text, std::size_t& at);

/// True when every byte sequence is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Bytes that are no character become U+FFFD.
std::u32string decode(std::string_view text);

std::string encode(std::u32string_view characters);

}  // namespace sizesheet
