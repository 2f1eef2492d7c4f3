// SPDX-License-Identifier: Apache-2.0
#include "render/smaller_counts.h"

#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/money_words.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string why_not_allowed(const Sheet& sheet, const SmallerCount& count) {
  const auto& deadline = sheet.options.deadline_hours;
  if (meets(*count.hours, deadline)) return "left out by the sheet’s rules";
  return "too slow: up to " + run_hours(count.hours->high) + " h, the limit is " +
         limit_words(*deadline);
}

/// Of a count that the rules allow beside the set-up.
std::string why_not_as_good(const Sheet& sheet, const RunCandidate& set_up,
                            const SmallerCount& count) {
  const bool slower = count.hours->mid > set_up.hours.mid;
  const bool dearer = count.usd->mid > set_up.usd.mid;
  if (dearer) return slower ? "slower and more expensive" : "more expensive";
  const PickRules& rules = sheet.options.pick_rules;
  if (ranked_usd(*count.usd, rules) > ranked_usd(set_up, rules)) {
    return "cheaper on average, but up to $" + run_usd(count.usd->high);
  }
  return slower ? "slower" : "";
}

std::string fitting_words(const Sheet& sheet, const Row& row, const SmallerCount& count) {
  std::string words = set_up(sheet, row.gpu, count.gpus) + " fits";
  if (!count.hours) return words + ", but its speed is not known.";
  words += count.usd ? ", takes " : " and takes ";
  words += run_hours(count.hours->mid) + " h";
  if (!count.usd) return words + ", but has no valid offer.";
  words += " and costs $" + run_usd(count.usd->mid);
  const SheetPrice* offer = entry_with(sheet.prices, &SheetPrice::key, count.price_key);
  if (offer != nullptr && offer->gpus > count.gpus) {
    words += " (the offer has " + std::to_string(offer->gpus) + " GPUs)";
  }
  const std::string reason = why_not(sheet, row, count);
  return words + (reason.empty() ? "." : ": " + reason + ".");
}

}  // namespace

std::string why_not(const Sheet& sheet, const Row& row, const SmallerCount& count) {
  if (!count.hours) return "its speed is not known";
  if (!count.usd) return "no valid offer";
  if (!count.allowed) return why_not_allowed(sheet, count);
  const RunCandidate* chosen = row.set_up();
  return chosen == nullptr ? "" : why_not_as_good(sheet, *chosen, count);
}

std::string why_not_fewer(const Sheet& sheet, const Row& row) {
  if (!row.smaller_counts.empty()) return fitting_words(sheet, row, row.smaller_counts.front());
  if (!row.fewer || row.fewer->gpus >= row.layout.gpus) return "";
  const CountCheck& fewer = *row.fewer;
  return set_up(sheet, row.gpu, fewer.gpus) + " needs " + format_gib(fewer.device, 1) +
         "\u00a0GiB per GPU (" + format_gib(row.memory.capacity, 1) + " usable): " +
         (fewer.verdict == Verdict::kNo ? "too little memory." : "tight, without headroom.");
}

}  // namespace sizesheet
