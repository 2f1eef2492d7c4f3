// SPDX-License-Identifier: Apache-2.0
// Dollars and hours in sentences.
#pragma once

#include <string>

#include "support/money.h"

namespace sizesheet {

/// "$1,038", "$26.82": whole dollars from $100 on.
std::string usd_words(MicroUsd usd);
/// "8.7 h", "14 h".
std::string hours_words(double hours);
/// "24 h", "0.1 h", "1.5 h": a limit as it was given, never rounded to 0.
std::string limit_words(double hours);

}  // namespace sizesheet
