// SPDX-License-Identifier: Apache-2.0
// What is compiled in is what stands in templates/ and catalog/.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "catalog/files/loader.h"
#include "render/html/templates/templates.h"
#include "support/files.h"

namespace sizesheet {
namespace {

std::map<std::string, std::string> texts_of(const std::map<std::string, std::string_view>& files) {
  return {files.begin(), files.end()};
}

TEST(EmbeddedTemplates, equal_the_files) {
  const std::filesystem::path directory = std::filesystem::path(SIZESHEET_SOURCE_DIR) / "templates";
  std::map<std::string, std::string> files;
  for (const std::string& name : list_files(directory)) files[name] = read_file(directory / name);
  EXPECT_FALSE(files.empty());
  EXPECT_EQ(texts_of(embedded_templates()), files);
}

TEST(EmbeddedCatalog, equals_the_files) {
  const std::filesystem::path directory = std::filesystem::path(SIZESHEET_SOURCE_DIR) / "catalog";
  std::map<std::string, std::string> files;
  for (const std::string& name : list_files(directory)) files[name] = read_file(directory / name);
  EXPECT_EQ(texts_of(embedded_catalog()), files);
}

}  // namespace
}  // namespace sizesheet
