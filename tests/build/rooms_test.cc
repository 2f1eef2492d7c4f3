// SPDX-License-Identifier: Apache-2.0
// Who may include whom: the arrows between the rooms of generator/, as docs/design.md draws them.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "build/source_scan.h"

namespace sizesheet {
namespace {

using Rooms = std::map<std::string, std::set<std::string>>;

/// A room may always include itself. main.cc, which is in no room, belongs to the edge as cli does.
const Rooms& allowed_rooms() {
  static const std::set<std::string> edge = {"support",  "catalog", "sizing", "cost",
                                             "evidence", "sheet",   "render", "calculator",
                                             "config",   "cli"};
  static const Rooms allowed = {
      {"support", {}},
      {"catalog", {"support"}},
      {"sizing", {"support", "catalog"}},
      {"cost", {"support", "catalog"}},
      {"evidence", {"support", "catalog", "sizing"}},
      {"sheet", {"support", "catalog", "sizing", "cost", "evidence"}},
      {"render", {"support", "sheet"}},
      {"calculator", {"support", "catalog", "sizing", "cost", "sheet"}},
      {"config", {"support", "catalog"}},
      {"cli", edge},
      {"main.cc", edge},
  };
  return allowed;
}

std::string room_of(const std::string& path) { return path.substr(0, path.find('/')); }

TEST(Rooms, every_file_stands_in_a_known_room) {
  for (const SourceFile& file : source_files(SIZESHEET_SOURCE_DIR, "generator")) {
    const std::string room = room_of(file.path.substr(std::string("generator/").size()));
    EXPECT_TRUE(allowed_rooms().contains(room)) << file.path;
  }
}

TEST(Rooms, includes_follow_the_arrows) {
  for (const SourceFile& file : source_files(SIZESHEET_SOURCE_DIR, "generator")) {
    const std::string room = room_of(file.path.substr(std::string("generator/").size()));
    if (!allowed_rooms().contains(room)) continue;
    for (const std::string& include : quoted_includes(file)) {
      const std::string other = room_of(include);
      EXPECT_TRUE(other == room || allowed_rooms().at(room).contains(other))
          << file.path << " includes " << include << ": " << room << " may not include " << other;
    }
  }
}

TEST(Rooms, includes_name_files_from_generator_on) {
  const std::filesystem::path generator = std::filesystem::path(SIZESHEET_SOURCE_DIR) / "generator";
  for (const SourceFile& file : source_files(SIZESHEET_SOURCE_DIR, "generator")) {
    for (const std::string& include : quoted_includes(file)) {
      EXPECT_TRUE(std::filesystem::exists(generator / include))
          << file.path << " includes " << include << ", which is not under generator/";
    }
  }
}

/// Two structs of one name in one namespace link, and then overwrite each other's memory.
TEST(Rooms, no_two_headers_name_a_type_alike) {
  const std::regex begins(R"(^(?:struct|class|enum class) (\w+)[^;]*\{.*)");
  const std::regex opens(R"(^namespace ([\w:]+) \{.*)");
  std::map<std::string, std::string> found;  // by namespace and name, the file
  for (const SourceFile& file : source_files(SIZESHEET_SOURCE_DIR, "generator")) {
    if (!file.path.ends_with(".h")) continue;
    std::string scope;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (std::regex_match(line, match, opens)) scope = match[1];
      if (!std::regex_match(line, match, begins)) continue;
      const auto [first, is_new] = found.emplace(scope + "::" + match[1].str(), file.path);
      EXPECT_TRUE(is_new) << first->first << " stands in " << first->second << " and " << file.path;
    }
  }
  EXPECT_GT(found.size(), 300U);
}

}  // namespace
}  // namespace sizesheet
