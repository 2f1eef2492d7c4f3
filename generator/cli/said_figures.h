// SPDX-License-Identifier: Apache-2.0
// Figures as people say them, with their units before or behind them: "50M tokens", "rank 64",
// "300 hours a month", "24:00:00".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// The share of a month's hours that a machine is used, in the place of an option's name.
inline constexpr const char* kUseShare = "use";
/// The years that a machine is used, a key of a question to `cost`.
inline constexpr const char* kLifeYears = "life_years";
/// Machines, which multiply the cards of one.
inline constexpr const char* kNodes = "nodes";
/// Optimizer steps, which are tokens beside a batch and a length.
inline constexpr const char* kStepCount = "steps";
/// A batch of which nobody says whether it is a step's or a GPU's.
inline constexpr const char* kBatch = "batch";
/// Runs without a word of how often they come.
inline constexpr const char* kRuns = "runs";

/// What a figure says.
struct SaidFigure {
  std::string option;  ///< "--tokens", or one of the names above
  std::string value;
  std::size_t used = 0;  ///< words
};

/// The figure at a place of a line; nullopt where there is none that has a meaning.
std::optional<SaidFigure> figure_at(const std::vector<std::string>& words, std::size_t at);

/// How often something named by a word happens in a month of 730 hours: 1/3 of "quarterly"; 0 for
/// another word.
double times_per_month(std::string_view word);

/// Runs per month with the digits that are worth saying.
std::string runs_text(double runs);

/// Whether a word is a unit of a figure before it.
bool is_unit(const std::string& word);

/// "36h" of "1-12:00:00" and of "36:00:00"; the text itself where it is no such time.
std::string hours_of_clock(const std::string& text);

/// "2" of "24" months; "" of what is no number.
std::string years_of_months(const std::string& text);

}  // namespace sizesheet
