// SPDX-License-Identifier: Apache-2.0
// Conventions of published guides: what is kept, how variants rest on the common rules, and every
// fault by its whole text.
#include "catalog/published/convention.h"

#include <gtest/gtest.h>

#include "catalog/sample_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

TEST(Convention, keeps_rules_variants_and_figures) {
  const Catalog catalog = loaded();
  const Convention& guide = catalog.convention("simple");
  EXPECT_EQ(guide.rules.rules.at("shard").rule, "whole");
  EXPECT_EQ(guide.rules.headroom.at("prose").share, 0.15);
  EXPECT_EQ(guide.rules_of("").constants.at("weights").low, 2);
  EXPECT_EQ(guide.rules_of("half").constants.at("weights").high, 0.5);
  EXPECT_TRUE(guide.rules_of("half").constants.at("weights").fitted);
  EXPECT_EQ(guide.rules_of("half").rules.at("shard").rule, "whole");
  ASSERT_EQ(guide.figures.size(), 3U);
  EXPECT_EQ(guide.figures[1].variant, "half");
  EXPECT_EQ(guide.figures[2].printed, (GuideValue{{1, 2}, {}}));
  EXPECT_EQ(guide.figures[2].place, "/figures/2");
  EXPECT_EQ(catalog.guide_differences.at(0).sheet, "Counted.");
}

TEST(Convention, suggests_the_name_that_was_meant) {
  const Catalog catalog = loaded();
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.convention("simpel")); }),
            "convention \"simpel\" is not in the catalog (did you mean \"simple\"?)");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.convention("simple").rules_of("hlaf")); }),
            "convention \"simple\" has no variant \"hlaf\" (did you mean \"half\"?)");
}

TEST(Convention, refuses_rules_outside_the_closed_sets) {
  const std::string file = "conventions/simple.json";
  EXPECT_EQ(faults_after(file, "/rules/shard/rule", "hole"),
            Texts{file + ":/rules/shard/rule: expected one of whole, zero-stages, megatron, fsdp2; "
                         "got \"hole\" (did you mean \"whole\"?)"});
  const Json rule = {{"rule", "x"}, {"words", "w"}};
  EXPECT_EQ(faults_after(file, "/rules/shardd", rule),
            Texts{file + ":/rules/shardd: no rule of this name (did you mean \"shard\"?)"});
  EXPECT_EQ(faults_after(file, "/constants/wieghts", {{"value", 2}, {"words", "w"}}),
            Texts{file + ":/constants/wieghts: no constant of this name (did you mean "
                         "\"weights\"?)"});
  EXPECT_EQ(faults_after(file, "/headroom/prose/share", 15),
            Texts{file + ":/headroom/prose/share: expected a number from 0 to 1, got 15"});
}

TEST(Convention, refuses_figures_that_cannot_be_held_against_anything) {
  const std::string file = "conventions/figures/simple.json";
  EXPECT_EQ(
      faults_after(file, "/figures/0/printed", "14 GB"),
      Texts{file + ":/figures/0/printed: expected a number, a list of numbers, true or false, "
                   "got \"14 GB\""});
  EXPECT_EQ(
      faults_after(file, "/figures/0/status", "exakt"),
      Texts{file + ":/figures/0/status: expected one of exact, within-rounding, inconsistent, "
                   "not-derivable; got \"exakt\" (did you mean \"exact\"?)"});
  EXPECT_EQ(faults_after(file, "/figures/0/status", "not-derivable"),
            (std::vector<std::string>{
                file + ":/figures/0/quantity: expected no quantity where nothing can be derived, "
                       "got \"memory\"",
                file + ":/figures/0/reason: expected why the figure is not-derivable, got "
                       "nothing"}));
  EXPECT_EQ(faults_after(file, "/figures/0/quantity", ""),
            Texts{file + ":/figures/0/quantity: expected the name of a quantity, got nothing"});
  EXPECT_EQ(faults_after(file, "/figures/0/inputs", 7),
            Texts{file + ":/figures/0/inputs: expected an object, got 7"});
  EXPECT_EQ(faults_after(file, "/figures/1/id", "seven"),
            Texts{file + ":/figures/1/id: expected an id that stands once, got \"seven\" again"});
}

TEST(Convention, figures_and_conventions_go_together) {
  Documents documents = sample_documents();
  documents["conventions/figures/simpel.json"] = documents.at("conventions/figures/simple.json");
  EXPECT_EQ(faults_in(documents),
            Texts{"conventions/figures/simpel.json: no convention \"simpel\" in the catalog (did "
                  "you mean \"simple\"?)"});
  documents = sample_documents();
  documents.erase("conventions/figures/simple.json");
  const TempDir dir;
  write_documents(dir, documents);
  EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }),
            (dir.path() / "conventions/figures/simple.json").string() + ": this file is required");
}

}  // namespace
}  // namespace sizesheet
