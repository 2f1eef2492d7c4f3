// SPDX-License-Identifier: Apache-2.0
// Entries that wait are read when they are first asked for, once, by whichever thread asks.
#include "catalog/files/entries.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

using Lengths = Entries<std::size_t>;

/// Entries that are as long as their ids, and how many were read.
Lengths waiting(const std::vector<std::string>& ids, std::atomic<int>& reads) {
  return {ids, [&reads](const std::string& id) {
            ++reads;
            return id.size();
          }};
}

TEST(Entries, are_read_when_they_are_asked_for_and_once) {
  std::atomic<int> reads = 0;
  const Lengths entries = waiting({"oak", "elm", "birch"}, reads);
  EXPECT_EQ(entries.size(), 3U);
  EXPECT_TRUE(entries.contains("elm"));
  EXPECT_EQ(keys_of(entries), (std::vector<std::string>{"birch", "elm", "oak"}));
  EXPECT_EQ(entries.find("ash"), entries.end());
  EXPECT_EQ(reads, 0);
  EXPECT_EQ(entries.at("birch"), 5U);
  EXPECT_EQ(entries.find("birch")->second, 5U);
  EXPECT_EQ(reads, 1);
  std::size_t letters = 0;
  for (const auto& [id, length] : entries) letters += length;
  EXPECT_EQ(letters, 11U);
  EXPECT_EQ(entries.all().size(), 3U);
  EXPECT_EQ(reads, 3);
}

TEST(Entries, a_copy_has_what_was_read_and_reads_the_rest_itself) {
  std::atomic<int> reads = 0;
  const Lengths entries = waiting({"oak", "birch"}, reads);
  EXPECT_EQ(entries.at("oak"), 3U);
  Lengths copy = entries;
  copy["ash"] = 30;
  EXPECT_EQ(copy.at("birch"), 5U);
  EXPECT_EQ(copy.size(), 3U);
  EXPECT_EQ(entries.size(), 2U);
  EXPECT_EQ(reads, 2);
  const Lengths moved = std::move(copy);
  EXPECT_EQ(moved.at("ash"), 30U);
}

TEST(Entries, several_threads_may_ask) {
  std::atomic<int> reads = 0;
  std::vector<std::string> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(std::string(static_cast<std::size_t>(i) + 1, 'a'));
  const Lengths entries = waiting(ids, reads);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string& id = ids[t % 2 == 0 ? i : ids.size() - 1 - i];
        if (entries.find(id)->second != id.size()) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(reads, 200);
}

TEST(BuiltInCatalog, entries_read_on_use_are_those_of_the_whole_catalog) {
  const Catalog part = load_sound_catalog(kBuiltInCatalog, CatalogParts());
  const Catalog& whole = project_catalog();
  ASSERT_EQ(keys_of(part.models), keys_of(whole.models));
  ASSERT_EQ(keys_of(part.stacks), keys_of(whole.stacks));
  for (const auto& [id, model] : whole.models) {
    EXPECT_EQ(part.models.at(id).raw, model.raw) << id;
    EXPECT_EQ(part.models.at(id).title, model.title) << id;
  }
  for (const auto& [id, stack] : whole.stacks) {
    EXPECT_EQ(part.stacks.at(id).raw, stack.raw) << id;
    EXPECT_EQ(part.stacks.at(id).title, stack.title) << id;
  }
}

}  // namespace
}  // namespace sizesheet
