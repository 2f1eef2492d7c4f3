// SPDX-License-Identifier: Apache-2.0
// Files: reading, listing and hashing them; and the manifest of an edition, and what stands in its
// folder.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/files.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

TEST(Files, are_read_whole) {
  const TempDir dir;
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(200000, 'x');
  dir.write("f", bytes);
  EXPECT_EQ(read_file(dir.path() / "f"), bytes);
}

TEST(Files, unreadable_ones_are_named_with_the_reason) {
  const TempDir dir;
  const std::string path = dir.path().string();
  EXPECT_EQ(refusal_of([&] { read_file(dir.path() / "none"); }),
            path + "/none: cannot read: No such file or directory");
  EXPECT_EQ(refusal_of([&] { read_file(dir.path()); }), path + ": cannot read: Is a directory");
  EXPECT_EQ(refusal_of([&] { list_files(dir.path() / "none"); }),
            path + "/none: cannot list: No such file or directory");
}

TEST(Files, are_listed_sorted_with_nothing_skipped) {
  const TempDir dir;
  for (const char* name : {"b/z.json", "b.json", ".hidden", "a", "b/.x/y"}) dir.write(name, "");
  EXPECT_EQ(list_files(dir.path()),
            (std::vector<std::string>{".hidden", "a", "b.json", "b/.x/y", "b/z.json"}));
}

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

std::string manifest_refusal(const std::string& text) {
  return refusal_of([&] { parse_manifest(text, "out/manifest.json"); });
}

TEST(Manifest, ReadsBackAsWritten) {
  const Manifest manifest = manifest_of({{"index.html", "abc"}, {"models/a.html", ""}});
  EXPECT_EQ(manifest.at("index.html"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(parse_manifest(manifest_text(manifest), "manifest.json"), manifest);
}

TEST(Manifest, WhatIsNoneIsRefusedWithItsPlace) {
  EXPECT_EQ(manifest_refusal("{"), "out/manifest.json:1:2: not JSON near '{'");
  EXPECT_EQ(manifest_refusal("[]"), "out/manifest.json:/schema_version: expected 1, got nothing");
  EXPECT_EQ(manifest_refusal(R"({"schema_version": 2, "files": {}})"),
            "out/manifest.json:/schema_version: expected 1, got 2");
  EXPECT_EQ(manifest_refusal(R"({"schema_version": 1})"),
            "out/manifest.json:/files: expected the files of an edition with their SHA-256, got "
            "nothing");
  EXPECT_EQ(manifest_refusal(R"({"schema_version": 1, "files": {"models/a~.html": 3}})"),
            "out/manifest.json:/files/models~1a~0.html: expected 64 hex digits, got 3");
  EXPECT_EQ(manifest_refusal(R"({"schema_version": 1, "files": {"a": "ABC"}})"),
            "out/manifest.json:/files/a: expected 64 hex digits, got \"ABC\"");
}

TEST(FolderContent, TellsFilesFoldersAndTheRest) {
  const TempDir dir;
  dir.write("b.html", "1");
  dir.write("sub/a.html", "2");
  fs::create_symlink("b.html", dir.path() / "link");
  fs::create_directory_symlink("/", dir.path() / "root");
  ASSERT_EQ(mkfifo((dir.path() / "sub/pipe").c_str(), 0600), 0);
  const FolderContent content = folder_content(dir.path());
  EXPECT_EQ(content.files, (Names{"b.html", "sub/a.html"}));
  EXPECT_EQ(content.folders, Names{"sub"});
  EXPECT_EQ(content.odd,
            (std::map<std::string, std::string>{
                {"link", "symbolic link"}, {"root", "symbolic link"}, {"sub/pipe", "pipe"}}));
}

TEST(FolderContent, RefusesWhatIsNoFolder) {
  const TempDir dir;
  dir.write("file", "1");
  const std::string file = (dir.path() / "file").string();
  EXPECT_EQ(refusal_of([&] { folder_content(file); }),
            file + ": expected the folder of an edition, got a file");
  EXPECT_EQ(refusal_of([] { folder_content("/nowhere/at/all"); }),
            "/nowhere/at/all: expected the folder of an edition, got nothing");
}

}  // namespace
}  // namespace sizesheet
