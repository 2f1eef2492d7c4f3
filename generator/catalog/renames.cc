// SPDX-License-Identifier: Apache-2.0
#include "catalog/renames.h"

#include <map>
#include <set>

#include "catalog/entry.h"

namespace sizesheet {

std::vector<std::string> read_was(ObjectReader& reader) {
  std::vector<std::string> ids;
  if (!reader.mentions("was")) return ids;
  ids = reader.texts("was");
  if (ids.empty() && reader.sound("was")) {
    reader.fault("was", "expected at least one earlier id, or no such key, got []");
  }
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (!is_id(id)) {
      reader.fault("was", "expected ids of lower-case letters, digits, . and -, got " + shown(id));
    } else if (!seen.insert(id).second) {
      reader.fault("was", "expected each id once, got " + shown(id) + " again");
    }
  }
  return ids;
}

void check_was(const std::vector<EarlierIds>& entries, const std::string& what) {
  std::set<std::string> live;
  for (const EarlierIds& entry : entries) live.insert(entry.id);
  std::map<std::string, std::string> claimed;  // earlier id -> id today
  for (const EarlierIds& entry : entries) {
    for (const std::string& id : std::set<std::string>(entry.was.begin(), entry.was.end())) {
      if (live.contains(id)) {
        entry.fault("expected ids that no " + what + " has today, got " + shown(id));
      } else if (const auto [first, fresh] = claimed.emplace(id, entry.id); !fresh) {
        entry.fault("expected ids that no other " + what + " had, got " + shown(id) + ", which " +
                    first->second + " had");
      }
    }
  }
}

}  // namespace sizesheet
