// SPDX-License-Identifier: Apache-2.0
// The comparison with measurements as aligned text: rows, totals by what they share, bars.
#pragma once

#include <iosfwd>

#include "evidence/accuracy.h"

namespace sizesheet {

/// With `held_out_only` the totals of the held-out sources, else those of all, tuned and held out.
void print_accuracy(const Accuracy& accuracy, bool held_out_only, std::ostream& out);

}  // namespace sizesheet
