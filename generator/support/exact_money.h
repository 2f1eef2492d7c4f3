// SPDX-License-Identifier: Apache-2.0
// Money in a document that is read back: every micro-dollar comes back, or the amount is refused.
#pragma once

#include <optional>

#include "support/money.h"

namespace sizesheet {

/// `to_usd`, but refuses (InputError) an amount that a JSON number would not keep to the
/// micro-dollar; none below 2^33 dollars.
double exact_usd(MicroUsd amount);

/// The amount that `exact_usd` made this number of; nullopt for more than six decimals.
std::optional<MicroUsd> usd_of(double dollars);

}  // namespace sizesheet
