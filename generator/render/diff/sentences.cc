// SPDX-License-Identifier: Apache-2.0
// What a comparison comes to, in sentences that every form prints.
#include <climits>
#include <cmath>
#include <map>

#include "render/changes_words.h"
#include "render/diff/words.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using CountByKind = std::map<std::string, std::int64_t>;

/// Those whose place in the sentence is from `first` to before `end`, in its order.
std::string phrases(const CountByKind& kinds, int first, int end) {
  std::map<int, std::string> parts;
  for (const ChangeKind& kind : change_kinds()) {
    const auto entry = kinds.find(kind.id);
    if (entry == kinds.end() || kind.place < first || kind.place >= end) continue;
    parts[kind.place] = format_integer(entry->second) + " " + kind.counted(entry->second);
  }
  std::vector<std::string> words;
  for (auto& [place, part] : parts) words.push_back(std::move(part));
  return join(words, ", ");
}

/// "1 no longer fits, 2 need more GPUs; 6 cheaper, 2 dearer".
std::string happenings(const CountByKind& kinds, const ChangeCounts& counts) {
  const std::string answers = phrases(kinds, 1, ChangeKind::kFirstOfMoney);
  const std::string money = phrases(kinds, ChangeKind::kFirstOfMoney, INT_MAX);
  if (!answers.empty() && !money.empty()) return answers + "; " + money;
  if (!answers.empty() || !money.empty()) return answers + money;
  const std::int64_t changed = counts.breaking + counts.notable + counts.detail;
  return changed == 0 ? "no change" : format_integer(changed) + " changed in details only";
}

std::string counts_of(const ChangeCounts& counts, const std::string& what) {
  return what + " compared: " + format_integer(counts.breaking) + " breaking, " +
         format_integer(counts.notable) + " notable, " + format_integer(counts.detail) +
         " detail, " + format_integer(counts.unchanged) + " unchanged, " +
         format_integer(counts.below_threshold) + " moved less than the threshold";
}

}  // namespace

std::string edition_words(const EditionLabel& label) {
  std::string words = label.edition.empty() ? std::string("(no edition)") : label.edition;
  if (!label.price_as_of.empty()) words += " (prices " + label.price_as_of + ")";
  return words;
}

std::string headline(const SheetChanges& changes) {
  if (changes.changes.empty()) {
    return "No differences in " + counted(changes.rows.compared, "row", "rows") + ".";
  }
  const std::string picks = counted(changes.picks.compared, "pick", "picks");
  const std::string rows = counted(changes.rows.compared, "row", "rows");
  return "Of " + picks + ": " + happenings(changes.pick_kinds, changes.picks) + ". Of " + rows +
         ": " + happenings(changes.row_kinds, changes.rows) + ".";
}

std::string totals_sentence(const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  if (totals.comparable == 0) return "";
  const EffectWords words = effect_words(totals.old_usd, totals.effects);
  const std::string what = totals.comparable == 1
                               ? std::string("One run of the pick with a price on both sides")
                               : "One run of each of the " + format_integer(totals.comparable) +
                                     " picks with a price on both sides";
  if (totals.effects == ChangeEffects{}) return what + ": $ " + words.before + ", as before.";
  return what + ": $ " + words.before + " -> " + words.after + " (" + words.difference + ", " +
         words.percent + "): price " + words.price + ", count " + words.quantity + ", time " +
         words.time + ", other card " + words.mix + ".";
}

std::vector<std::string> count_sentences(const SheetChanges& changes) {
  const auto percent = [](double share) {
    return shortest(std::round(share * 1e6) / 1e4) + " %";  // 0.07 is no whole per cent in binary
  };
  const ChangeThresholds& limits = changes.thresholds;
  return {counts_of(changes.rows, counted(changes.rows.compared, "row", "rows")) + " (" +
              percent(limits.usd_share) + " of dollars, " + percent(limits.hours_share) +
              " of hours, " + shortest(limits.memory_gib) + " GiB).",
          counts_of(changes.picks, counted(changes.picks.compared, "pick", "picks")) + "."};
}

std::string cause_sentence(const SheetChanges& changes) {
  if (!changes.causes_unknown.empty()) {
    return "Causes are not known: " + changes.causes_unknown + ".";
  }
  std::vector<std::string> parts;
  for (const CauseTotal& cause : changes.causes) {
    if (cause.rows == 0 && cause.picks == 0 && cause.usd.value == 0) continue;
    parts.push_back(cause.group + " " + counted(cause.rows, "row", "rows") + ", " +
                    counted(cause.picks, "pick", "picks") + ", $ " + signed_usd(cause.usd, 2));
  }
  return parts.empty() ? "" : "Causes: " + join(parts, "; ") + ".";
}

std::string entry_words(const EntryChange& entry) {
  std::string words = entry.of + " " + entry.id + ": " + counted(entry.rows, "row", "rows");
  if (entry.picks > 0) words += ", " + counted(entry.picks, "pick", "picks");
  return words;
}

MovedWords moved_entry(const MovedInput& moved) {
  MovedWords words;
  words.what = moved_title(moved);
  const std::string unit = moved.unit.empty() ? "" : " " + moved.unit;
  const std::string before = bare_value(moved.old_value);
  const std::string after = bare_value(moved.new_value);
  if (moved.how == "added") {
    words.values = moved.field.empty() ? "new" : "new: " + after + unit;
  } else if (moved.how == "removed") {
    words.values = moved.field.empty() ? "gone" : "gone: " + before + unit;
  } else {
    words.values = before + " -> " + after + unit;
  }
  if (moved.old_as_of != moved.new_as_of && !moved.old_as_of.empty() && !moved.new_as_of.empty()) {
    words.days = moved.old_as_of + " -> " + moved.new_as_of;
  } else {
    words.days = moved.new_as_of.empty() ? moved.old_as_of : moved.new_as_of;
  }
  words.rows = moved.rows == 0 ? "no row" : counted(moved.rows, "row", "rows");
  return words;
}

}  // namespace sizesheet
