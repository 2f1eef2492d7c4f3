// SPDX-License-Identifier: Apache-2.0
// What an edition answers, in at most three sentences made of its picks.
#pragma once

#include <string>

namespace sizesheet {

struct Sheet;

/// Says what the edition answers in at most three sentences: the adapters and the full run of the
/// handout's models up to the highlighted one, and from how many hours per month owning pays.
void add_headline(Sheet& sheet);

/// Its sentence on owning: from how many hours per month the machines pay; "" where nothing is
/// sold.
std::string own_sentence(const Sheet& sheet);

}  // namespace sizesheet
