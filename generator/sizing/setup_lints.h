// SPDX-License-Identifier: Apache-2.0
// Lints about the set-up itself: adapters that are no small addition, links that hold up the step,
// counts that nobody rents out.
#pragma once

#include <optional>

#include "sizing/lints.h"

namespace sizesheet {

/// Adapters of more than a twentieth of the model.
std::optional<Lint> wide_adapters(const Question& question, const Candidate& chosen);

/// Exchanges that computing does not hide take three tenths of the step or more.
std::optional<Lint> slow_link(const Question& question, const Candidate& chosen);

/// A count of GPUs that is not on offer.
std::optional<Lint> odd_count(const Question& question, const Candidate& chosen);

}  // namespace sizesheet
