// SPDX-License-Identifier: Apache-2.0
// Ids that an entry had in another edition (`was`), so that a renamed model is one row and not two.
#pragma once

#include <map>
#include <string>

#include "sheet/diff/edition.h"

namespace sizesheet {

/// OLD's id -> NEW's id, for the ids that differ. Either edition may be the later one.
struct Renames {
  std::map<std::string, std::string> models;
  std::map<std::string, std::string> methods;
  std::map<std::string, std::string> gpus;
  std::map<std::string, std::string> scenarios;

  bool none() const;
};

Renames renames_between(const Edition& old_edition, const Edition& new_edition);

/// OLD with NEW's ids in its rows, picks and price keys; each side's row_key stays as OLD wrote it.
Edition under_new_names(Edition old_edition, const Renames& renames);

}  // namespace sizesheet
