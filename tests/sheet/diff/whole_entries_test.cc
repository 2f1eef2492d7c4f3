// SPDX-License-Identifier: Apache-2.0
// What only one edition has is told once, by the largest thing that came or went.
#include <gtest/gtest.h>

#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"

namespace sizesheet {
namespace {

using Entries = std::vector<EntryChange>;

TEST(WholeEntries, a_new_model_on_a_new_card_is_told_by_the_model) {
  Edition after = sample_edition();
  after.rows.push_back(sample_row("m", "c", 1, 1'000'000));
  after.rows.push_back(sample_row("o", "a", 1, 1'000'000));
  after.rows.push_back(sample_row("o", "c", 1, 1'000'000));
  after.picks.push_back(sample_pick("o", "o/lora/c/s"));
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.entries, (Entries{{"model", "o", "added", 2, 1}, {"gpu", "c", "added", 1, 0}}));
  for (const Change& change : changes.changes) {
    const EntryChange* entry = whole_entry(changes, change);
    ASSERT_NE(entry, nullptr) << change.key;
    EXPECT_EQ(entry->of, change.model == "o" ? "model" : "gpu") << change.key;
  }
}

TEST(WholeEntries, one_came_and_one_went) {
  Edition after = sample_edition();
  for (EditionRow& row : after.rows) {
    if (row.model == "n") row.model = "o";
    row.side.row_key = row.key();
  }
  after.picks[1] = sample_pick("o", "o/lora/a/s");
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.entries,
            (Entries{{"model", "o", "added", 2, 1}, {"model", "n", "removed", 2, 1}}));
}

TEST(WholeEntries, a_row_of_known_names_is_told_by_none) {
  Edition after = sample_edition();
  after.rows.pop_back();
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_TRUE(changes.entries.empty());
  ASSERT_FALSE(changes.changes.empty());
  EXPECT_EQ(whole_entry(changes, changes.changes.front()), nullptr);
}

TEST(WholeEntries, a_renamed_model_is_none) {
  Edition after = sample_edition();
  after.models[0] = {"m2", {"m"}};
  for (EditionRow& row : after.rows) {
    if (row.model == "m") row.model = "m2";
    row.side.row_key = row.key();
  }
  EXPECT_TRUE(compare_editions(sample_edition(), after, {}).entries.empty());
}

}  // namespace
}  // namespace sizesheet
