// SPDX-License-Identifier: Apache-2.0
// The house rules that a scanner can see, over all C++ sources of the program and its tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "build/source_scan.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMostLinesOfFunction = 60;
constexpr std::size_t kMostLinesOfMain = 60;

std::vector<SourceFile> all_files() {
  std::vector<SourceFile> files = source_files(SIZESHEET_SOURCE_DIR, "generator");
  for (SourceFile& file : source_files(SIZESHEET_SOURCE_DIR, "tests")) {
    if (file.path.find("node_modules") == std::string::npos) files.push_back(std::move(file));
  }
  return files;
}

std::string text_of(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line + "\n";
  return text;
}

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return path.substr(slash + 1, path.find_last_of('.') - slash - 1);
}

/// A .cc file may leave the words to its header, which it then includes first; a header split over
/// several files (table.h: table_rows.cc, table_text.cc) is the header of each. A test says by its
/// name what it is of.
bool begins_with_own_header(const SourceFile& file) {
  const std::vector<std::string> includes = quoted_includes(file);
  return file.path.ends_with(".cc") && !includes.empty() &&
         (file.path.ends_with("_test.cc") ||
          stem_of(file.path).starts_with(stem_of(includes.front())));
}

TEST(Style, first_line_is_the_licence) {
  for (const SourceFile& file : all_files()) {
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_EQ(file.lines[0], "// SPDX-License-Identifier: Apache-2.0") << file.path;
  }
}

TEST(Style, second_line_says_what_the_file_is_for) {
  for (const SourceFile& file : all_files()) {
    if (begins_with_own_header(file)) continue;
    ASSERT_GE(file.lines.size(), 2U) << file.path;
    EXPECT_EQ(file.lines[1].substr(0, 3), "// ") << file.path;
  }
}

TEST(Style, main_is_short) {
  for (const SourceFile& file : all_files()) {
    if (file.path != "generator/main.cc") continue;
    EXPECT_LE(file.lines.size(), kMostLinesOfMain) << file.path;
  }
}

TEST(Style, functions_are_short) {
  for (const SourceFile& file : all_files()) {
    for (const FunctionLength& function : function_lengths(text_of(file))) {
      EXPECT_LE(function.lines, kMostLinesOfFunction) << file.path << ":" << function.line;
    }
  }
}

/// Whether `second` stands behind `first` with nothing but blanks between them.
bool follows(const std::string& code, const std::string& first, const std::string& second) {
  for (std::size_t at = code.find(first); at != std::string::npos; at = code.find(first, at + 1)) {
    const std::size_t next = code.find_first_not_of(" \t\n", at + first.size());
    if (next != std::string::npos && code.compare(next, second.size(), second) == 0) return true;
  }
  return false;
}

TEST(Style, no_using_namespace_and_no_macros) {
  for (const SourceFile& file : all_files()) {
    const std::string code = code_only(text_of(file));
    EXPECT_FALSE(follows(code, "#", "define")) << file.path;
    EXPECT_FALSE(follows(code, "using", "namespace")) << file.path;
  }
}

TEST(Style, headers_are_included_once) {
  for (const SourceFile& file : all_files()) {
    if (!file.path.ends_with(".h")) continue;
    EXPECT_NE(text_of(file).find("\n#pragma once\n"), std::string::npos) << file.path;
  }
}

}  // namespace
}  // namespace sizesheet
