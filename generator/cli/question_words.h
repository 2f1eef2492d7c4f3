// SPDX-License-Identifier: Apache-2.0
// A question as it is said, without the names of options: "llama-3.1-8b lora 2xh100".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sizesheet {

struct Catalog;
struct QuestionOptions;
struct UsualNames;

/// Several of each, as a comparison names them: "llama-3.1-8b lora, qlora on h100 vs 2xa100".
struct ComparedWords {
  struct Cards {
    std::string name;
    std::int64_t count = 0;  ///< 0 where it is not said
  };
  std::vector<std::string> models, methods, sellers;
  std::vector<Cards> cards;
};

/// Whether the word names the file of a config, by its ending: that of a model, of a training run,
/// or a launch script.
bool is_config_file(const std::string& word);

/// Whether the word names the file of a training run, which no model has: a YAML file, a launch
/// script.
bool is_training_file(const std::string& word);

/// Whether a command line that begins with this word asks about a model: it has a digit or an
/// owner, is the file of a config, or is a kind of method.
bool begins_question(const std::string& word);

/// Puts what the words of `options` say where the options of these names would: the model or its
/// config.json, the method, the card and how many, 24h as the deadline, $500 as the budget, and
/// "50M tokens". Words that join the others ("on", "with") say nothing. `vram`: where a memory such
/// as 24GB goes; nullptr where it says nothing. Throws InputError, naming `command`, for what it
/// cannot mean and for what an option says as well.
void take_words(QuestionOptions& options, const Catalog& catalog, const UsualNames& usual,
                const std::string& command, std::string* vram = nullptr);

/// The same where each may be named several times, with "vs" and commas between them. What is no
/// name (24h, "50M tokens") goes to `options`.
ComparedWords take_compared_words(QuestionOptions& options, const Catalog& catalog,
                                  const UsualNames& usual, const std::string& command);

/// "2xh100" under --gpu: the card stays there, its count goes to `gpus`. Throws InputError where
/// `gpus` says another count.
void take_counted_card(std::string& gpu, std::optional<std::int64_t>& gpus, const Catalog& catalog,
                       const std::vector<std::string>& usual);

}  // namespace sizesheet
