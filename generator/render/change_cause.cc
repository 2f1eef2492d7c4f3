// SPDX-License-Identifier: Apache-2.0
#include "render/change_cause.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "render/changes_words.h"
#include "render/phrases.h"
#include "sheet/changes.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kMostTypes = 2;
constexpr double kSameShare = 0.002;

/// The least and the largest move of the prices of one GPU type.
struct Moves {
  double least = 0;
  double most = 0;
  int count = 0;
};

/// The GPU type that a key of a price names; "" where no part of it is one.
std::string gpu_in(const SheetChanges& changes, const std::string& key) {
  for (const std::string& part : split(key, '/')) {
    const auto name = changes.names.find("gpu/" + part);
    if (name != changes.names.end()) return name->second;
  }
  return "";
}

std::map<std::string, Moves> moves_by_type(const SheetChanges& changes) {
  std::map<std::string, Moves> all;
  for (const MovedInput& moved : changes.moved) {
    if (moved.group != "prices" || moved.rows == 0) continue;
    const auto before = number_in(moved.old_value);
    const auto after = number_in(moved.new_value);
    const std::string gpu = gpu_in(changes, moved.id);
    if (!before || !after || *before <= 0 || gpu.empty()) continue;
    const double share = *after / *before - 1;
    Moves& moves = all[gpu];
    moves.least = moves.count == 0 ? share : std::min(moves.least, share);
    moves.most = moves.count == 0 ? share : std::max(moves.most, share);
    ++moves.count;
  }
  return all;
}

/// "H100 prices +20 %, A100 −4 % to +2 %": of the types with the most prices that moved.
std::string moved_price_words(const SheetChanges& changes) {
  const std::map<std::string, Moves> all = moves_by_type(changes);
  std::vector<std::pair<std::string, Moves>> types(all.begin(), all.end());
  std::ranges::stable_sort(types, std::ranges::greater{},
                           [](const auto& one) { return one.second.count; });
  std::vector<std::string> words;
  for (const auto& [gpu, moves] : types) {
    if (words.size() == kMostTypes) break;
    const bool same = moves.most - moves.least < kSameShare;
    words.push_back(gpu + (words.empty() ? " prices " : " ") + away_words(moves.least) +
                    (same ? "" : " to " + away_words(moves.most)));
  }
  const std::size_t others = types.size() - words.size();
  return join(words, ", ") + (others > 0 ? ", other types too" : "");
}

}  // namespace

std::string what_happened(const SheetChanges& changes) {
  const auto most = std::ranges::max_element(
      changes.causes, {}, [](const CauseTotal& one) { return std::abs(one.usd.value); });
  if (most == changes.causes.end() || most->rows == 0) return "";
  const std::string words = most->group == "prices" ? moved_price_words(changes) : "";
  return words.empty() ? group_title(most->group) : words;
}

}  // namespace sizesheet
