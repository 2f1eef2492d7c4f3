// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/model_alias.h"

#include <set>

#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

ModelMirror read_mirror(ObjectReader& row) {
  return read_entry<ModelMirror>(row, {.may_lack = {"of", "quantised"}});
}

/// Names that differ by capitals alone are the same.
void check_names(ObjectReader& row, const ModelAlias& alias, std::set<std::string>& seen) {
  for (const std::string& name : alias.names) {
    const std::size_t slash = name.find('/');
    const bool hub = slash != name.npos && slash > 0 && slash + 1 < name.size() &&
                     name.find('/', slash + 1) == name.npos;
    if (!hub) row.fault("names", "expected names OWNER/NAME, got " + in_quotes(name));
    if (!seen.insert(small_letters(name)).second) {
      row.fault("names", in_quotes(name) + " is there twice");
    }
  }
}

}  // namespace

ModelAliases read_model_aliases(ObjectReader reader, const std::vector<std::string>& models) {
  ModelAliases all;
  all.mirrors = read_list(reader, "mirrors", read_mirror, "owner", "an owner");
  std::set<std::string> seen;
  for (ObjectReader& row : read_rows(reader, "aliases")) {
    all.aliases.push_back(read_entry<ModelAlias>(
        row, {.references = {{"model", {"model", models}}}, .may_lack = {"note"}}));
    check_names(row, all.aliases.back(), seen);
  }
  reader.done();
  return all;
}

}  // namespace sizesheet
