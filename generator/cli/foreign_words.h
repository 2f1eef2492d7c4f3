// SPDX-License-Identifier: Apache-2.0
// What people and other programs call commands and options of ours: one table of verbs, one of what
// no command does, one of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// The command that a verb or a noun asks for: "compare" is sweep, "breakeven" is cost, "show" is
/// list; "" where the word asks for none.
std::string_view command_meant(std::string_view word);

/// What is listed, of one: "gpus" of "card"; "" for another word.
std::string_view list_of_noun(std::string_view word);

/// Whether the command lists something: the others are verbs.
bool is_list(std::string_view command);

/// Something that is asked for and that no command does.
struct NotDone {
  std::string_view word;     ///< "serve"
  std::string_view why;      ///< the sentence that refuses it
  std::string_view command;  ///< whose help says more; "" where none does
};

/// nullptr where a command does it, or the word means something else.
const NotDone* not_done(std::string_view word);

/// The same of a line by its first word; nullptr too where "config" asks for one of a run.
const NotDone* not_done_first(const std::vector<std::string>& words);

/// What an option of another program is here.
enum class OptionForm {
  kSame,        ///< ours takes its value as it is
  kTier,        ///< a word of --tier: "--spot", "--reserved 3yr"
  kClock,       ///< hours as a batch system writes them: "1-12:00:00"
  kDays,        ///< days of a deadline
  kResources,   ///< cards as a batch system writes them: "gpu:a100:4"
  kNodes,       ///< machines, which multiply the cards of one
  kParameters,  ///< a size: "34B"
  kUse,         ///< a share of the hours of a month
  kMonths,      ///< the life of a machine
  kRhythm,      ///< runs of another time than a month: "weekly"
  kRequest,     ///< a key of a request, which `explain` takes
  kCostKey,     ///< a key of a request to `cost`
  kSteps,       ///< optimizer steps, which are tokens beside a batch and a length
  kForm,        ///< the form of the answer, or the file for it
  kWritten,     ///< a training config to be written: its file or its framework
  kSearch,      ///< a word that a list is searched for
  kNone         ///< no option of ours, for the reason that `words` gives
};

struct ForeignOption {
  std::string_view name;  ///< "--batch-size"
  OptionForm form;
  std::string_view ours;        ///< "--micro-batch"; of a key its path: "kernels.precision"
  std::string_view words = {};  ///< what the program does instead, where that needs saying
};

const ForeignOption* foreign_option(std::string_view name);  ///< nullptr where it is not known

}  // namespace sizesheet
