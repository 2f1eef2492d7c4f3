// SPDX-License-Identifier: Apache-2.0
// Figures of a change as people read them, the same in every form. Figures of one line are rounded
// so that they add up: a difference is that of the printed amounts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheet/changes.h"

namespace sizesheet {

/// Old, new and their difference, with as many decimals (2, 4 or 6) as show that they differ.
struct AmountPair {
  std::string before;  ///< "1,234.50", "0", or "–"
  std::string after;
  std::string difference;  ///< "+12.00", "−0.0012", "0"; "–" where a side is unknown
  std::string percent;     ///< "+16.9 %"; "–" where old is 0 or a side is unknown
};
AmountPair amount_pair(const std::optional<MicroUsd>& before, const std::optional<MicroUsd>& after);

/// "+12.00", "−12.00" or "0".
std::string signed_usd(MicroUsd amount, int decimals);

/// Effects in whole last decimals, from `before` on, so that parts and total add up as printed.
ChangeEffects printed_effects(MicroUsd before, const ChangeEffects& effects, int decimals);

/// Of one run of everything comparable; parts and totals add up as printed.
struct EffectWords {
  std::string before;
  std::string after;
  std::string total;  ///< signed
  std::string percent;
  std::string price;
  std::string quantity;
  std::string time;
  std::string mix;
};
EffectWords effect_words(MicroUsd before, const ChangeEffects& effects);

/// "8 × H100", without the GPU "8 GPUs"; "does not fit" or "refused". Names are raw.
std::string set_up_words(const ChangeSide& side, bool with_gpu);
/// Of a side of a line; an absent one says why it is absent, or "–".
std::string old_words(const Change& change);
std::string new_words(const Change& change);

/// Dollars that a line of the table shows: those of a run where the side holds and they are known.
std::optional<MicroUsd> run_of(const std::optional<ChangeSide>& side);

/// What the marks and amounts of a line do not say yet: "rent -> buy", "activations +0.25 GiB".
std::vector<std::string> remarks(const Change& change);

/// "prices + gpus", or "".
std::string cause_words(const Change& change);

/// "+0.25 GiB" between two sizes; "" where a side lacks it.
std::string signed_gib(std::int64_t bytes);

/// "1 row", "27 rows".
std::string counted(std::int64_t count, const std::string& one, const std::string& many);

}  // namespace sizesheet
