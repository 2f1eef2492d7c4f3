// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/length_picks.h"

#include <algorithm>
#include <optional>

#include "sheet/assemble/build_sheet.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {
namespace {

/// The main scenario alone, at that length.
SheetSpec at_length(const SheetSpec& spec, std::int64_t seq_len) {
  SheetSpec other = spec;
  other.scenarios.resize(1);
  other.scenarios.front().request["workload"]["seq_len"] = seq_len;
  other.project.reset();
  return other;
}

std::optional<LengthPick> length_pick(const Sheet& sheet, const Pick& pick, std::int64_t seq_len) {
  const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
  if (row == nullptr || !pick.candidate) return std::nullopt;
  const RunCandidate& run = row->candidates.at(static_cast<std::size_t>(*pick.candidate));
  return LengthPick{source_of(run), seq_len};
}

}  // namespace

void add_length_picks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  for (const std::int64_t seq_len : spec.pick_seq_lens) {
    const Sheet longer = sized_sheet(
        catalog, at_length(spec, seq_len), {}, jobs, [](Row&) {}, [](std::size_t, std::size_t) {});
    for (const Pick& pick : longer.picks) {
      const auto same = std::ranges::find_if(
          sheet.picks, [&](const Pick& one) { return one.key() == pick.key(); });
      if (same == sheet.picks.end()) continue;
      if (auto found = length_pick(longer, pick, seq_len)) {
        same->at_lengths.push_back(std::move(*found));
      }
    }
  }
}

}  // namespace sizesheet
