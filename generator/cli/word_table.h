// SPDX-License-Identifier: Apache-2.0
// Tables of words and what they stand for.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace sizesheet {

using WordPair = std::pair<std::string_view, std::string_view>;

/// What the word stands for; "" where the table lacks it.
inline std::string_view meant_in(std::span<const WordPair> table, std::string_view word) {
  const auto found = std::ranges::find(table, word, &WordPair::first);
  return found != table.end() ? found->second : std::string_view();
}

}  // namespace sizesheet
