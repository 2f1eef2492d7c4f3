// SPDX-License-Identifier: Apache-2.0
// Kinds of question that no single command of a run answers.
#pragma once

#include <string>

#include "cli/meant_line.h"
#include "cli/meant_parts.h"

namespace sizesheet {

class WordMeanings;

/// "p5.48xlarge cost per hour", "cost h100 lambda": what is paid by the hour, and no owning.
bool asks_rate(const MeantParts& parts, const WordMeanings& means);

/// "10 lora runs of an 8B and 2 full runs of a 70B": a plan, and no run.
bool has_several_jobs(const MeantParts& parts);

/// `init`, whose file a plan is made of.
MeantLine plan_line(const MeantParts& parts);

/// How to make a plan of one's own.
std::string plan_words();

/// Whether the run is that of a training config, which `compare` and `fits` do not read.
bool asks_of_file(const MeantParts& parts);

/// "axolotl.yml h100 a100": a question for each card, those behind the first in notes.
void note_other_cards(MeantParts& parts);

/// "lambda vs runpod h100 price": of cards, and of no run.
bool compares_prices(const MeantParts& parts);

inline constexpr const char* kExampleCard = "h100";

/// The cards of a sheet's type that the seller offered last, the fewest of them.
SaidCards example_cards(const MeantParts& parts, const WordMeanings& means);

/// No GPU is rented for so much per hour: it is what the machine costs.
void settle_price(MeantParts& parts);

}  // namespace sizesheet
