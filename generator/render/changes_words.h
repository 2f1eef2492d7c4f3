// SPDX-License-Identifier: Apache-2.0
// What changed between two editions in the words of the pages and their charts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/change_words.h"
#include "support/money.h"
#include "support/object_text.h"

namespace sizesheet {

struct Change;
struct ChangeEffects;
struct ChangeSide;
struct MovedInput;
struct SheetChanges;

MovedById moved_by_id(const SheetChanges& changes);

/// How the two sides are told apart: by edition, by day where both are of one edition, else by
/// "before" and "now".
struct SideTitles {
  std::string before;
  std::string after;
  std::string when;  ///< "in 2026-Q3", "on 2026-08-20" or "before"
};
SideTitles side_titles(const SheetChanges& changes);

/// "+12.00", "−12.00", "0".
std::string delta_usd(MicroUsd amount, int decimals);
/// The same with the decimals of dollars of a run.
std::string delta_run(MicroUsd amount);
/// "+82.5 %" of a share of 0.825; "0 %" for no move at all.
std::string delta_percent(double share);
/// (after - before) / before; absent where a side is unknown or before is not above 0.
std::optional<double> delta_share(const std::optional<MicroUsd>& before,
                                  const std::optional<MicroUsd>& after);

/// What one run of each comparable pick cost and costs, for every page that says it.
struct TotalSentence {
  std::string words;  ///< "One run of each of the 60 comparable picks cost $7,865 in 2026-Q3 and …"
  std::string delta;  ///< "−$647 (−8.2 %)"; "" where nothing moved or nothing compares
};
TotalSentence total_sentence(const SheetChanges& changes);

/// What else the first sentence of the page says: the largest effect, and verdicts that changed.
std::string lead_rest(const SheetChanges& changes);

/// One effect on the dollars of a run.
struct EffectPart {
  std::string title;    ///< "Price"
  std::string words;    ///< "price", inside a sentence
  std::string meaning;  ///< "dollars an instance-hour"
  MicroUsd usd;
};
BOOST_DESCRIBE_STRUCT(EffectPart, (), (title, words, meaning, usd))
/// Price, quantity, time, card.
std::vector<EffectPart> effect_parts(const ChangeEffects& effects);

/// "Engine" for "engine", "GPUs" for "gpus".
std::string group_title(const std::string& group);

/// The size of its dollars of a run; -1 where they are not known.
std::int64_t dollars_moved(const Change& change);

/// A number in JSON text, or nothing.
std::optional<double> number_in(const std::string& json_text);

/// True where the change is about whether, or on how many GPUs, a row fits.
bool is_verdict(const std::string& kind);

/// "8 × H100".
std::string side_setup(const ChangeSide& side);
/// "8 × H100, 12 % free", "8 × H100, tight, 4 % free", "no, over by 0.4 GiB", "not modelled"; "not
/// listed" for a side that is absent.
std::string side_standing(const std::optional<ChangeSide>& side);

/// JSON text of a value: strings without their quotes and escapes, all else as it stands.
std::string bare_value(const std::string& json_text);
/// "overhead.dynamic_share": the entry, and where in it when that needs saying.
std::string moved_title(const MovedInput& moved);
/// A value as JSON text for people: strings bare, long ones cut, "–" where there is none.
std::string moved_value(const std::string& json_text);
/// "overhead.dynamic_share 0.16 → 0.1", "l40s added".
std::string moved_words(const MovedInput& moved);

/// "Engine: overhead.dynamic_share 0.16 → 0.1"; "–" where no cause is known.
std::string cause_title(const Change& change, const MovedById& moved);
/// "H100 $2.29 → $2.09; 1 → 2 GPUs; …": what a pick's figures and inputs did.
std::string pick_moves(const Change& change, const MovedById& moved);

}  // namespace sizesheet
