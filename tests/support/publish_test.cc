// SPDX-License-Identifier: Apache-2.0
// Publishing an edition: whole or not at all, and never over somebody's files.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/durable.h"
#include "support/files.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const char* const kNotReplaced = ": is not part of an edition, so the directory is not replaced";

class Publish : public testing::Test {
 protected:
  std::string refusal(const FileSet& files) {
    return refusal_of([&] { publish_edition(out, files); });
  }

  TempDir dir;
  fs::path out = dir.path() / "out";
};

TEST_F(Publish, writes_the_files_and_their_manifest) {
  publish_edition(out, {{"index.html", "abc"}, {"model/a.html", ""}});
  EXPECT_EQ(list_files(out), (Names{"index.html", "manifest.json", "model/a.html"}));
  EXPECT_EQ(read_file(out / "index.html"), "abc");
  EXPECT_EQ(read_file(out / "manifest.json"),
            "{\n  \"files\": {\n    \"index.html\": "
            "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\",\n"
            "    \"model/a.html\": "
            "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"\n  },\n"
            "  \"schema_version\": 1\n}\n");
}

TEST_F(Publish, replaces_an_edition_and_leaves_nothing_of_it) {
  publish_edition(out, {{"old.html", "1"}, {"sub/old.html", "1"}});
  publish_edition(out, {{"new.html", "2"}});
  EXPECT_EQ(list_files(out), (Names{"manifest.json", "new.html"}));
  EXPECT_FALSE(fs::exists(out / "sub"));
  EXPECT_EQ(list_files(dir.path()), (Names{"out/manifest.json", "out/new.html"}));
}

TEST_F(Publish, takes_an_empty_directory_and_a_trailing_slash) {
  fs::create_directories(out);
  publish_edition(out / "", {{"a", "1"}});
  EXPECT_EQ(list_files(out), (Names{"a", "manifest.json"}));
}

TEST_F(Publish, makes_the_directories_above) {
  publish_edition(out / "deep" / "er", {{"a", "1"}});
  EXPECT_EQ(list_files(out), (Names{"deep/er/a", "deep/er/manifest.json"}));
}

TEST_F(Publish, keeps_the_files_of_the_static_host) {
  publish_edition(out, {{"a", "1"}});
  dir.write("out/CNAME", "sheet.example\n");
  dir.write("out/.nojekyll", "");
  publish_edition(out, {{"b", "2"}});
  EXPECT_EQ(list_files(out), (Names{".nojekyll", "CNAME", "b", "manifest.json"}));
  EXPECT_EQ(read_file(out / "CNAME"), "sheet.example\n");
}

TEST_F(Publish, refuses_foreign_files_naming_the_first) {
  publish_edition(out, {{"b.html", "1"}});
  dir.write("out/z.txt", "mine");
  dir.write("out/notes/a.txt", "mine");
  EXPECT_EQ(refusal({{"c.html", "2"}}), (out / "notes/a.txt").string() + kNotReplaced);
  EXPECT_EQ(list_files(out), (Names{"b.html", "manifest.json", "notes/a.txt", "z.txt"}));
}

TEST_F(Publish, refuses_a_directory_that_never_was_an_edition) {
  dir.write("out/thesis.txt", "mine");
  EXPECT_EQ(refusal({{"a", "1"}}), (out / "thesis.txt").string() + kNotReplaced);
  dir.write("out/sub/CNAME", "only the one at the top is kept");
  fs::remove(out / "thesis.txt");
  EXPECT_EQ(refusal({{"a", "1"}}), (out / "sub/CNAME").string() + kNotReplaced);
}

TEST_F(Publish, refuses_a_link_among_the_files) {
  publish_edition(out, {{"a", "1"}});
  dir.write("elsewhere", "x");
  fs::remove(out / "a");
  fs::create_symlink(dir.path() / "elsewhere", out / "a");
  EXPECT_EQ(refusal({{"a", "2"}}), (out / "a").string() + kNotReplaced);
}

TEST_F(Publish, refuses_a_manifest_of_another_kind) {
  dir.write("out/manifest.json", "{\"name\": \"web app\"}");
  EXPECT_EQ(refusal({{"a", "1"}}),
            (out / "manifest.json").string() + ":/schema_version: expected 1, got nothing");
  dir.write("out/manifest.json", R"({"schema_version": 1, "files": {"app.js": "main"}})");
  EXPECT_EQ(refusal({{"a", "1"}}), (out / "manifest.json").string() +
                                       ":/files/app.js: expected 64 hex digits, got \"main\"");
  dir.write("out/manifest.json", R"({"schema_version": 1, "files": {}})");
  EXPECT_EQ(refusal({{"a", "1"}}), (out / "manifest.json").string() + kNotReplaced);
}

TEST_F(Publish, refuses_a_file_that_was_changed_since) {
  publish_edition(out, {{"a", "1"}, {"b", "2"}});
  dir.write("out/b", "a note of mine");
  EXPECT_EQ(refusal({{"a", "3"}}),
            (out / "b").string() +
                ": has changed since the edition was written, so the directory is not replaced");
  EXPECT_EQ(read_file(out / "b"), "a note of mine");
}

TEST_F(Publish, refuses_the_working_directory_a_home_and_a_repository) {
  const std::string kept = out.string() + ": is not replaced by an edition: ";
  fs::create_directories(out / "below");
  const fs::path here = fs::current_path();
  fs::current_path(out / "below");
  EXPECT_EQ(refusal({{"a", "1"}}), kept + "the working directory is there");
  fs::current_path(here);
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  setenv("HOME", out.c_str(), 1);
  EXPECT_EQ(refusal({{"a", "1"}}), kept + "it is a home directory");
  setenv("HOME", home.c_str(), 1);
  fs::create_directories(out / ".git");
  EXPECT_EQ(refusal({{"a", "1"}}), kept + "it holds a repository (.git)");
}

TEST_F(Publish, a_replaced_file_keeps_its_mode) {
  dir.write("secret.json", "1");
  fs::permissions(dir.path() / "secret.json", fs::perms::owner_read | fs::perms::owner_write);
  replace_file(dir.path() / "secret.json", "2");
  EXPECT_EQ(read_file(dir.path() / "secret.json"), "2");
  EXPECT_EQ(fs::status(dir.path() / "secret.json").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Publish, refuses_a_link_or_a_file_as_target) {
  fs::create_directories(dir.path() / "real");
  fs::create_directory_symlink(dir.path() / "real", out);
  EXPECT_EQ(refusal({{"a", "1"}}),
            out.string() + ": is a symbolic link; name the directory itself");
  fs::remove(out);
  dir.write("out", "a file");
  EXPECT_EQ(refusal({{"a", "1"}}), out.string() + ": is not a directory");
}

TEST_F(Publish, leaves_the_old_edition_on_failure_and_no_rest_beside_it) {
  publish_edition(out, {{"a", "1"}});
  const std::string words = refusal({{"a", "2"}, {"a/b", "in the way"}});
  EXPECT_NE(words.find("cannot create: Not a directory"), std::string::npos) << words;
  EXPECT_EQ(read_file(out / "a"), "1");
  EXPECT_EQ(list_files(dir.path()), (Names{"out/a", "out/manifest.json"}));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

TEST_F(Publish, takes_names_inside_the_edition_only) {
  for (const char* name : {"../a", "/a", "a/../b", "", "manifest.json", "a/"}) {
    EXPECT_THROW(publish_edition(out, {{name, "1"}}), std::invalid_argument) << name;
  }
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace sizesheet
