// SPDX-License-Identifier: Apache-2.0
// How a plan changed, in the words of every form.

#include "render/diff/words.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<std::string> units_words(const std::vector<PlanUnitsMoved>& moves,
                                     const std::string& arrow) {
  std::vector<std::string> words;
  for (const PlanUnitsMoved& move : moves) {
    words.push_back(move.title + " " + format_integer(move.from) + arrow + format_integer(move.to));
  }
  return words;
}

std::string runs_words(const PlanRunsMoved& moved, const SheetChanges& changes,
                       const std::string& arrow) {
  const std::string kind =
      changes.name_of("model", moved.model) + " " + changes.name_of("method", moved.method);
  if (moved.from.empty()) return kind + ": new, " + moved.to;
  if (moved.to.empty()) return kind + ": gone, was " + moved.from;
  return kind + ": " + moved.from + arrow + moved.to;
}

std::string cause_of_plan(const PlanCause& cause, const std::string& arrow) {
  std::string words = cause.group;
  if (cause.usd.value != 0) words += " $ " + delta_usd(cause.usd, 0);
  if (!cause.moves.empty()) words += " (" + join(units_words(cause.moves, arrow), ", ") + ")";
  return cause.why.empty() ? words : words + ", then there is none: " + cause.why;
}

/// "12 months for $60,119", of a plan that there is.
std::string amount_words(std::int64_t months, const PlanTotals& totals) {
  return counted(months, "month", "months") + " for $" + whole_usd(totals.usd);
}

std::string total_words(const PlanChange& change, const std::string& arrow) {
  const std::optional<PlanTotals>& before = change.old_totals;
  const std::optional<PlanTotals>& after = change.new_totals;
  if (!after) return "The new edition has no plan.";
  if (!after->why.empty()) return "No plan meets the demand now: " + after->why + ".";
  const std::string now = amount_words(change.new_months, *after);
  if (!before) return "The plan is new: " + now + ".";
  if (!before->why.empty()) {
    return "There is a plan now: " + now + "; was none: " + before->why + ".";
  }
  const MicroUsd moved = after->usd - before->usd;
  const auto share = delta_share(before->usd, after->usd);
  std::string difference = "$ " + delta_usd(moved, 0);
  if (share && moved.value != 0) difference += ", " + delta_percent(*share);
  return "The plan: " + amount_words(change.old_months, *before) + arrow + now + " (" + difference +
         ").";
}

std::string listed(const std::string& head, const std::vector<std::string>& words) {
  return words.empty() ? "" : head + ": " + join(words, "; ") + ".";
}

}  // namespace

PlanChangeWords plan_change_words(const SheetChanges& changes, const std::string& arrow) {
  if (!changes.plan) return {};
  const PlanChange& plan = *changes.plan;
  PlanChangeWords words{total_words(plan, arrow), units_words(plan.moves, arrow), {}, {}};
  for (const PlanRunsMoved& moved : plan.runs) {
    words.runs.push_back(runs_words(moved, changes, arrow));
  }
  for (const PlanCause& cause : plan.causes) words.causes.push_back(cause_of_plan(cause, arrow));
  return words;
}

std::vector<std::string> plan_sentences(const SheetChanges& changes) {
  const PlanChangeWords words = plan_change_words(changes, " -> ");
  std::vector<std::string> sentences{words.total, listed("Machines of the plan", words.moves),
                                     listed("Most of its runs", words.runs),
                                     listed("Causes of the plan", words.causes)};
  std::erase(sentences, "");
  return sentences;
}

}  // namespace sizesheet
