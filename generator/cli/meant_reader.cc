// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <tuple>

#include "cli/area_names.h"
#include "cli/foreign_words.h"
#include "cli/meant_options.h"
#include "cli/near_lines.h"
#include "cli/near_models.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/said_words.h"
#include "cli/word_meanings.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr std::string_view kShowVerb = "list";
constexpr double kLongestExample = 65536;  ///< tokens; what is longer is a run
constexpr double kUsualSequence = 4096;    ///< of the sheet

/// Reads a line from the left; at each place the longest name that means something is taken.
class MeantReader {
 public:
  MeantReader(const std::vector<std::string>& words, const WordMeanings& means)
      : words_(words), means_(means) {}

  MeantParts read() && {
    parts_.says_ask = !words_.empty() && words_.front() == "ask";
    while (at_ < words_.size()) {
      if (looks_like_option(words_[at_])) {
        at_ += take_option(words_, at_, means_, parts_);
      } else if (!take_figure() && !take_phrase() && !take_cards() && !take_names() &&
                 !take_seller() && !take_region() && !take_word() && !take_misspelt()) {
        const std::string& word = words_[at_++];
        if (may_be_model(word)) parts_.unknown_model = word;
        parts_.left_out.push_back(word);
      }
    }
    settle_lengths();
    drop_lone_epochs();
    return std::move(parts_);
  }

 private:
  /// "20k examples 512 tokens" are examples of 512 tokens, and no run of 512.
  void settle_lengths() {
    const auto tokens = parts_.options.find("--tokens");
    if (tokens != parts_.options.end() && parts_.options.contains("--examples")) {
      const auto many = read_value(tokens->second, tokens_kind()).value;
      if (many && *many <= kLongestExample && !parts_.options.contains("--mean-length")) {
        parts_.options["--mean-length"] = tokens->second;
        parts_.options.erase("--tokens");
      }
    }
    settle_sequence();
  }

  /// Examples that the usual sequence would cut are in longer ones.
  void settle_sequence() {
    const auto mean = parts_.options.find("--mean-length");
    if (mean == parts_.options.end() || parts_.options.contains("--seq")) return;
    const auto length = read_value(mean->second, length_kind()).value;
    if (!length || *length <= kUsualSequence) return;
    const auto longer = std::bit_ceil(static_cast<std::uint64_t>(*length));
    parts_.options["--seq"] = std::to_string(longer);
    parts_.notes.push_back("sequences of " + std::to_string(longer) +
                           " tokens are long enough for these examples");
  }

  /// How long a run is takes examples or tokens beside epochs.
  void drop_lone_epochs() {
    const auto epochs = parts_.options.find("--epochs");
    if (epochs == parts_.options.end() || parts_.options.contains("--examples") ||
        parts_.options.contains("--tokens")) {
      return;
    }
    parts_.left_out.push_back("--epochs " + epochs->second);
    parts_.notes.emplace_back("--epochs needs --examples or --tokens beside it");
    parts_.options.erase(epochs);
  }

  std::string letters(std::size_t at) const { return letters_at(words_, at); }

  std::string next_word() const { return at_ + 1 < words_.size() ? words_[at_ + 1] : ""; }

  /// "owner/Name-7B", "yi-34b": a model that the catalog lacks.
  bool may_be_model(const std::string& word) const {
    const std::size_t slash = word.find('/');
    const bool nouns = slash != word.npos && !list_of_noun(word.substr(0, slash)).empty();
    const bool owned = slash != word.npos && is_name(word) && !nouns;  // "countries/regions"
    const bool sized = parts_.models.empty() && !size_in_name(word).empty();
    return (owned || sized) && !is_config_file(word);
  }

  /// "$500", "24h", "50M tokens", "rank 64", but not "8 GPUs" where "8 GPUs" is a card.
  bool take_figure() {
    const auto figure = figure_at(words_, at_);
    if (!figure) return false;
    const bool card = figure->option == "--gpus" && means_.card_at(words_, at_, words_[at_]) > 0;
    if (card) return false;
    put_figure(figure->option, figure->value, parts_);
    at_ += figure->used;
    return true;
  }

  /// "what can I train", "the biggest model", "per hour", "max sequence length".
  bool take_phrase() {
    const std::string word = letters(at_);
    const std::string next = letters(at_ + 1);
    const bool most =
        contains({"biggest", "largest", "longest", "max", "maximum", "which", "what"}, word);
    std::size_t noun = at_ + 1;
    if (most && contains({"possible", "micro", "sequence", "context", "seq", "batch", "size",
                          "kind", "of", "llm"},
                         letters(noun))) {
      while (noun < at_ + 4 && contains({"possible", "micro", "kind", "of"}, letters(noun))) ++noun;
    }
    if (most && contains({"model", "models", "llm", "llms"}, letters(noun))) {
      parts_.asks_what_fits = true;
      at_ = noun + 1;
      return true;
    }
    const bool length =
        contains({"sequence", "context", "seq", "batch", "micro-batch", "window"}, letters(noun));
    if (most && !contains({"which", "what"}, word) && length) {
      parts_.asks_what_fits = true;
      at_ = noun + 1;
      while (contains({"length", "len", "size", "window"}, letters(at_))) ++at_;
      return true;
    }
    const bool can = contains({"what", "anything"}, word) && next == "can";
    const bool whom = contains({"i", "we", "you", "one"}, letters(at_ + 2));
    const bool what = can && whom &&
                      contains({"train", "fine-tune", "finetune", "tune", "run", "do", "get", "fit",
                                "qlora", "lora"},
                               letters(at_ + 3));
    if (what) {
      parts_.asks_what_fits = true;
      at_ += means_.is_method(letters(at_ + 3)) ? 3 : 4;
      return true;
    }
    if (word == "where" && contains({"can", "to", "do", "could", "should"}, next)) {
      parts_.asks_price = true;
      ++at_;
      return true;
    }
    const bool hourly =
        contains({"per", "an", "a", "/"}, word) && contains({"hour", "hr", "gpu-hour"}, next);
    if (hourly || contains({"cheapest", "cheap", "cheaper", "hourly", "price", "priced"}, word)) {
      parts_.asks_price = true;
      parts_.asks_cheapest = parts_.asks_cheapest || word == "cheapest";
      if (hourly) ++at_;
      if (word == "price" && parts_.shows) parts_.list = "prices";
      ++at_;
      return true;
    }
    return false;
  }

  // ---- Names.

  /// "8 h100", "4 x L40S", "2xA100", "h100 x8", "single 4090".
  /// "2x8 H100": two machines of eight.
  bool take_machines_of_cards() {
    const std::string word = letters(at_);
    const std::size_t sign = word.find('x');
    if (sign == word.npos || !is_count_word(word.substr(0, sign))) return false;
    const std::string each = word.substr(sign + 1);
    if (!is_count_word(each) || at_ + 1 >= words_.size()) return false;
    if (means_.card_at(words_, at_ + 1, words_[at_ + 1]) == 0) return false;
    put_figure(kNodes, word.substr(0, sign), parts_);
    return take_counted_cards(each);
  }

  bool take_cards() {
    if (take_machines_of_cards()) return true;
    const std::string in_words = count_in_words(letters(at_));
    const std::string count = in_words.empty() ? words_[at_] : in_words;
    if (is_count_word(count) && (!in_words.empty() || means_.card_at(words_, at_, count) == 0)) {
      return take_counted_cards(count);
    }
    if (means_.is_machine(words_[at_])) {
      const std::string machine = words_[at_++];
      const std::string many = take_times();
      if (many.empty() || !put_counted_machine(many + "x" + machine, means_, parts_)) {
        parts_.cards.push_back({machine, ""});
      }
      return true;
    }
    if (put_counted_machine(words_[at_], means_, parts_)) {
      ++at_;
      return true;
    }
    if (parts_.models.empty() && means_.is_model(words_[at_])) return false;
    std::string first = words_[at_];
    std::int64_t many = 0;
    std::size_t used = means_.card_at(words_, at_, first);
    if (used == 0) {
      std::tie(first, many) = parts_of_cards(first);
      used = many > 0 ? means_.card_at(words_, at_, first) : 0;
    }
    if (used == 0) return false;
    const std::string rest = used > 1 ? joined_words(words_, at_ + 1, used - 1) : "";
    const std::string name = first.empty() || rest.empty() ? first + rest : first + " " + rest;
    at_ += used;
    const std::string times = many == 0 ? take_times() : std::to_string(many);
    parts_.cards.push_back({name, times});
    return true;
  }

  /// "4" of "x4", "×4", "*4" and "x 4" behind a card or a machine; "" without one.
  std::string take_times() {
    for (const std::string_view sign : {"x", "×", "*"}) {
      const std::string word = letters(at_);
      if (!word.starts_with(sign)) continue;
      const bool apart = word.size() == sign.size();
      const std::string many = apart ? letters(at_ + 1) : word.substr(sign.size());
      if (!is_count_word(many)) continue;
      at_ += apart ? 2 : 1;
      return many;
    }
    return "";
  }

  bool take_counted_cards(const std::string& count) {
    std::size_t from = at_ + 1;
    while (contains({"x", "×", "*", "of", "nvidia", "amd"}, letters(from))) ++from;
    const std::size_t used = from < words_.size() ? means_.card_at(words_, from, words_[from]) : 0;
    if (used == 0) return false;
    parts_.cards.push_back({joined_words(words_, from, used), count});
    at_ = from + used;
    return true;
  }

  /// A method, then a model, of as many words as there are; then a family of models and a size.
  bool take_names() {
    const std::string noun = letters(at_);
    if (!list_of_noun(noun).empty() || !command_meant(noun).empty()) return false;
    if (contains({"fully", "full-parameter", "full-weight"}, noun)) {
      parts_.methods.emplace_back("full");
      ++at_;
      return true;
    }
    if (parts_.models.empty() && is_config_file(words_[at_]) &&
        std::filesystem::is_regular_file(words_[at_])) {
      parts_.models.push_back(words_[at_++]);
      return true;
    }
    if (take_family_and_size()) return true;
    std::size_t most = 1;  // no name goes on behind an option
    while (most < kMostNameWords && at_ + most < words_.size() &&
           !looks_like_option(words_[at_ + most])) {
      ++most;
    }
    for (std::size_t count = most; count > 0; --count) {
      const std::string name = without_signs(joined_words(words_, at_, count));
      // "and" is a word of "q and v only".
      const bool joined = count > 1 && is_filler(letters(at_ + count - 1));  // "LoRA and"
      const bool says_nothing = joined || (count == 1 && is_filler(noun));
      if (!says_nothing && (means_.is_method(name) || means_.is_ranked(name))) {
        parts_.methods.push_back(name);
        at_ += count;
        return true;
      }
      const bool ends_in_method =
          count > 1 && means_.is_method(without_signs(words_[at_ + count - 1]));
      // "a 3b" is no A3B.
      const bool article = count > 1 && contains({"a", "an", "the"}, letters(at_));
      if (ends_in_method || article || !is_name(name) || !means_.is_model(name)) continue;
      push_single_model(name);
      at_ += count;
      return true;
    }
    return take_family();
  }

  /// Where the name is of several models, the one that is taken is told.
  void push_single_model(const std::string& name) {
    const std::string model = single_model(name, means_);
    if (model != name) {
      const std::string family = name.substr(0, name.find_first_of(" -0123456789"));
      const std::string list = family.empty() ? "" : "; sizesheet models " + family + " lists them";
      parts_.notes.push_back(in_quotes(name) + " is taken as " + model + ", the newest of several" +
                             list);
    }
    parts_.models.push_back(model);
  }

  /// "on" and "is" are in names of models, too, and a count is none.
  static bool is_name(const std::string& word) {
    return word.find_first_of("0123456789/") != word.npos && !is_count_word(word);
  }

  /// "gemma 9b", "a 9b gemma": where it is no name of a model.
  bool take_family_and_size() {
    if (at_ + 1 >= words_.size()) return false;
    const std::string& first = words_[at_];
    const std::string second = without_signs(words_[at_ + 1]);
    const bool size_first = is_model_size(first);
    const std::string& family = size_first ? second : first;
    const std::string& size = size_first ? first : second;
    if (!is_model_family(means_.catalog(), family) || !is_model_size(size)) return false;
    if (means_.is_model(family + " " + size)) {
      push_single_model(family + " " + size);
    } else {
      parts_.near_models.push_back({small_letters(family), size});
    }
    at_ += 2;
    return true;
  }

  bool take_family() {
    const std::string& word = words_[at_];
    if (is_model_family(means_.catalog(), word)) {
      parts_.near_models.push_back({small_letters(word), ""});
    } else if (is_model_size(word) && small_letters(word).back() == 'b') {
      parts_.near_models.push_back({"", word});
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  /// A provider or a stack, of one word or two.
  bool take_seller() {
    for (const std::size_t count : {std::size_t{2}, std::size_t{1}}) {
      if (at_ + count > words_.size()) continue;
      const std::string name = without_signs(joined_words(words_, at_, count));
      if (means_.is_provider(name)) {
        if (!parts_.options.contains("--provider")) parts_.options["--provider"] = name;
        parts_.providers.push_back(name);
        at_ += count;
        if (contains({"labs", "cloud", "ai"}, letters(at_))) ++at_;
        return true;
      }
      if (means_.is_stack(name)) {
        put_figure("--stack", name, parts_);
        at_ += count;
        return true;
      }
    }
    return false;
  }

  /// "us-central1", where some price has it; "Europe".
  bool take_region() {
    const std::string word = letters(at_);
    const bool name = word.find('-') != word.npos && !known_region(word, means_.catalog()).empty();
    if (!name && !says_area(without_signs(words_[at_]))) return false;
    parts_.options["--region"] = word;
    ++at_;
    return true;
  }

  // ---- Words.

  bool take_word() {
    const std::string word = letters(at_);
    const std::string_view meant = command_meant(word);
    // "log" and "generate" are verbs of other sentences, too.
    const bool first = at_ == 0 || !contains({"build", "record"}, meant);
    const std::string_view intent = first ? meant : std::string_view();
    if (intent == "help" && letters(at_ + 1) == "me") {  // "help me choose a GPU" is a question
      at_ += 2;
      return true;
    }
    if (take_request_word(word)) return true;
    if (intent == kShowVerb || intent == "help") {
      const bool asks = at_ == 0 || !contains({"i", "we", "to", "you", "can"}, letters(at_ - 1));
      parts_.shows = parts_.shows || (asks && nothing_yet());
      if (intent == "help" && at_ == 0) parts_.intent = "help";
    } else if (const auto noun = list_of_noun(word); parts_.shows && !noun.empty()) {
      if (parts_.list.empty()) parts_.list = noun;
    } else if (!intent.empty()) {
      take_intent(std::string(intent));
    } else if (contains({"spot", "preemptible", "interruptible"}, word)) {
      parts_.options["--tier"] = "spot";
    } else if (contains({"reserved", "committed"}, word)) {
      take_term();
    } else if (contains({"on-demand", "ondemand"}, word)) {
      parts_.options["--tier"] = "on_demand";
    } else if (!word.empty() && word.find_first_not_of('0') == word.npos) {
      parts_.left_out.push_back(words_[at_]);
      parts_.notes.emplace_back(
          "the shell reads \"$5\" of \"$500\" as a variable: write the amount without \"$\" "
          "behind --budget");
    } else if (contains({"ppo", "rloo", "dapo"}, word)) {
      parts_.methods.emplace_back("grpo");
      parts_.request["grpo"]["algorithm"] = word;
      parts_.requested.push_back(word);
    } else if (contains({"fastest", "quickest", "faster"}, word)) {
      parts_.left_out.push_back(words_[at_]);
      parts_.notes.emplace_back("for a faster run, say --deadline 5h");
    } else if (take_preposition(word)) {
      return true;
    } else if (contains({"dgx", "hgx"}, word) && means_.card_at(words_, at_ + 1, next_word()) > 0) {
      parts_.notes.push_back("a " + words_[at_] + " has 8 GPUs");
      return take_counted_cards("8");
    } else if (contains({"fewest", "minimum", "min", "minimal", "least"}, word)) {
      parts_.asks_fewest = true;
    } else if (!take_other_money(word) && !take_span(word) && !is_filler(word)) {
      return false;
    }
    ++at_;
    return true;
  }

  /// "excluding runpod", "on 8": a word that says what the next ones are.
  bool take_preposition(const std::string& word) {
    if (contains({"excluding", "except", "exclude", "without", "not", "avoid"}, word)) {
      return leave_out_sellers();
    }
    return contains({"on", "across", "with", "using"}, word) && take_lone_count();
  }

  /// Money of another currency, which nothing is counted in.
  bool take_other_money(const std::string& word) {
    const bool sign = word.find("€") != word.npos || word.find("£") != word.npos;
    if (!sign && !contains({"euro", "euros", "eur", "pounds", "yen"}, word)) return false;
    parts_.left_out.push_back(words_[at_]);
    parts_.notes.push_back(std::string("all money is in dollars") + (sign ? ": --budget 500" : ""));
    return true;
  }

  /// "tomorrow", "a weekend".
  bool take_span(const std::string& word) {
    const bool weekend = contains({"weekend", "weekends"}, word);
    if (!weekend && word != "tomorrow") return false;
    parts_.options["--deadline"] = weekend ? "48h" : "24h";
    parts_.notes.emplace_back(weekend ? "a weekend is 48 hours"
                                      : "\"tomorrow\" is taken as 24 hours");
    return true;
  }

  /// "excluding runpod and vast": sellers that the answer may not be of. False where none is named.
  bool leave_out_sellers() {
    std::size_t end = at_;
    for (std::size_t next = at_ + 1; next < words_.size(); ++next) {
      const bool seller = means_.is_provider(words_[next]);
      if (seller) end = next + 1;
      if (!seller && !contains({"and", "or", "nor", "from"}, letters(next))) break;
    }
    if (end == at_) return false;
    parts_.left_out.push_back(joined_words(words_, at_, end - at_));
    parts_.notes.emplace_back(
        "no option leaves out a seller; --provider names the sellers that you want");
    at_ = end;
    return true;
  }

  /// "on 8" behind a card that has no count.
  bool take_lone_count() {
    const std::string count = letters(at_ + 1);
    const bool ends = at_ + 2 >= words_.size() || is_filler(letters(at_ + 2));
    const bool one_card = parts_.cards.size() == 1 && parts_.cards.front().count.empty();
    if (!one_card || !ends || !is_count_word(count) || parts_.options.contains("--gpus")) {
      return false;
    }
    parts_.cards.front().count = count;
    at_ += 2;
    return true;
  }

  /// "reserved 3 years", "1 year reserved": a tier, and no life of a machine.
  void take_term() {
    const auto behind = at_ + 1 < words_.size() ? figure_at(words_, at_ + 1) : std::nullopt;
    const bool next = behind && behind->option == kLifeYears;
    const std::string years = next ? behind->value : parts_.life_years;
    const double many = parsed<double>(years).value_or(0);
    const std::string term = many > 1 ? "3 years" : "1 year";
    if (many != 1 && many != 3) parts_.notes.push_back("reserved is taken as " + term);
    parts_.options["--tier"] = term;
    parts_.life_years.clear();
    if (next) at_ += behind->used;
  }

  /// "adafactor", "8-bit adamw", "adamw 8bit"; plain AdamW is what a stack has anyway.
  bool take_optimizer(const std::string& word) {
    const auto eight = [](const std::string& one) {
      return contains({"8bit", "8-bit", "int8"}, one);
    };
    const auto adam = [](const std::string& one) { return contains({"adam", "adamw"}, one); };
    const std::string next = letters(at_ + 1);
    const bool two = (eight(word) && adam(next)) || (adam(word) && eight(next));
    const bool one = contains({"adamw8bit", "adamw-8bit", "adamw_8bit", "adamw_bnb_8bit"}, word);
    const std::string optimizer = two || one ? "adamw-8bit" : word == "adafactor" ? word : "";
    if (optimizer.empty()) return false;
    parts_.request["optimizer"] = optimizer;
    parts_.requested.push_back(joined_words(words_, at_, two ? 2 : 1));
    at_ += two ? 2 : 1;
    return true;
  }

  /// "offload", "zero3": a key of a request, which `explain` takes; "0.30/kWh" one of `cost`.
  bool take_request_word(const std::string& word) {
    if (take_optimizer(word)) return true;
    constexpr std::array<std::array<std::string_view, 3>, 9> kKeys = {
        {{"offload", "layout.offload", "optimizer"},
         {"offloading", "layout.offload", "optimizer"},
         {"zero1", "layout.shard", "zero1"},
         {"zero2", "layout.shard", "zero2"},
         {"zero3", "layout.shard", "zero3"},
         {"zero-1", "layout.shard", "zero1"},
         {"zero-2", "layout.shard", "zero2"},
         {"zero-3", "layout.shard", "zero3"},
         {"fp8", "kernels.precision", "fp8"}}};
    constexpr std::string_view kPower = "/kwh";
    if (word == "cpu" && letters(at_ + 1).starts_with("offload")) {
      ++at_;
      return true;
    }
    const bool apart = read_value(word, number_kind()).value && letters(at_ + 1).ends_with(kPower);
    if (word.ends_with(kPower) || apart) {
      std::string amount = apart ? word : word.substr(0, word.size() - kPower.size());
      const std::string unit = apart ? letters(at_ + 1) : "";
      if (apart) ++at_;
      if (!unit.empty() && unit != kPower && !contains({"usd/kwh", "$/kwh", "dollars/kwh"}, unit)) {
        parts_.notes.push_back(amount + " per kWh is taken as dollars: all money is in dollars");
      }
      std::erase(amount, '$');
      const auto dollars = read_value(amount, number_kind()).value;
      if (!dollars) return false;
      parts_.cost_request["usd_per_kwh"] = *dollars;
      parts_.cost_requested.push_back(words_[at_++]);
      return true;
    }
    for (const auto& [said, key, value] : kKeys) {
      if (word != said) continue;
      set_dotted(parts_.request, std::string(key), std::string(value));
      parts_.requested.push_back(words_[at_++]);
      return true;
    }
    return false;
  }

  /// A method or a model that is nearly spelled: "lroa", "lama-3-8b".
  bool take_misspelt() {
    const std::string& word = words_[at_];
    std::string method = method_meant(word, means_);
    if (method.front() != word.front()) method = word;  // "pull" is not "full" with a slip
    const bool may_be_model = parts_.models.empty() && parts_.list.empty() && is_name(word);
    const std::string model = may_be_model ? near_model(word) : "";
    if (method == word && model.empty()) return take_misspelt_words() || take_misspelt_card();
    const std::string& name = model.empty() ? method : model;
    (model.empty() ? parts_.methods : parts_.models).push_back(name);
    parts_.notes.push_back(in_quotes(word) + " is taken as " + name);
    ++at_;
    return true;
  }

  /// "lamma 3 8b": a name of several words, the first of them misspelt.
  bool take_misspelt_words() {
    constexpr std::size_t kLeastLetters = 4;
    const std::string first = letters(at_);
    const bool letters_alone =
        first.size() >= kLeastLetters && std::ranges::none_of(first, is_digit);
    if (!letters_alone || !parts_.models.empty() || is_filler(first)) return false;
    for (const std::size_t count : {std::size_t{3}, std::size_t{2}}) {
      if (at_ + count > words_.size()) continue;
      const auto names_more = [&](std::size_t at) {
        return looks_like_option(words_[at]) || words_[at].find('/') != std::string::npos ||
               (means_.is_model(words_[at]) && !is_model_size(words_[at]) &&
                !is_count_word(words_[at]));
      };
      bool whole = true;
      for (std::size_t i = at_ + 1; i < at_ + count; ++i) whole = whole && !names_more(i);
      if (!whole) continue;
      const std::string said = joined_words(words_, at_, count);
      std::string name = said;
      std::ranges::replace(name, ' ', '-');
      const std::string model = is_name(name) ? near_model(name) : "";
      if (model.empty()) continue;
      parts_.models.push_back(model);
      parts_.notes.push_back(in_quotes(said) + " is taken as " + model);
      at_ += count;
      return true;
    }
    return false;
  }

  /// "H10O", where one type of GPU has nearly this name.
  bool take_misspelt_card() {
    const std::string& word = words_[at_];
    const std::string near = near_card(word, means_);
    if (near.empty()) return false;
    parts_.cards.push_back({near, ""});
    parts_.notes.push_back(in_quotes(word) + " is taken as " + near);
    ++at_;
    return true;
  }

  /// The id that the catalog has nearly like this; "" where there is none.
  std::string near_model(const std::string& word) const {
    try {
      static_cast<void>(means_.models().resolved(word));
    } catch (const InputError& error) {
      const std::vector<std::string> near = suggested_names(error.what(), word);
      const bool spelled = std::string_view(error.what()).find("did you mean") != std::string::npos;
      const std::string own = small_letters(without_owner(word));
      const bool of_another = contains(near, own);  // the owner is misspelt
      if (of_another) return own;
      if (spelled && !near.empty()) return near.front();
    }
    return "";
  }

  /// Whether all words so far say nothing.
  bool nothing_yet() const {
    return parts_.models.empty() && parts_.methods.empty() && parts_.cards.empty() &&
           parts_.options.empty() && parts_.intent.empty();
  }

  void take_intent(const std::string& intent) {
    if (!is_list(intent)) {
      // Why something does not fit is explained.
      const bool weaker = intent == "ask" || (intent == "fits" && parts_.intent == "explain") ||
                          (intent == "compare" && parts_.intent == "cost");  // "buy vs rent"
      if (!weaker || parts_.intent.empty()) parts_.intent = intent;
    } else if (parts_.shows || at_ == 0) {
      if (parts_.list.empty()) parts_.list = intent;
    } else if (intent == "prices" || intent == "providers") {
      parts_.asks_price = true;
      if (intent == "providers") parts_.intent = intent;
    }
  }

  const std::vector<std::string>& words_;
  const WordMeanings& means_;
  MeantParts parts_;
  std::size_t at_ = 0;
};

}  // namespace

MeantParts meant_parts(const std::vector<std::string>& words, const WordMeanings& means) {
  return MeantReader(words, means).read();
}

}  // namespace sizesheet
