// SPDX-License-Identifier: Apache-2.0
// The templates of the pages: compiled in, and replaceable file by file from a directory.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sizesheet {

inline constexpr const char* kTemplateSuffix = ".mustache";

/// File name -> text: pages and partials (*.mustache), style.css and the scripts.
using TemplateSet = std::map<std::string, std::string>;

/// The files of templates/, generated into the program by the build.
const std::map<std::string, std::string>& embedded_templates();

TemplateSet builtin_templates();

/// The built-in set overlaid by the files of `directory`. Throws InputError for a file whose name
/// the pages do not know, so that a misspelt override is not silently without effect.
TemplateSet load_templates(const std::filesystem::path& directory);

}  // namespace sizesheet
