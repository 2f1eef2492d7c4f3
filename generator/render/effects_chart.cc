// SPDX-License-Identifier: Apache-2.0
#include "render/effects_chart.h"

#include "render/changes_words.h"
#include "render/diff/figures.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr int kCents = 2;

}  // namespace

Chart effects_chart(const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  const ChangeEffects effects = printed_effects(totals.old_usd, totals.effects, kCents);
  SignedBars body;
  std::vector<std::string> words;
  for (const EffectPart& part : effect_parts(effects)) {
    body.bars.push_back({part.title, to_usd(part.usd), delta_usd(part.usd, kCents), false});
    words.push_back(part.words + " " + body.bars.back().words);
  }
  body.bars.push_back({"Total", to_usd(effects.total), delta_usd(effects.total, kCents), true});
  Chart chart;
  chart.id = "effects-chart";
  chart.title = "Dollars of one run of every comparable pick, by effect";
  chart.description =
      "Dollars that moved: " + join(words, ", ") + ", together " + body.bars.back().words + ".";
  chart.body = std::move(body);
  return chart;
}

}  // namespace sizesheet
