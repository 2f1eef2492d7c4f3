// SPDX-License-Identifier: Apache-2.0
// Text to JSON, stricter than the library: no duplicate keys, no endless nesting, errors with a
// place.
#pragma once

#include <forward_list>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/json.h"

namespace sizesheet {

inline constexpr std::size_t kMostValues = 20'000'000;  ///< at once; about two gigabytes of memory

/// Whether `//` and `/* */` may stand between values: for files that people write.
enum class Comments { kRefused, kSkipped };

/// Parses a whole document. Throws InputError `file:line:column: …` on malformed text, a duplicate
/// key, nesting deeper than 200 levels or more than `most` values.
Json parse_json(std::string_view text, const std::string& file, std::size_t most = kMostValues,
                Comments comments = Comments::kRefused);

/// Takes an element out of a list, with its index, while the document is still being read.
using ElementSink = std::function<void(Json&& element, std::size_t index)>;

/// The text with null, padded with spaces to the same length, for each Infinity outside of strings.
/// Python writes a missing limit as Infinity, which JSON does not have.
std::string without_limits(std::string_view text);

/// The same, but the elements of the list under `key` of the whole document go to `sink` one by one
/// and are not kept: the list comes back without them.
Json parse_json(std::string_view text, const std::string& file, const std::string& key,
                const ElementSink& sink);

/// Throws InputError at the first text or key below `pointer` with a character that has no place in
/// a sentence (unfit_character).
void refuse_unfit_texts(const Json& document, const std::string& file, const std::string& pointer);

/// Whether some key is such a one, or some value that holds no other. Far quicker than to visit
/// each with its place: for what hardly ever is there.
bool any_leaf(const Json& document, const std::function<bool(const std::string& key)>& is_key,
              const std::function<bool(const Json& leaf)>& is_leaf);

/// Calls `visit` with the JSON pointer of every value that holds no other, empty lists and objects
/// included: keys in their order, elements by number. `pointer` is the document's own.
void for_each_leaf(const Json& document, std::string pointer,
                   const std::function<void(const std::string& pointer, const Json& leaf)>& visit);

/// A key as one token of a pointer: "models/a.html" is "models~1a.html".
std::string pointer_token(std::string_view key);

}  // namespace sizesheet
