// SPDX-License-Identifier: Apache-2.0
#include "sheet/seller_names.h"

#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {
namespace {

std::string text_at(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string seller_name(const Sheet& sheet, const std::string& provider) {
  const auto all = sheet.inputs.find("providers");
  if (all == sheet.inputs.end() || !all->is_array()) return provider;
  for (const Json& entry : *all) {
    if (text_at(entry, "id") != provider) continue;
    const std::string brief = text_at(entry, "short_title");
    const std::string name = brief.empty() ? text_at(entry, "title") : brief;
    return name.empty() ? provider : name;
  }
  return provider;
}

}  // namespace sizesheet
