// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_jobs.h"

#include "cli/line_reading.h"
#include "cli/meant_names.h"
#include "cli/meant_options.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "12 lora runs", "10 full fine-tuning runs per month": the method is said between.
bool take_runs_of_method(LineReading& line) {
  const std::string method = line.letters(line.at + 1);
  if (!is_count_word(line.letters(line.at)) || method.empty() || !line.means.is_method(method)) {
    return false;
  }
  std::vector<std::string> plain = line.words;
  const auto place = plain.begin() + static_cast<std::ptrdiff_t>(line.at);
  plain.erase(place + 1);
  const auto runs = figure_at(plain, line.at);
  if (!runs || !contains({kRuns, "--runs"}, runs->option)) return false;
  put_figure(runs->option, runs->value, line.parts);
  line.parts.methods.push_back(method);
  line.at += runs->used + 1;
  return true;
}

/// "5x llama-3.1-8b": so many runs of a model, where "5x h100" is cards.
bool take_times_model(LineReading& line) {
  const std::string word = line.letters(line.at);
  const bool apart = is_count_word(word) && contains({"x", "×"}, line.letters(line.at + 1));
  const bool times =
      word.size() > 1 && word.back() == 'x' && is_count_word(word.substr(0, word.size() - 1));
  const std::size_t next = line.at + (apart ? 2 : 1);
  if ((!apart && !times) || next >= line.words.size()) return false;
  const std::string name = line.letters(next);
  const bool card = line.means.card_at(line.words, next, line.words[next]) > 0 ||
                    line.means.is_machine(name) || parts_of_cards(name).second > 0;
  if (card || !is_model_name(name) || !line.means.is_model(name)) return false;
  line.parts.job_counts.push_back(joined_words(line.words, line.at, next - line.at));
  line.at = next;
  return true;
}

}  // namespace

bool take_jobs(LineReading& line) { return take_runs_of_method(line) || take_times_model(line); }

bool take_period(LineReading& line) {
  const std::string word = line.letters(line.at);
  const bool led = contains({"next", "this", "per", "each", "every", "coming"}, word);
  const std::string time = led ? line.letters(line.at + 1) : word;
  const double often = led || word.ends_with("ly") ? times_per_month(time) : 0;
  if (often == 0) return false;
  line.parts.period = often;
  line.parts.said_period = joined_words(line.words, line.at, led ? 2 : 1);
  line.at += led ? 2 : 1;
  return true;
}

}  // namespace sizesheet
