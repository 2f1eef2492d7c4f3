// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_reader.h"

#include <bit>

#include "cli/foreign_words.h"
#include "cli/line_reading.h"
#include "cli/meant_cards.h"
#include "cli/meant_jobs.h"
#include "cli/meant_misspelt.h"
#include "cli/meant_names.h"
#include "cli/meant_options.h"
#include "cli/meant_stacks.h"
#include "cli/meant_words.h"
#include "cli/near_lines.h"
#include "cli/near_models.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/said_shares.h"
#include "cli/settled_parts.h"
#include "cli/word_meanings.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr double kLongestExample = 65536;  ///< tokens; what is longer is a run
constexpr double kUsualSequence = 4096;    ///< of the sheet

/// Examples that the usual sequence would cut are in longer ones.
void settle_sequence(LineReading& line) {
  const auto mean = line.parts.options.find("--mean-length");
  if (mean == line.parts.options.end() || line.parts.options.contains("--seq")) return;
  const auto length = read_value(mean->second, length_kind()).value;
  if (!length || *length <= kUsualSequence) return;
  const auto longer = std::bit_ceil(static_cast<std::uint64_t>(*length));
  line.parts.options["--seq"] = std::to_string(longer);
  line.parts.notes.push_back("sequences of " + std::to_string(longer) +
                             " tokens are long enough for these examples");
}

/// "20k examples 512 tokens" are examples of 512 tokens, and no run of 512.
void settle_lengths(LineReading& line) {
  const auto tokens = line.parts.options.find("--tokens");
  if (tokens != line.parts.options.end() && line.parts.options.contains("--examples")) {
    const auto many = read_value(tokens->second, tokens_kind()).value;
    if (many && *many <= kLongestExample && !line.parts.options.contains("--mean-length")) {
      line.parts.options["--mean-length"] = tokens->second;
      line.parts.options.erase("--tokens");
    }
  }
  settle_sequence(line);
}

/// How long a run is takes examples or tokens beside epochs.
void drop_lone_epochs(LineReading& line) {
  const auto epochs = line.parts.options.find("--epochs");
  if (epochs == line.parts.options.end() || line.parts.options.contains("--examples") ||
      line.parts.options.contains("--tokens")) {
    return;
  }
  line.parts.left_out.push_back("--epochs " + epochs->second);
  line.parts.notes.emplace_back("--epochs needs --examples or --tokens beside it");
  line.parts.options.erase(epochs);
}

/// "owner/Name-7B", "yi-34b": a model that the catalog lacks.
bool may_be_model(const LineReading& line, const std::string& word) {
  const std::size_t slash = word.find('/');
  const bool nouns = slash != word.npos && !list_of_noun(word.substr(0, slash)).empty();
  const bool owned = slash != word.npos && is_model_name(word) && !nouns;  // "countries/regions"
  const bool sized = line.parts.models.empty() && !size_in_name(word).empty();
  return (owned || sized) && !is_config_file(word);
}

/// "$500", "24h", "50M tokens", "rank 64", but not "8 GPUs" where "8 GPUs" is a card.
bool take_figure(LineReading& line) {
  const auto figure = figure_at(line.words, line.at);
  if (!figure) return false;
  const bool card = figure->option == "--gpus" &&
                    line.means.card_at(line.words, line.at, line.words[line.at]) > 0;
  if (card) return false;
  put_figure(figure->option, figure->value, line.parts);
  line.at += figure->used;
  return true;
}

/// "24/7", "40%": no name of anything, whether it says something or not.
bool leave_out_percentage(LineReading& line) {
  if (!is_percentage(line.letters(line.at))) return false;
  line.parts.left_out.push_back(line.words[line.at++]);
  return true;
}

bool take_any(LineReading& line) {
  return take_wish(line) || take_jobs(line) || take_figure(line) || leave_out_percentage(line) ||
         take_period(line) || take_phrase(line) || take_cards(line) || take_names(line) ||
         take_seller(line) || take_region(line) || take_word(line) || take_misspelt(line);
}

}  // namespace

MeantParts meant_parts(const std::vector<std::string>& words, const WordMeanings& means) {
  std::vector<std::string> spelled = words;  // a verb that is misspelt is read again
  LineReading line{spelled, means, {}, 0};
  line.parts.says_ask = !line.words.empty() && line.words.front() == "ask";
  line.parts.writes = wishes_config(line);
  while (line.at < line.words.size()) {
    if (looks_like_option(line.words[line.at])) {
      line.at += take_option(line.words, line.at, line.means, line.parts);
    } else if (!take_any(line)) {
      const std::string word = line.words[line.at];
      const bool noun = !list_of_noun(line.letters(line.at)).empty();
      const std::string verb = noun ? "" : spelled_verb(line.letters(line.at));
      if (!verb.empty()) {
        line.parts.note(in_quotes(word) + " is taken as " + verb);
        spelled[line.at] = verb;
        continue;
      }
      ++line.at;
      if (may_be_model(line, word)) line.parts.unknown_model = word;
      line.parts.left_out.push_back(word);
    }
  }
  settle_counts(line.parts);
  settle_lengths(line);
  drop_lone_epochs(line);
  return std::move(line.parts);
}

}  // namespace sizesheet
