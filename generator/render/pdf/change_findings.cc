// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/change_findings.h"

#include <algorithm>
#include <set>

#include "render/pdf/change_words.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

/// The first places: where all three kinds of news exist, each has a line among the first five.
constexpr std::size_t kFirstPicks = 3;
constexpr std::size_t kFirstRows = 1;
constexpr std::size_t kFirstInputs = 1;

std::int64_t dollars_moved(const Change& change) {
  return change.effects_usd ? std::abs(change.effects_usd->total.value) : 0;
}

/// What breaks first, then another decision, then the same decision at another price.
int rank(const Change& change) {
  static const std::set<std::string> kDecisions = {"now_fits",       "headroom_back", "needs_less",
                                                   "type_changed",   "vanished",      "appeared",
                                                   "advice_flipped", "removed",       "added"};
  if (change.level == "breaking") return 0;
  return kDecisions.contains(change.kind) ? 1 : 2;
}

/// By rank, then by the dollars of a run; details are left to the site.
std::vector<const Change*> moved_picks(const SheetChanges& changes) {
  std::vector<const Change*> picks;
  for (const Change& change : changes.changes) {
    if (change.of == "pick" && change.level != "detail") picks.push_back(&change);
  }
  std::stable_sort(picks.begin(), picks.end(), [](const Change* a, const Change* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return dollars_moved(*a) > dollars_moved(*b);
  });
  return picks;
}

/// Of the scenario on the page, those that no pick tells of already.
std::vector<const Change*> broken_rows(const SheetChanges& changes, const Sheet& sheet,
                                       const std::vector<const Change*>& picks) {
  std::set<std::string> told;
  for (const Change* pick : picks) {
    if (pick->old_side) told.insert(pick->old_side->row_key);
    if (pick->new_side) told.insert(pick->new_side->row_key);
  }
  std::vector<const Change*> rows;
  for (const Change& change : changes.changes) {
    const bool shown = sheet.scenarios.empty() || change.scenario == sheet.scenarios.front().id;
    if (change.of == "row" && change.level == "breaking" && shown && !told.contains(change.key)) {
      rows.push_back(&change);
    }
  }
  return rows;
}

/// Prices before all else, then by the rows that name them.
std::vector<const MovedInput*> moved_inputs(const SheetChanges& changes) {
  std::vector<const MovedInput*> inputs;
  for (const MovedInput& input : changes.moved) {
    if (input.rows > 0) inputs.push_back(&input);
  }
  std::stable_sort(inputs.begin(), inputs.end(), [](const MovedInput* a, const MovedInput* b) {
    const bool price_a = a->group == "prices";
    const bool price_b = b->group == "prices";
    return price_a != price_b ? price_a : a->rows > b->rows;
  });
  return inputs;
}

std::string since(const SheetChanges& changes) {
  const EditionLabel& old = changes.old_edition;
  return old.edition == changes.new_edition.edition ? old.as_of : old.edition;
}

std::string picks_moved(const SheetChanges& changes) {
  const ChangeCounts& picks = changes.picks;
  std::string words = format_integer(picks.breaking + picks.notable) + " of " +
                      format_integer(picks.compared) + " picks moved";
  if (!changes.causes_unknown.empty()) words += ", causes unknown";
  return words;
}

Finding nothing_moved(const SheetChanges& changes) {
  const ChangeThresholds& least = changes.thresholds;
  Finding finding{"none", "", "No pick moved", "", ""};
  finding.detail = "listed from " + format_number(100 * least.usd_share, 0) +
                   "\u00a0% of $ a run, " + format_number(100 * least.hours_share, 0) +
                   "\u00a0% of hours, " + format_number(least.memory_gib, 1) + " GiB per GPU";
  return finding;
}

/// The first `count` of each list go before the rest of any.
template <typename T, typename Words>
void split_at(const std::vector<const T*>& all, std::size_t count, Words words,
              std::vector<Finding>& first, std::vector<Finding>& rest) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    (i < count ? first : rest).push_back(words(*all[i]));
  }
}

}  // namespace

FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet) {
  FindingsPage page{
      {"What changed since " + since(changes), "What changed"}, picks_moved(changes), {}};
  const std::vector<const Change*> picks = moved_picks(changes);
  const auto change = [&](const Change& c) { return change_finding(c, sheet); };
  std::vector<Finding> rest;
  split_at(picks, kFirstPicks, change, page.findings, rest);
  split_at(broken_rows(changes, sheet, picks), kFirstRows, change, page.findings, rest);
  split_at(moved_inputs(changes), kFirstInputs, input_finding, page.findings, rest);
  page.findings.insert(page.findings.end(), rest.begin(), rest.end());
  if (page.findings.empty()) page.findings.push_back(nothing_moved(changes));
  return page;
}

}  // namespace sizesheet::pdf
