// SPDX-License-Identifier: Apache-2.0
// A training config as it was written: its keys as plain values, and the line of each.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace sizesheet {

inline constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMostConfigValues = 20'000;  ///< with aliases written out
inline constexpr int kMostConfigDepth = 64;               ///< of mappings and lists, likewise

struct ConfigTree {
  std::string file;                                ///< as messages show it
  Json keys = Json::object();                      ///< nested as in the file
  std::map<std::string, int> lines;                ///< dotted path -> line, of its key, from 1
  std::map<std::string, std::string> other_files;  ///< of paths that another file says
  std::string base;  ///< a config that the command reads, as it names it; its options lie over it
  int base_line = 0;
  std::vector<std::string> remarks;  ///< on keys said twice, and on what a script leaves open
};

/// Throws InputError for a text that is too long for a config, or is not UTF-8.
void refuse_other_text(std::string_view text, const std::string& file);

/// "train.yaml:12", or "train.yaml" where the line is not known.
std::string config_place(const ConfigTree& tree, std::string_view path);

}  // namespace sizesheet
