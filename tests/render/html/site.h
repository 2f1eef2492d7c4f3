// SPDX-License-Identifier: Apache-2.0
// The pages of a sheet, and questions that tests ask of their text.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/sample_sheet.h"
#include "sheet/sheet.h"
#include "support/files.h"

namespace sizesheet {

/// All pages, by the built-in templates.
inline FileSet site(const Sheet& sheet) {
  FileSet files;
  write_site(sheet, builtin_templates(), 1, files);
  return files;
}

/// The site of the whole sample, rendered once for all tests that only read it.
inline const FileSet& sample_site() {
  static const FileSet kFiles = site(sample_sheet());
  return kFiles;
}

/// How often `part` stands in `text`.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// What the pattern's group matches, or the whole of each match where it has none.
inline std::vector<std::string> all_of(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    found.push_back(it->size() > 1 ? (*it)[1].str() : it->str());
  }
  return found;
}

/// The numbers that the pattern's group matches.
inline std::vector<double> numbers_of(const std::string& text, const std::string& pattern) {
  std::vector<double> found;
  for (const std::string& number : all_of(text, pattern.c_str()))
    found.push_back(std::stod(number));
  return found;
}

}  // namespace sizesheet
