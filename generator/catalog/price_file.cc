// SPDX-License-Identifier: Apache-2.0
#include "catalog/price_file.h"

#include <algorithm>

namespace sizesheet {
namespace {

/// The keys of a row: those that every row has in the order of the files, then any other.
std::vector<std::string> ordered_keys(const Json& row) {
  const std::vector<std::string> usual = {
      "gpu",   "region", "instance", "gpus", "tier", "offer", "usd_per_instance_hour",
      "as_of", "source"};
  std::vector<std::string> keys;
  for (const std::string& key : usual) {
    if (row.contains(key)) keys.push_back(key);
  }
  for (const auto& [key, value] : row.items()) {
    if (std::find(usual.begin(), usual.end(), key) == usual.end()) keys.push_back(key);
  }
  return keys;
}

}  // namespace

std::string price_file_text(const std::string& provider, const std::vector<Price>& prices,
                            const Json& schema) {
  std::string text = "{\n";
  if (schema.is_string()) text += "  \"$schema\": " + json_text(schema) + ",\n";
  text += "  \"provider\": " + json_text(provider) + ",\n  \"rows\": [";
  for (std::size_t i = 0; i < prices.size(); ++i) {
    text += i == 0 ? "\n    {" : ",\n    {";
    const Json row = price_row(prices[i]);
    bool first = true;
    for (const std::string& key : ordered_keys(row)) {
      text += (first ? "\n      " : ",\n      ") + json_text(key) + ": " + json_text(row[key]);
      first = false;
    }
    text += "\n    }";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace sizesheet
