// SPDX-License-Identifier: Apache-2.0
// Reads GPUs and their counts in a line.
#pragma once

#include <string>

namespace sizesheet {

struct LineReading;

/// "8 h100", "4 x L40S", "2xA100", "h100 x8", "single 4090", a cloud machine.
bool take_cards(LineReading& line);

/// The card behind this word, so many of it; false where none is there.
bool take_counted_cards(LineReading& line, const std::string& count);

/// "on 8" behind a card that has no count.
bool take_lone_count(LineReading& line);

}  // namespace sizesheet
