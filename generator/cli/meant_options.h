// SPDX-License-Identifier: Apache-2.0
// Reads the options of a line, be they ours or of another program.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/meant_parts.h"

namespace sizesheet {

class WordMeanings;

/// Puts a figure under an option into `parts`; among what is left out where it cannot be read.
void put_figure(const std::string& option, const std::string& value, MeantParts& parts);

/// "5xp5.48xlarge": puts all cards of several machines into `parts`; false where it is none.
bool put_counted_machine(const std::string& word, const WordMeanings& means, MeantParts& parts);

/// The type of GPU that has nearly this name: "h100" of "H10O"; "" where none has.
std::string near_card(const std::string& word, const WordMeanings& means);

/// The method spelled right: "lroa" is "lora"; the name as it is where none is near.
std::string method_meant(const std::string& name, const WordMeanings& means);

/// Of several models that the name fits the newest; the nearest where it fits none.
std::string single_model(const std::string& name, const WordMeanings& means);

/// Reads the option at a place into `parts`: how many words it takes.
std::size_t take_option(const std::vector<std::string>& words, std::size_t at,
                        const WordMeanings& means, MeantParts& parts);

}  // namespace sizesheet
