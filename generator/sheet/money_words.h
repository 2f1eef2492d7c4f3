// SPDX-License-Identifier: Apache-2.0
// Dollars, hours and purchases in sentences.
#pragma once

#include <optional>
#include <string>

#include "catalog/prices/purchase.h"
#include "support/money.h"

namespace sizesheet {

struct OwnPick;

/// "$1,038", "$26.82": whole dollars from $100 on.
std::string usd_words(MicroUsd usd);
/// "8.7 h", "14 h".
std::string hours_words(double hours);
/// "24 h", "0.1 h", "1.5 h": a limit as it was given, never rounded to 0.
std::string limit_words(double hours);

/// "parts"; "" where nothing says the kind of a purchase price.
std::string price_kind_word(const std::optional<PriceKind>& kind);
/// "parts, 2026-07-22" of a purchase price, "2026-07-22" where nothing says its kind.
std::string price_words(const std::optional<PriceKind>& kind, const std::string& as_of);
/// "asking price, 2026-07-16; delivery in 36 to 52 weeks" of a machine; what is known of it.
std::string order_words(const std::optional<PriceKind>& kind, const std::string& as_of,
                        const std::optional<LeadTime>& weeks);
/// "214 h per month, 24.6 runs": from when owning pays, of a machine with a break-even.
std::string pays_from_words(const OwnPick& own);
/// "3 months", "1.5 months".
std::string months_words(double months);
/// "36 to 52 weeks", "52 weeks".
std::string lead_words(const LeadTime& weeks);

}  // namespace sizesheet
