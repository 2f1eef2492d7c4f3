// SPDX-License-Identifier: Apache-2.0
#include "sizing/levers.h"

#include <algorithm>
#include <utility>

#include "sizing/lever_changes.h"

namespace sizesheet {
namespace {

void add_levers(const Question& question, const Candidate& chosen, const std::string& term,
                LeverReach reach, std::vector<Lever>& found) {
  const std::size_t before = found.size();
  for (const LeverChange& lever_change : lever_changes(question, chosen.job)) {
    if (lever_change.in_use || lever_change.reach != reach) continue;
    const Variation& change = lever_change.change;
    const auto candidate = varied(question, chosen, change);
    if (!candidate) continue;
    Lever lever{change.id, change.words, chosen.bill.device - candidate->bill.device, 0,
                candidate->verdict};
    lever.term_saved = term_bytes(chosen.bill, term) - term_bytes(candidate->bill, term);
    if (lever.saved * 100 >= chosen.bill.device) found.push_back(std::move(lever));
  }
  std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
                   [](const Lever& a, const Lever& b) { return a.saved > b.saved; });
}

}  // namespace

std::vector<Lever> levers(const Question& question, const Candidate& chosen,
                          const std::string& term) {
  std::vector<Lever> found;
  add_levers(question, chosen, term, LeverReach::kPlain, found);
  add_levers(question, chosen, term, LeverReach::kCostly, found);
  return found;
}

std::optional<Lever> best_lever(const Question& question, const Candidate& chosen,
                                const std::string& term) {
  const std::int64_t bytes = term_bytes(chosen.bill, term);
  const auto shrinks = [&](const Lever& lever) { return lever.term_saved * 100 >= bytes; };
  std::vector<Lever> found;
  add_levers(question, chosen, term, LeverReach::kPlain, found);
  auto best = std::find_if(found.begin(), found.end(), shrinks);
  if (best != found.end()) return *best;
  add_levers(question, chosen, term, LeverReach::kCostly, found);
  best = std::find_if(found.begin(), found.end(), shrinks);
  if (best != found.end()) return *best;
  return found.empty() ? std::nullopt : std::optional<Lever>(found.front());
}

}  // namespace sizesheet
