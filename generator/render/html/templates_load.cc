// SPDX-License-Identifier: Apache-2.0
#include <system_error>
#include <vector>

#include "render/html/templates.h"
#include "render/html/templates_check.h"
#include "support/error.h"
#include "support/files.h"
#include "support/printable.h"
#include "support/text.h"
#include "support/utf8.h"

namespace sizesheet {

TemplateSet builtin_templates() { return embedded_templates(); }

TemplateSet load_templates(const std::filesystem::path& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    throw InputError(shown_path(directory) + ": not a directory of templates");
  }
  TemplateSet templates = builtin_templates();
  std::vector<std::string> known;
  for (const auto& [name, text] : templates) {
    known.push_back(name);
    if (!std::filesystem::is_directory(directory / name, error)) continue;
    throw InputError(shown_path(directory / name) + ": expected a template, got a folder");
  }
  for (const std::string& name : list_files(directory)) {
    const auto found = templates.find(name);
    if (found == templates.end()) {
      throw InputError(shown_path(directory / name) + ": no page uses a template of this name" +
                       did_you_mean(name, known));
    }
    constexpr std::size_t kMostTemplate = std::size_t{1} << 20U;  // the largest of ours has 40,000
    found->second = read_file(directory / name, kMostTemplate);
    if (is_utf8(found->second)) continue;
    throw InputError(shown_path(directory / name) + ": expected UTF-8 text");
  }
  check_templates(templates, shown_path(directory));
  return templates;
}

}  // namespace sizesheet
