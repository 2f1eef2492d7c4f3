// SPDX-License-Identifier: Apache-2.0
#include <system_error>
#include <vector>

#include "render/html/templates.h"
#include "support/error.h"
#include "support/files.h"

namespace sizesheet {

TemplateSet builtin_templates() { return embedded_templates(); }

TemplateSet load_templates(const std::filesystem::path& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    throw InputError(directory.string() + ": not a directory of templates");
  }
  TemplateSet templates = builtin_templates();
  std::vector<std::string> known;
  for (const auto& [name, text] : templates) known.push_back(name);
  for (const std::string& name : list_files(directory)) {
    const auto found = templates.find(name);
    if (found == templates.end()) {
      throw InputError((directory / name).string() + ": no page uses a template of this name" +
                       did_you_mean(name, known));
    }
    found->second = read_file(directory / name);
  }
  return templates;
}

}  // namespace sizesheet
