// SPDX-License-Identifier: Apache-2.0
#include "cli/said_words.h"

#include <algorithm>
#include <array>

#include "cli/foreign_words.h"
#include "cli/near_lines.h"
#include "cli/question_table.h"
#include "cli/word_meanings.h"
#include "cli/word_table.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr auto kFillers = std::to_array<std::string_view>(
    {"anything", "card",      "way",        "worth",        "beat",       "beats",
     "better",   "a",         "about",      "able",         "afford",     "all",
     "alone",    "am",        "an",         "and",          "any",        "are",
     "as",       "ask",       "at",         "be",           "because",    "before",
     "best",     "boss",      "but",        "by",           "calc",       "calculate",
     "can",      "compute",   "could",      "create",       "currently",  "deadline",
     "budget",   "do",        "does",       "each",         "enough",     "estimate",
     "every",    "fine",      "fine-tune",  "fine-tuned",   "fine-tunes", "fine-tuning",
     "finetune", "finetuned", "finetuning", "for",          "from",       "get",
     "give",     "given",     "go",         "going",        "good",       "gpu",
     "graphics", "hardware",  "gpus",       "had",          "has",        "have",
     "hello",    "help",      "here",       "hey",          "hi",         "hours",
     "how",      "i",         "i'm",        "if",           "i've",       "in",
     "instead",  "into",      "is",         "it",           "its",        "job",
     "just",     "launch",    "least",      "less",         "let",        "like",
     "long",     "machine",   "make",       "many",         "max",        "maximum",
     "me",       "method",    "min",        "minimum",      "model",      "month",
     "most",     "node",      "nodes",      "much",         "my",         "need",
     "needed",   "needs",     "of",         "on",           "one",        "only",
     "or",       "our",       "over",       "per",          "plan",       "please",
     "possible", "predict",   "quote",      "recommend",    "rent",       "rented",
     "renting",  "require",   "required",   "requirements", "requires",   "run",
     "running",  "same",      "say",        "setup",        "sheet",      "should",
     "single",   "size",      "sizing",     "so",           "some",       "suggest",
     "take",     "takes",     "tell",       "than",         "that",       "the",
     "their",    "them",      "then",       "there",        "these",      "they",
     "this",     "those",     "time",       "to",           "total",      "train",
     "trained",  "training",  "tune",       "tuned",        "tuning",     "under",
     "up",       "us",        "use",        "using",        "via",        "want",
     "was",      "we",        "what",       "what's",       "whats",      "when",
     "where",    "whether",   "which",      "who",          "will",       "with",
     "within",   "without",   "would",      "you",          "your",       "s",
     "="});

constexpr WordPair kCounts[] = {{"single", "1"},  {"one", "1"},     {"two", "2"}, {"pair", "2"},
                                {"three", "3"},   {"four", "4"},    {"six", "6"}, {"eight", "8"},
                                {"twelve", "12"}, {"sixteen", "16"}};

/// "H100" of "H100s": cards in the plural.
std::string in_singular(const std::string& word, const WordMeanings& means) {
  if (word.size() < 3 || word.back() != 's' || means.gpu_in(word)) return word;
  std::string one = word.substr(0, word.size() - 1);
  if (one.back() == '\'') one.pop_back();
  const std::string card = parts_of_cards(one).first;
  return is_digit(one.back()) && means.gpu_in(card) ? one : word;
}

/// "a100,h100": names of one kind or another between commas; none where some part is no name.
std::vector<std::string> listed_names(const std::string& argument, const WordMeanings& means) {
  if (argument.find(',') == argument.npos || looks_like_option(argument)) return {};
  std::vector<std::string> parts = split(argument, ',');
  std::erase(parts, "");
  const bool all_names = std::ranges::all_of(parts, [&](const std::string& part) {
    const std::string card = parts_of_cards(part).first;
    return means.gpu_in(part) || means.gpu_in(card) || means.is_machine(part) ||
           means.is_method(part) || means.is_model(part);
  });
  return all_names && parts.size() > 1 ? parts : std::vector<std::string>();
}

/// "--gpus=8" of "gpus=8", where that is an option; the word as it is otherwise.
std::string as_option(const std::string& word) {
  const std::size_t sign = word.find('=');
  if (sign == word.npos || sign == 0 || looks_like_option(word)) return word;
  const std::string option = "--" + word.substr(0, sign);
  const bool known = question_word(option) != nullptr || foreign_option(option) != nullptr;
  return known ? option + word.substr(sign) : word;
}

/// "runs", "per", "month" of "runs/month".
std::vector<std::string> with_rhythms_apart(const std::vector<std::string>& words) {
  std::vector<std::string> parted;
  for (const std::string& word : words) {
    const std::size_t slash = word.find('/');
    const bool counts = slash != word.npos && contains({"run", "runs", "job", "jobs", "times"},
                                                       small_letters(word.substr(0, slash)));
    if (counts) {
      parted.insert(parted.end(), {word.substr(0, slash), "per", word.substr(slash + 1)});
    } else {
      parted.push_back(word);
    }
  }
  return parted;
}

}  // namespace

std::string without_signs(std::string word) {
  constexpr std::string_view kSigns = ",?!;:\"()";
  while (!word.empty() && kSigns.find(word.back()) != kSigns.npos) word.pop_back();
  while (word.size() > 1 && (word.front() == '(' || word.front() == '"')) word.erase(0, 1);
  // A sentence ends in a point.
  if (word.size() > 1 && word.back() == '.' && word != "..") word.pop_back();
  return word;
}

std::string letters_at(const std::vector<std::string>& words, std::size_t at) {
  return at < words.size() ? small_letters(without_signs(words[at])) : "";
}

std::string count_in_words(const std::string& word) { return std::string(meant_in(kCounts, word)); }

bool is_filler(std::string_view word) {
  return word.empty() || word.find_first_not_of("-–—&+|:.*") == word.npos ||
         std::ranges::find(kFillers, word) != kFillers.end();
}

std::vector<std::string> said_words(const std::vector<std::string>& arguments,
                                    const WordMeanings& means) {
  std::vector<std::string> all;
  bool value = false;
  for (const std::string& argument : arguments) {
    const auto blanks = std::ranges::count(argument, ' ');
    const bool ends_in_method =
        blanks > 0 && means.is_method(argument.substr(argument.find_last_of(' ') + 1));
    const bool names =
        blanks == 0 || value ||
        (blanks < 4 && !ends_in_method &&
         (means.gpu_in(argument) || means.is_model(argument) || means.is_method(argument)));
    if (const auto several = listed_names(argument, means); names && !value && !several.empty()) {
      all.insert(all.end(), several.begin(), several.end());
    } else if (names) {
      all.push_back(argument);
    } else {
      for (const std::string& word : split(argument, ' ')) {
        if (!word.empty()) all.push_back(word);
      }
    }
    value = looks_like_option(argument) && argument.find('=') == argument.npos;
  }
  all = with_rhythms_apart(all);
  for (std::string& word : all) {
    if (!looks_like_option(word)) word = as_option(in_singular(without_signs(word), means));
  }
  return all;
}

}  // namespace sizesheet
