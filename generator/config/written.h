// SPDX-License-Identifier: Apache-2.0
// A request as the config and the launch of a framework.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/configs/config_writer.h"
#include "support/json.h"

namespace sizesheet {

struct WrittenConfig {
  std::vector<std::pair<std::string, std::string>> files;  ///< name and text; the run's first
  std::string command;               ///< what starts the run; "" where no command is known
  std::string trainer;               ///< "trl sft": what reading back needs to know; or ""
  std::vector<std::string> refused;  ///< what the framework cannot be told, a sentence each
};

/// `request` has each key that the run depends on, and facts of the writer's own behind a '_'.
/// `heading` is the comment at the top of each file, line by line.
WrittenConfig written_config(const ConfigWriter& writer, const Json& request,
                             const std::vector<std::string>& heading);

/// A sentence for each key that `written` says otherwise than `request`, or not at all. Both are
/// whole requests. Keys that follow from the versions alone are left out, and so is what no config
/// says: how long the run is.
std::vector<std::string> unlike_keys(const ConfigWriter& writer, const Json& request,
                                     const Json& written);

}  // namespace sizesheet
