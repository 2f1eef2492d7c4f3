// SPDX-License-Identifier: Apache-2.0
// How a changed plan reads, whole.
#include <gtest/gtest.h>

#include "render/diff/words.h"
#include "render/sample_changes.h"

namespace sizesheet {
namespace {

using Sentences = std::vector<std::string>;

/// The sample's, after an edit.
Sentences told(const std::function<void(PlanChange&)>& edit) {
  SheetChanges changes = *changed_sheet().changes;
  edit(*changes.plan);
  return plan_sentences(changes);
}

TEST(PlanWords, SayDollarsMachinesRunsAndCauses) {
  EXPECT_EQ(told([](PlanChange&) {}),
            (Sentences{"The plan: 12 months for $60,000 -> 12 months for $57,000 ($ −3,000, "
                       "−5.0\u00a0%).",
                       "Machines of the plan: 2 × GPU B workstation 1 -> 0.",
                       "Most of its runs: tiny-8b lora: 2 × GPU B workstation -> GPU A on demand.",
                       "Causes of the plan: prices $ −5,000 (2 × GPU B workstation 1 -> 0); "
                       "demand $ +2,000."}));
}

TEST(PlanWords, SayThatThereIsNone) {
  const Sentences sentences = told([](PlanChange& plan) {
    plan.new_totals->why = "the budget is too small";
    plan.moves.clear();
    plan.runs.clear();
    plan.causes = {{"demand", {}, {}, "the budget is too small"}};
  });
  EXPECT_EQ(
      sentences,
      (Sentences{"No plan meets the demand now: the budget is too small.",
                 "Causes of the plan: demand, then there is none: the budget is too small."}));
}

TEST(PlanWords, SayThatItCameOrWent) {
  const auto alone = [](PlanChange& plan) {
    plan.moves.clear();
    plan.runs.clear();
    plan.causes.clear();
  };
  EXPECT_EQ(told([&](PlanChange& plan) {
              alone(plan);
              plan.old_totals.reset();
            }),
            Sentences{"The plan is new: 12 months for $57,000."});
  EXPECT_EQ(told([&](PlanChange& plan) {
              alone(plan);
              plan.new_totals.reset();
            }),
            Sentences{"The new edition has no plan."});
  EXPECT_EQ(told([&](PlanChange& plan) {
              alone(plan);
              plan.old_totals->why = "the budget is too small";
            }),
            Sentences{"There is a plan now: 12 months for $57,000; was none: the budget is too "
                      "small."});
}

TEST(PlanWords, SayOfEachKindWhereItWent) {
  const Sentences sentences = told([](PlanChange& plan) {
    plan.runs = {{"tiny-8b", "lora", "", "GPU A on demand"},
                 {"tiny-8b", "lora", "GPU A on demand", ""}};
  });
  EXPECT_EQ(sentences[2],
            "Most of its runs: tiny-8b lora: new, GPU A on demand; tiny-8b lora: gone, was GPU A "
            "on demand.");
}

TEST(PlanWords, OfNoChangeAreNone) {
  EXPECT_EQ(plan_sentences(*unchanged_sheet().changes), Sentences{});
}

TEST(PlanWords, StandInTextAndMarkdown) {
  const SheetChanges changes = *changed_sheet().changes;
  EXPECT_NE(diff_text(changes, {}).find("Machines of the plan: 2 × GPU B workstation 1 -> 0.\n"),
            std::string::npos);
  EXPECT_NE(diff_markdown(changes, false).find("Machines of the plan:"), std::string::npos);
}

}  // namespace
}  // namespace sizesheet
