// SPDX-License-Identifier: Apache-2.0
#include "support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "support/text.h"

namespace sizesheet {

namespace {

bool updating() {
  const char* wish = std::getenv("SIZESHEET_UPDATE_GOLDEN");
  return wish && std::string(wish) == "1";
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  ASSERT_TRUE(file.good()) << "cannot write " << path;
}

std::string first_difference(const std::string& kept, const std::string& made) {
  const std::vector<std::string> old_lines = split(kept, '\n');
  const std::vector<std::string> new_lines = split(made, '\n');
  std::size_t line = 0;
  while (line < old_lines.size() && line < new_lines.size() && old_lines[line] == new_lines[line]) {
    ++line;
  }
  const auto shown = [line](const std::vector<std::string>& lines) {
    return line < lines.size() ? lines[line] : std::string("(end)");
  };
  return "line " + std::to_string(line + 1) + "\n  kept: " + shown(old_lines) +
         "\n  made: " + shown(new_lines);
}

}  // namespace

void expect_golden(const std::string& name, const std::string& text) {
  expect_kept("tests/golden/" + name, text);
}

void expect_kept(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(SIZESHEET_SOURCE_DIR) / name;
  if (updating()) {
    write(path, text);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file.good()) << name << " is missing: run with SIZESHEET_UPDATE_GOLDEN=1";
  const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (kept != text) {
    ADD_FAILURE() << name << " differs, " << first_difference(kept, text)
                  << "\n  if this is meant: SIZESHEET_UPDATE_GOLDEN=1, then read the diff";
  }
}

}  // namespace sizesheet
