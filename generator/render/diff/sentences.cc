// SPDX-License-Identifier: Apache-2.0
#include "render/diff/sentences.h"

#include <cmath>

#include "render/diff/figures.h"
#include "render/moved_words.h"
#include "render/verdict_verbs.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using CountByKind = std::map<std::string, std::int64_t>;

using Verbs = std::vector<KindVerb>;

const Verbs& choice_verbs() {
  static const Verbs kVerbs{
      {"type_changed", "changes card", "change card"},
      {"advice_flipped", "flips between renting and buying", "flip between renting and buying"}};
  return kVerbs;
}

const Verbs& money_verbs() {
  static const Verbs kVerbs{
      {"vanished", "lost its price", "lost their price"},
      {"appeared", "got a price", "got a price"},
      {"dearer", "dearer", "dearer"},
      {"cheaper", "cheaper", "cheaper"},
      {"own_vanished", "can no longer be bought", "can no longer be bought"},
      {"own_appeared", "can be bought now", "can be bought now"},
      {"own_dearer", "dearer to own", "dearer to own"},
      {"own_cheaper", "cheaper to own", "cheaper to own"},
      {"offsetting", "with moves that offset each other", "with moves that offset each other"},
      {"slower", "takes longer", "take longer"},
      {"faster", "takes less time", "take less time"},
      {"added", "new", "new"},
      {"removed", "gone", "gone"}};
  return kVerbs;
}

std::string phrases(const std::vector<const Verbs*>& lists, const CountByKind& kinds) {
  std::vector<std::string> parts;
  for (const Verbs* verbs : lists) {
    for (const KindVerb& verb : *verbs) {
      const auto entry = kinds.find(verb.kind);
      if (entry != kinds.end()) parts.push_back(counted(entry->second, verb.one, verb.many));
    }
  }
  return join(parts, ", ");
}

/// "1 no longer fits, 2 need more GPUs; 6 cheaper, 2 dearer".
std::string happenings(const CountByKind& kinds, const ChangeCounts& counts) {
  const std::string answers = phrases({&verdict_verbs(), &choice_verbs()}, kinds);
  const std::string money = phrases({&money_verbs()}, kinds);
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
  return what + ": $ " + words.before + " -> " + words.after + " (" + words.total + ", " +
         words.percent + "): price " + words.price + ", count " + words.quantity + ", time " +
         words.time + ", other card " + words.mix + ".";
}

std::vector<std::string> count_sentences(const SheetChanges& changes) {
  return {counts_of(changes.rows, counted(changes.rows.compared, "row", "rows")) + " (" +
              threshold_words(changes.thresholds) + ").",
          counts_of(changes.picks, counted(changes.picks.compared, "pick", "picks")) + "."};
}

std::string threshold_words(const ChangeThresholds& thresholds) {
  const auto percent = [](double share) {
    return shortest(std::round(share * 1e6) / 1e4) + " %";  // 0.07 is no whole per cent in binary
  };
  return percent(thresholds.usd_share) + " of dollars, " + percent(thresholds.hours_share) +
         " of hours, " + shortest(thresholds.memory_gib) + " GiB";
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
