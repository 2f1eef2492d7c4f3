// SPDX-License-Identifier: Apache-2.0
// Reading, listing and hashing files.
#include "support/files.h"

#include <gtest/gtest.h>

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

TEST(Files, hash_as_sha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace sizesheet
