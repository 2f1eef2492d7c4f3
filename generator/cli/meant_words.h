// SPDX-License-Identifier: Apache-2.0
// Reads verbs, words of money and time, and phrases in a line.
#pragma once

namespace sizesheet {

struct LineReading;

/// "what can I train", "the biggest model", "per hour", "max sequence length".
bool take_phrase(LineReading& line);

/// A verb, a tier, a key of a request, or a word that says nothing.
bool take_word(LineReading& line);

}  // namespace sizesheet
