// SPDX-License-Identifier: Apache-2.0
// Cards by memory, each with the largest model of the sheet that a method holds on some of them.
#include <algorithm>
#include <utility>

#include "sheet/advice_answers.h"
#include "sheet/asked_row.h"
#include "sizing/estimate.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// The layout on this count, where it fits with headroom.
std::optional<Candidate> fitting(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                                 std::int64_t gpus) {
  std::optional<AskedRow> row = asked(catalog, spec, cell, gpus);
  if (!row || row->chosen.verdict != "fits") return std::nullopt;
  return std::move(row->chosen);
}

/// The sheet lists its models from the smallest on; the first from the other end that fits.
SheetCardAnswer largest_on(const Catalog& catalog, const SheetSpec& spec, const Gpu& gpu,
                           const std::string& method, std::int64_t gpus) {
  SheetCardAnswer answer;
  answer.method = method;
  answer.gpus = gpus;
  for (auto model = spec.models.rbegin(); model != spec.models.rend(); ++model) {
    const Cell cell{&*model, method, gpu.id, &spec.scenarios.front()};
    const auto candidate = fitting(catalog, spec, cell, gpus);
    if (!candidate) continue;
    answer.model = model->id;
    answer.device = candidate->bill.device;
    answer.layout = shape_of(candidate->job);
    break;
  }
  return answer;
}

bool on_offer(const Gpu& gpu, std::int64_t count) {
  const std::vector<std::int64_t> counts = gpu.counts_up_to(count);
  return std::find(counts.begin(), counts.end(), count) != counts.end();
}

SheetCard card_of(const Catalog& catalog, const SheetSpec& spec, const AdviceCards& cards,
                  const Gpu& gpu) {
  SheetCard card{gpu.id, gpu.short_name, gpu.memory_gb, gpu.capacity_bytes().value_or(0), {}};
  for (const std::int64_t count : cards.counts) {
    if (!on_offer(gpu, count)) continue;
    for (const std::string& method : spec.methods) {
      card.answers.push_back(largest_on(catalog, spec, gpu, method, count));
    }
  }
  return card;
}

}  // namespace

std::vector<SheetCardTier> card_tiers(const Catalog& catalog, const SheetSpec& spec,
                                      const AdviceCards& cards, int jobs) {
  std::vector<SheetCard> all(cards.gpus.size());
  for_each_index(all.size(), jobs, [&](std::size_t i) {
    all[i] = card_of(catalog, spec, cards, catalog.gpu(cards.gpus[i]));
  });
  std::stable_sort(all.begin(), all.end(), [](const SheetCard& a, const SheetCard& b) {
    return a.memory_gb < b.memory_gb;
  });
  std::vector<SheetCardTier> tiers(cards.limits_gb.size() + 1);
  for (std::size_t i = 0; i < cards.limits_gb.size(); ++i) {
    tiers[i].below_gb = cards.limits_gb[i];
    tiers[i + 1].from_gb = cards.limits_gb[i];
  }
  for (SheetCard& card : all) {
    std::size_t tier = 0;
    while (tier < cards.limits_gb.size() &&
           card.memory_gb >= static_cast<double>(cards.limits_gb[tier])) {
      ++tier;
    }
    tiers[tier].cards.push_back(std::move(card));
  }
  return tiers;
}

}  // namespace sizesheet
