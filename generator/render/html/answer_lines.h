// SPDX-License-Identifier: Apache-2.0
// The answers to one job, a line each: what to rent, from whom else, faster, cheaper, owned,
// served.
#pragma once

#include <string>

#include "support/json.h"
#include "support/money.h"

namespace sizesheet {

struct Hours;
struct Pick;
struct RunCandidate;
struct Sheet;
struct UsdRange;

// The titles of the lines.
inline constexpr const char* kSecondTitle = "Second source";
inline constexpr const char* kFasterTitle = "Faster";
inline constexpr const char* kCheaperTitle = "Cheaper on average";
inline constexpr const char* kFewestTitle = "Fewest GPUs needed";
inline constexpr const char* kOwnTitle = "Own";
inline constexpr const char* kServiceTitle = "Service";
inline constexpr const char* kScarceTitle = "Cheaper, little stock";
inline constexpr const char* kAnswerTitles[] = {kSecondTitle,  kScarceTitle, kFasterTitle,
                                                kCheaperTitle, kFewestTitle, kOwnTitle,
                                                kServiceTitle};

/// "$47 (36–77), 1.1 h": expected dollars, the range of nine runs of ten, hours.
std::string run_words(const UsdRange& usd, double hours, bool measured);

/// "8 × B200 from Massed Compute".
std::string rented_words(const Sheet& sheet, const std::string& gpu, std::int64_t gpus,
                         const std::string& provider);

/// Two or three digits: "$2.6", "$47", "$500", "$3,594".
std::string brief_usd(MicroUsd usd);

/// "+12 %" of another run's expected dollars over these.
std::string more_words(MicroUsd usd, MicroUsd than);

/// "answer_head", "answer_figures", "answer_notes" (a list of warnings) and "answer_lines", each
/// with "line_title" and "line_words".
Json answer_values(const Sheet& sheet, const Pick& pick);

}  // namespace sizesheet
