// SPDX-License-Identifier: Apache-2.0
#include "cli/question_words.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <tuple>
#include <type_traits>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/word_meanings.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/named.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// Words that join others and say nothing themselves.
bool joins(const std::string& word) {
  return contains({"a",        "an",    "and",   "at",  "by",   "fine-tune", "fine-tuning",
                   "finetune", "for",   "in",    "of",  "on",   "the",       "train",
                   "training", "under", "using", "via", "with", "within"},
                  small_letters(word));
}

/// Words between what is compared.
bool sets_against(const std::string& word) {
  return contains({"&", "against", "between", "or", "than", "to", "versus", "vs", "vs."},
                  small_letters(word));
}

bool is_config(const std::string& word) {
  std::error_code none;
  if (is_config_file(word)) return true;
  const bool folder = word.find('/') != word.npos || word == ".";
  return folder &&
         std::filesystem::is_regular_file(std::filesystem::path(word) / "config.json", none);
}

/// The data of an edition are no model, whatever their ending.
void refuse_edition(const std::string& file) {
  if (std::filesystem::path(file).filename() != "sheet.json") return;
  throw InputError(file + ": is the data of an edition, and no model; diff and verify read it");
}

/// A figure that ends in a letter: "24h", and no bare number.
bool has_unit(const std::string& word) {
  return !word.empty() && is_digit(word.front()) && !is_digit(word.back());
}

std::optional<double> value_of(const std::string& word, const ValueKind& kind) {
  return read_value(word, kind).value;
}

/// Reads the words of one question from the left; at each place the longest name that means
/// something is taken.
class WordReader {
 public:
  WordReader(QuestionOptions& options, const Catalog& catalog, const UsualNames& usual,
             const std::string& command, std::string* vram, ComparedWords* compared = nullptr)
      : options_(options),
        catalog_(catalog),
        means_(catalog, usual, [&options] { return sheet_sizes(options.sheet, options.catalog); }),
        command_(command),
        vram_(vram),
        compared_(compared) {}

  void read() {
    while (at_ < options_.words.size()) {
      if (joins(options_.words[at_]) || take_figure() || take_cards() || take_names() ||
          take_seller()) {
        continue;
      }
      refuse();
    }
  }

 private:
  const std::string& word() const { return options_.words[at_]; }

  std::string joined(std::size_t from, std::size_t count) const {
    return joined_words(options_.words, from, count);
  }

  bool joins(const std::string& word) {
    if (!sizesheet::joins(word) && (compared_ == nullptr || !sets_against(word))) return false;
    ++at_;
    return true;
  }

  template <typename Target, typename Value>
  void put(const char* option, Target& target, const Value& value, std::size_t used) {
    if constexpr (std::is_same_v<Target, std::string>) {
      if (!target.empty()) refuse_twice(option);
    } else {
      if (target) refuse_twice(option);
    }
    target = value;
    at_ += used;
  }

  [[noreturn]] void refuse_twice(const char* option) const {
    throw InputError(command_ + ": " + in_quotes(word()) + ": " + option +
                     " is said already; say one");
  }

  /// "$500", "24h", "50M tokens", "24GB".
  bool take_figure() {
    const std::string next = at_ + 1 < options_.words.size() ? options_.words[at_ + 1] : "";
    if (contains({"tokens", "token"}, small_letters(next))) {
      if (const auto tokens = value_of(word(), tokens_kind())) {
        put("--tokens", options_.tokens, static_cast<std::int64_t>(*tokens), 2);
        return true;
      }
    }
    if (word().find('$') != std::string::npos) {
      const auto dollars = value_of(word(), dollars_kind());
      if (dollars) put("--budget", options_.budget, *dollars, 1);
      return dollars.has_value();
    }
    const auto hours = has_unit(word()) ? value_of(word(), hours_kind()) : std::nullopt;
    if (hours) {
      put("--deadline", options_.deadline, *hours, 1);
      return true;
    }
    const std::string letters = small_letters(word());
    const bool memory = has_unit(word()) && letters.ends_with("b") && letters.size() > 2 &&
                        !is_digit(letters[letters.size() - 2]);
    if (vram_ == nullptr || !memory || !value_of(word(), memory_kind())) return false;
    put("--vram", *vram_, word(), 1);
    return true;
  }

  std::size_t card_at(std::size_t from, const std::string& first) const {
    return means_.card_at(options_.words, from, first);
  }

  /// "h100 x8", "h100 8" where the number is of no card behind it; 0 without one.
  std::int64_t count_behind(std::size_t at) const {
    if (at >= options_.words.size()) return 0;
    std::string next = options_.words[at];
    const bool times = next.size() > 1 && (next[0] == 'x' || next[0] == '*');
    if (times) next.erase(0, 1);
    if (!is_count_word(next)) return 0;
    if (!times && card_at(at, next) > 0) return 0;  // "3090 4090"
    const bool of_next =
        !times && at + 1 < options_.words.size() && card_at(at + 1, options_.words[at + 1]) > 0;
    return of_next ? 0 : parsed<std::int64_t>(next).value_or(0);
  }

  void put_cards(const std::string& name, std::int64_t many, std::size_t used) {
    if (compared_ != nullptr) {
      compared_->cards.push_back({name, many});
      at_ += used;
      return;
    }
    if (many > 0) put("--gpus", options_.gpus, many, 0);
    put("--gpu", options_.gpu, name, used);
  }

  /// "8xh100", "8 h100", "8 x A100 80GB", "h100 x8", "4090 2".
  bool take_cards() { return take_counted_cards() || take_named_cards(); }

  /// "8 h100", "8 x A100 80GB".
  bool take_counted_cards() {
    if (!is_count_word(word())) return false;
    std::size_t from = at_ + 1;
    const std::size_t all = options_.words.size();
    const bool times = from < all && contains({"x", "×", "*"}, options_.words[from]);
    if (times) ++from;
    if (!times && card_at(at_, word()) > 0) return false;  // "4090 l40s": two cards
    const std::size_t count = from < all ? card_at(from, options_.words[from]) : 0;
    if (count == 0) return false;
    put_cards(joined(from, count), parsed<std::int64_t>(word()).value_or(0), from - at_ + count);
    return true;
  }

  /// "8xh100", "h100 x8", "A100 80GB", "p5.48xlarge".
  bool take_named_cards() {
    if (means_.is_machine(word())) {  // `take_machine` says what it is
      put_cards(word(), 0, 1);
      return true;
    }
    if (model_at(at_)) return false;
    std::string first = word();  // "rtx4090" is a card, and no 4090 of "rt"
    std::int64_t many = 0;
    std::size_t count = card_at(at_, first);
    if (count == 0) {
      std::tie(first, many) = parts_of_cards(first);
      count = many > 0 ? card_at(at_, first) : 0;
    }
    if (count == 0) return false;
    const std::string rest = count > 1 ? joined(at_ + 1, count - 1) : "";
    const std::string name = first.empty() || rest.empty() ? first + rest : first + " " + rest;
    std::size_t used = count;
    if (many == 0) {
      many = count_behind(at_ + used);
      used += many > 0 ? 1 : 0;
    }
    put_cards(name, many, used);
    return true;
  }

  /// A model is the first word of a question that is none of a card.
  bool model_at(std::size_t from) const {
    return options_.model.empty() && options_.config.empty() && from == at_ &&
           means_.is_model(options_.words[from]);
  }

  void put_method(const std::string& name, std::size_t used) {
    if (compared_ == nullptr) return put("--method", options_.method, name, used);
    compared_->methods.push_back(name);
    at_ += used;
  }

  void put_model(const std::string& name, std::size_t used) {
    if (compared_ == nullptr) return put("--model", options_.model, name, used);
    compared_->models.push_back(name);
    at_ += used;
  }

  /// A model or a method of several words.
  bool take_names() {
    if (compared_ != nullptr && is_config(word())) {
      throw InputError(command_ + ": reads no file such as " + in_quotes(word()) +
                       "; ask and explain do");
    }
    if (is_config_file(word()) && !options_.config.empty()) {
      options_.other_configs.push_back(word());
      ++at_;
      return true;
    }
    if (is_config(word())) {
      refuse_edition(word());
      put("--config", options_.config, is_config_file(word()) ? word() : word() + "/config.json",
          1);
      return true;
    }
    const std::size_t most = std::min(kMostNameWords, options_.words.size() - at_);
    for (std::size_t count = most; count > 0; --count) {
      const std::string name = joined(at_, count);
      if (means_.is_method(name) || means_.is_ranked(name)) {
        put_method(name, count);
        return true;
      }
      // "mistral-7b dpo" is a model and a method, though a model may have both in its name.
      const bool ends_in_method = count > 1 && means_.is_method(options_.words[at_ + count - 1]);
      if (!ends_in_method && options_.model.empty() && means_.is_model(name)) {
        put_model(name, count);
        return true;
      }
    }
    return false;
  }

  /// Sellers are compared, too; a question of one model has --provider.
  bool take_seller() {
    if (compared_ == nullptr || !means_.is_provider(word())) return false;
    compared_->sellers.push_back(word());
    ++at_;
    return true;
  }

  [[noreturn]] void refuse() const {
    if (options_.model.empty() && options_.config.empty() &&
        contains({"ask", "explain"}, command_)) {
      static_cast<void>(means_.models().resolved(word()));  // throws with the nearest models
    }
    std::vector<std::string> known = keys_of(catalog_.models);
    for (const MethodFacts& kind : kMethodKinds) known.emplace_back(kind.id);
    for (const auto* all : {&means_.methods(), &means_.gpus()}) {
      for (const CalledEntry& entry : *all) known.push_back(entry.id);
    }
    throw InputError(command_ + ": expected a model, a method or cards such as 2xh100, got " +
                     in_quotes(word()) + did_you_mean(word(), known));
  }

  QuestionOptions& options_;
  const Catalog& catalog_;
  WordMeanings means_;
  std::string command_;
  std::string* vram_;
  ComparedWords* compared_;
  std::size_t at_ = 0;
};

}  // namespace

void take_counted_card(std::string& gpu, std::optional<std::int64_t>& gpus, const Catalog& catalog,
                       const std::vector<std::string>& usual) {
  const std::vector<CalledEntry> all = called_gpus(catalog);
  const auto is_card = [&](const std::string& name) {
    try {
      return meant("GPU", name, all, usual).has_value();
    } catch (const InputError&) {
      return true;  // several, which the option refuses by name
    }
  };
  if (gpu.empty() || is_card(gpu)) return;
  const auto [card, many] = parts_of_cards(gpu);
  if (many == 0 || !is_card(card)) return;
  if (gpus && *gpus != many) {
    throw InputError("--gpu: " + in_quotes(gpu) + " says --gpus, which is said already");
  }
  gpu = card;
  gpus = many;
}

bool is_config_file(const std::string& word) {
  return std::ranges::any_of(
      std::array{".json", ".yaml", ".yml", ".sh", ".bash", ".slurm", ".sbatch", ".args"},
      [&](const char* ending) { return word.ends_with(ending); });
}

bool is_training_file(const std::string& word) {
  return is_config_file(word) && !word.ends_with(".json");
}

bool begins_question(const std::string& word) {
  if (word.empty() || word.front() == '-') return false;
  if (word.find('/') != word.npos || is_config_file(word)) return true;
  if (std::ranges::any_of(word, is_digit)) return true;
  return std::ranges::any_of(
      kMethodKinds, [&](const MethodFacts& kind) { return small_letters(word) == kind.id; });
}

void take_words(QuestionOptions& options, const Catalog& catalog, const UsualNames& usual,
                const std::string& command, std::string* vram) {
  if (options.words.empty()) return;
  WordReader(options, catalog, usual, command, vram).read();
  options.words.clear();
}

ComparedWords take_compared_words(QuestionOptions& options, const Catalog& catalog,
                                  const UsualNames& usual, const std::string& command) {
  std::vector<std::string> words;
  for (const std::string& said : options.words) {
    for (const std::string& part : split(said, ',')) {
      // "lora,dpo-lora" are two names, which a blank between them would join.
      if (!words.empty() && said.find(',') != said.npos) words.push_back("&");
      for (const std::string& word : split(part, ' ')) {
        if (!word.empty()) words.push_back(word);
      }
    }
  }
  options.words = words;
  ComparedWords compared;
  WordReader(options, catalog, usual, command, nullptr, &compared).read();
  options.words.clear();
  return compared;
}

}  // namespace sizesheet
