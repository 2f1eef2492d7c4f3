// SPDX-License-Identifier: Apache-2.0
// Figures in the forms a narrow column may need.
#pragma once

#include <cstdint>
#include <optional>

#include "render/pdf/table_text.h"

namespace sizesheet::pdf {

/// `decimals` places, then fewer, then thousands ("128.9 k", "129 k"), millions and billions.
Figure figure(double value, int decimals);
Figure figure(MicroUsd usd, int decimals);
/// Under a head that says thousands of dollars: `decimals` places, then fewer; then with a unit of
/// their own ("$12.5M", "$13M").
Figure thousands(MicroUsd usd, int decimals);
/// "–" when absent.
Figure figure(const std::optional<MicroUsd>& usd, int decimals);
Figure absent();

/// Decimals of a column of run prices: 0 when all are 10 $ or more, else 1, else 2.
int run_decimals(const std::vector<MicroUsd>& prices);

}  // namespace sizesheet::pdf
