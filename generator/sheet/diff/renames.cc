// SPDX-License-Identifier: Apache-2.0
// Entries that only changed their name.

#include <algorithm>
#include <set>

#include "sheet/diff/compare.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::set<std::string> ids_of(const std::vector<EditionName>& names) {
  std::set<std::string> ids;
  for (const EditionName& name : names) ids.insert(name.id);
  return ids;
}

std::map<std::string, std::string> renames_of(const std::vector<EditionName>& old_names,
                                              const std::vector<EditionName>& new_names) {
  const std::set<std::string> old_ids = ids_of(old_names);
  const std::set<std::string> new_ids = ids_of(new_names);
  std::map<std::string, std::string> names;
  for (const EditionName& name : new_names) {
    if (old_ids.contains(name.id)) continue;
    for (const std::string& was : name.was) {
      if (old_ids.contains(was) && !new_ids.contains(was)) names.emplace(was, name.id);
    }
  }
  for (const EditionName& name : old_names) {  // NEW may be the earlier edition of the two
    if (new_ids.contains(name.id)) continue;
    for (const std::string& was : name.was) {
      if (new_ids.contains(was) && !old_ids.contains(was)) names.emplace(name.id, was);
    }
  }
  return names;
}

using Names = std::map<std::string, std::string>;

void rename(std::string& id, const Names& names) {
  const auto entry = names.find(id);
  if (entry != names.end()) id = entry->second;
}

void rename_listed(std::vector<EditionName>& listed, const Names& names) {
  for (EditionName& name : listed) rename(name.id, names);
}

/// model/method/gpu/scenario, part by part.
void rename_key(std::optional<std::string>& key, const Renames& renames) {
  if (!key) return;
  std::vector<std::string> parts = split(*key, '/');
  if (parts.size() != 4) return;
  rename(parts[0], renames.models);
  rename(parts[1], renames.methods);
  rename(parts[2], renames.gpus);
  rename(parts[3], renames.scenarios);
  key = join(parts, "/");
}

/// provider/region/instance/gpu/tier/gpus/as_of, counted from the end: an instance may have a '/'.
void rename_priced_gpu(std::string& price_key, const Names& gpus) {
  std::vector<std::string> parts = split(price_key, '/');
  if (parts.size() < 7) return;
  rename(parts[parts.size() - 4], gpus);
  price_key = join(parts, "/");
}

}  // namespace

bool Renames::none() const {
  return models.empty() && methods.empty() && gpus.empty() && scenarios.empty();
}

Edition under_new_names(Edition edition, const Renames& renames) {
  if (renames.none()) return edition;
  rename_listed(edition.models, renames.models);
  rename_listed(edition.methods, renames.methods);
  rename_listed(edition.gpus, renames.gpus);
  rename_listed(edition.scenarios, renames.scenarios);
  for (EditionRow& row : edition.rows) {
    rename(row.model, renames.models);
    rename(row.method, renames.methods);
    rename(row.gpu, renames.gpus);
    rename(row.scenario, renames.scenarios);
    row.side.gpu = row.gpu;
    rename_priced_gpu(row.side.price_key, renames.gpus);
  }
  for (EditionPick& pick : edition.picks) {
    rename(pick.model, renames.models);
    rename(pick.method, renames.methods);
    rename(pick.scenario, renames.scenarios);
    rename_key(pick.rent_key, renames);
    rename_key(pick.buy_key, renames);
  }
  return edition;
}

Renames renames_between(const Edition& old_edition, const Edition& new_edition) {
  return {renames_of(old_edition.models, new_edition.models),
          renames_of(old_edition.methods, new_edition.methods),
          renames_of(old_edition.gpus, new_edition.gpus),
          renames_of(old_edition.scenarios, new_edition.scenarios)};
}

}  // namespace sizesheet
