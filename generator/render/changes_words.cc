// SPDX-License-Identifier: Apache-2.0
#include "render/changes_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "render/phrases.h"
#include "render/verdict_verbs.h"
#include "support/text.h"

namespace sizesheet {

namespace {

MicroUsd size_of(MicroUsd amount) { return {std::abs(amount.value)}; }

/// The sign, unless the figure behind it reads as zero.
std::string with_sign(MicroUsd amount, const std::string& figure) {
  if (figure.find_first_of("123456789") == std::string::npos) return figure;
  return (amount.value < 0 ? "−" : "+") + figure;
}

/// Whole dollars where the three printed figures then add up, else cents.
int total_decimals(const ChangeTotals& totals) {
  constexpr std::int64_t kDollar = 1'000'000;
  const auto whole = [](MicroUsd amount) {
    return std::llround(static_cast<double>(amount.value) / kDollar);
  };
  constexpr std::int64_t kSmall = 100 * kDollar;
  if (totals.old_usd.value < kSmall || totals.new_usd.value < kSmall) return 2;
  const bool adds_up = whole(totals.new_usd) - whole(totals.old_usd) == whole(totals.effects.total);
  const bool shows = totals.effects.total.value == 0 || whole(totals.effects.total) != 0;
  return adds_up && shows ? 0 : 2;
}

std::string dollars_with_sign(MicroUsd amount, int decimals) {
  const std::string figure = "$" + format_usd(size_of(amount), decimals);
  return with_sign(amount, figure);
}

/// "1 row no longer fits, 3 fit now" of those kinds that occur; "" when none does.
std::string kinds_sentence(const std::map<std::string, std::int64_t>& counts,
                           const std::vector<KindVerb>& verbs, const char* one, const char* many) {
  std::vector<std::string> parts;
  for (const KindVerb& verb : verbs) {
    const auto found = counts.find(verb.kind);
    if (found == counts.end() || found->second == 0) continue;
    const bool single = found->second == 1;
    std::string part = format_integer(found->second) + "\u00a0";
    if (parts.empty()) part += std::string(single ? one : many) + " ";
    parts.push_back(part + (single ? verb.one : verb.many));
  }
  return parts.empty() ? "" : join(parts, ", ") + ".";
}

std::string largest_effect(const ChangeEffects& effects) {
  const std::vector<EffectPart> parts = effect_parts(effects);
  const auto largest = std::max_element(
      parts.begin(), parts.end(),
      [](const EffectPart& a, const EffectPart& b) { return size_of(a.usd) < size_of(b.usd); });
  if (largest->usd.value == 0) return "";
  return "The largest part is " + largest->words + ", " + dollars_with_sign(largest->usd, 2) + ".";
}

}  // namespace

SideTitles side_titles(const SheetChanges& changes) {
  const EditionLabel& before = changes.old_edition;
  const EditionLabel& after = changes.new_edition;
  if (before.edition != after.edition && !before.edition.empty() && !after.edition.empty()) {
    return {before.edition, after.edition, "in " + before.edition};
  }
  if (before.as_of != after.as_of && !before.as_of.empty() && !after.as_of.empty()) {
    return {before.as_of, after.as_of, "on " + before.as_of};
  }
  return {"before", "now", "before"};
}

std::string delta_usd(MicroUsd amount, int decimals) {
  if (amount.value == 0) return "0";
  return with_sign(amount, format_usd(size_of(amount), decimals));
}

std::string delta_run(MicroUsd amount) {
  if (amount.value == 0) return "0";
  return with_sign(amount, run_usd(size_of(amount)));
}

std::string delta_percent(double share) {
  if (share == 0) return "0\u00a0%";
  constexpr double kTenfold = 10;
  const std::string figure =
      format_number(std::abs(share) * 100, std::abs(share) < kTenfold ? 1 : 0);
  if (figure == "0.0") return figure + "\u00a0%";
  return (share < 0 ? "−" : "+") + figure + "\u00a0%";
}

std::optional<double> delta_share(const std::optional<MicroUsd>& before,
                                  const std::optional<MicroUsd>& after) {
  if (!before || !after || before->value <= 0) return std::nullopt;
  return to_usd(*after - *before) / to_usd(*before);
}

std::string count_of(std::int64_t count, const char* one, const char* many) {
  return format_integer(count) + "\u00a0" + (count == 1 ? one : many);
}

TotalSentence total_sentence(const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  if (totals.comparable == 0) {
    return {"No pick has a price on both sides, so no total compares.", ""};
  }
  const int decimals = total_decimals(totals);
  const std::string subject =
      totals.comparable == 1
          ? "One run of the one comparable pick"
          : "One run of each of the " + format_integer(totals.comparable) + " comparable picks";
  const std::string now = "$" + format_usd(totals.new_usd, decimals);
  if (totals.effects.total.value == 0) {
    return {subject + " costs " + now + ", as " + side_titles(changes).when + ".", ""};
  }
  const auto share = delta_share(totals.old_usd, totals.new_usd);
  const std::string percent = share ? " (" + delta_percent(*share) + ")" : "";
  return {subject + " cost $" + format_usd(totals.old_usd, decimals) + " " +
              side_titles(changes).when + " and costs " + now + " now:",
          dollars_with_sign(totals.effects.total, decimals) + percent};
}

std::string lead_rest(const SheetChanges& changes) {
  static const std::vector<KindVerb> kPicks = {
      {"type_changed", "went to another card", "went to another card"},
      {"advice_flipped", "changed from rent to buy or back", "changed from rent to buy or back"}};
  std::vector<std::string> sentences = {
      largest_effect(changes.pick_totals.effects),
      kinds_sentence(changes.row_kinds, verdict_verbs(), "row", "rows"),
      kinds_sentence(changes.pick_kinds, kPicks, "pick", "picks")};
  std::erase(sentences, "");
  return join(sentences, " ");
}

std::vector<EffectPart> effect_parts(const ChangeEffects& effects) {
  return {{"Price", "price", "dollars an instance-hour", effects.price},
          {"Quantity", "the number of instances", "instances of a set-up", effects.quantity},
          {"Time", "the hours of a run", "hours of a run", effects.time},
          {"Card", "picks of another card", "another card picked, at old prices", effects.mix}};
}

std::string group_title(const std::string& group) {
  return group == "gpus" ? "GPUs" : sentence_case(group);
}

bool is_verdict(const std::string& kind) {
  const std::vector<KindVerb>& verbs = verdict_verbs();
  return std::any_of(verbs.begin(), verbs.end(),
                     [&](const KindVerb& verb) { return verb.kind == kind; });
}

}  // namespace sizesheet
