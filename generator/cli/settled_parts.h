// SPDX-License-Identifier: Apache-2.0
// What several words of a line say together, before a command is chosen.
#pragma once

#include <string>
#include <vector>

#include "cli/meant_parts.h"

namespace sizesheet {

class WordMeanings;

std::vector<std::string> each_once(const std::vector<std::string>& all);

/// Nodes, steps, accumulation, a card's memory, several sellers or stacks: each becomes one option.
void settle_parts(MeantParts& parts, const WordMeanings& means);

/// A batch is a step's or a GPU's, runs are per month, and limits without an amount are left out.
void settle_counts(MeantParts& parts);

/// A family or a size is a model where no model is named, or several are compared.
void settle_models(MeantParts& parts, const WordMeanings& means);

/// "SFT then DPO".
void note_two_runs(MeantParts& parts);

/// In the place of a model that the catalog lacks one of its size; false where none is near.
bool take_model_of_size(MeantParts& parts, const WordMeanings& means);

}  // namespace sizesheet
