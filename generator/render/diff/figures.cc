// SPDX-License-Identifier: Apache-2.0
#include "render/diff/figures.h"

#include <algorithm>
#include <cstdlib>

#include "support/text.h"

namespace sizesheet {
namespace {

constexpr int kMostDecimals = 6;

/// Rounded half away from zero to `decimals` places, as format_usd prints it.
MicroUsd rounded(MicroUsd amount, int decimals) {
  std::int64_t step = 1;
  for (int i = decimals; i < kMostDecimals; ++i) step *= 10;
  const std::int64_t size = std::abs(amount.value);
  const std::int64_t kept = (size / step + (size % step * 2 >= step ? 1 : 0)) * step;
  return {amount.value < 0 ? -kept : kept};
}

std::string zero_or(MicroUsd amount, int decimals) {
  return amount.value == 0 ? "0" : format_usd(amount, decimals);
}

/// The fewest of 2, 4, 6 at which both amounts show and, where they differ, show different.
int decimals_for(MicroUsd before, MicroUsd after) {
  const auto hidden = [](MicroUsd amount, int places) {
    return amount.value != 0 && rounded(amount, places).value == 0;
  };
  for (const int places : {2, 4}) {
    const bool same = rounded(before, places) == rounded(after, places) && before != after;
    if (!same && !hidden(before, places) && !hidden(after, places)) return places;
  }
  return kMostDecimals;
}

std::string percent_of(MicroUsd before, MicroUsd after) {
  if (before.value == 0) return std::string(kAbsent);
  const double share = to_usd(after - before) / std::abs(to_usd(before)) * 100;
  const std::string words = format_number(share, 1) + " %";
  const bool plus = share > 0 && words != "0.0 %";
  return (plus ? "+" : "") + words;
}

std::string missing_side(const Change& change, bool is_new) {
  for (const char* kind : {"no_longer_fits", "vanished", "now_fits", "appeared"}) {
    if (!change.is(kind)) continue;
    const std::string id = kind;
    const bool lost = id == "no_longer_fits" || id == "vanished";
    if (lost != is_new) continue;
    return id == "no_longer_fits" || id == "now_fits" ? "does not fit" : "no price";
  }
  return std::string(kAbsent);
}

}  // namespace

std::string signed_usd(MicroUsd amount, int decimals) {
  const MicroUsd shown = rounded(amount, decimals);
  return (shown.value > 0 ? "+" : "") + zero_or(shown, decimals);
}

AmountPair amount_pair(const std::optional<MicroUsd>& before,
                       const std::optional<MicroUsd>& after) {
  const std::string absent(kAbsent);
  if (!before || !after) {
    const auto alone = [&](const std::optional<MicroUsd>& amount) {
      return amount ? zero_or(*amount, decimals_for(*amount, *amount)) : absent;
    };
    return {alone(before), alone(after), absent, absent};
  }
  const int places = decimals_for(*before, *after);
  const MicroUsd shown = rounded(*after, places) - rounded(*before, places);
  return {zero_or(*before, places), zero_or(*after, places), signed_usd(shown, places),
          percent_of(*before, *after)};
}

ChangeEffects printed_effects(MicroUsd before, const ChangeEffects& effects, int decimals) {
  MicroUsd reached = before;
  const auto step = [&](MicroUsd part) {
    const MicroUsd from = rounded(reached, decimals);
    reached += part;
    return rounded(reached, decimals) - from;
  };
  ChangeEffects shown;
  shown.price = step(effects.price);
  shown.quantity = step(effects.quantity);
  shown.time = step(effects.time);
  shown.mix = step(effects.mix);
  shown.total = rounded(reached, decimals) - rounded(before, decimals);
  return shown;
}

EffectWords effect_words(MicroUsd before, const ChangeEffects& effects) {
  const MicroUsd after = before + effects.total;
  const int places = decimals_for(before, after);
  const ChangeEffects shown = printed_effects(before, effects, places);
  EffectWords words;
  words.price = signed_usd(shown.price, places);
  words.quantity = signed_usd(shown.quantity, places);
  words.time = signed_usd(shown.time, places);
  words.mix = signed_usd(shown.mix, places);
  const AmountPair pair = amount_pair(before, after);
  words.before = pair.before;
  words.after = pair.after;
  words.total = pair.difference;
  words.percent = pair.percent;
  return words;
}

std::string set_up_words(const ChangeSide& side, bool with_gpu) {
  if (side.verdict == "refused") return "refused";
  if (!side.holds()) return "does not fit";
  if (!with_gpu) return counted(side.gpus, "GPU", "GPUs");
  return format_integer(side.gpus) + " × " + side.gpu_name;
}

std::string old_words(const Change& change) {
  return change.old_side ? set_up_words(*change.old_side, change.of == "pick")
                         : missing_side(change, false);
}

std::string new_words(const Change& change) {
  return change.new_side ? set_up_words(*change.new_side, change.of == "pick")
                         : missing_side(change, true);
}

std::optional<MicroUsd> run_of(const std::optional<ChangeSide>& side) {
  return side && side->holds() ? side->list_usd_per_run : std::nullopt;
}

std::string cause_words(const Change& change) { return join(change.cause, " + "); }

std::string signed_gib(std::int64_t bytes) {
  const std::string size = format_gib(bytes, 2);
  return (bytes > 0 && size != "0.00" ? "+" : "") + size + " GiB";
}

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return format_integer(count) + " " + (count == 1 ? one : many);
}

}  // namespace sizesheet
