// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_line.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/files/loader.h"
#include "cli/common_options.h"
#include "cli/near_lines.h"
#include "cli/question_table.h"
#include "cli/word_meanings.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

using LineWords = std::vector<std::string>;
using Pair = std::pair<std::string_view, std::string_view>;

/// What a verb or a noun asks for. The command is chosen by it and by what else is said.
constexpr Pair kIntents[] = {
    {"explain", "explain"},  {"memory", "explain"},    {"breakdown", "explain"},
    {"vram", "explain"},     {"oom", "explain"},       {"fits", "fits"},
    {"fit", "fits"},         {"what-fits", "fits"},    {"compare", "sweep"},
    {"comparison", "sweep"}, {"vs", "sweep"},          {"versus", "sweep"},
    {"sweep", "sweep"},      {"table", "sweep"},       {"cost", "cost"},
    {"costs", "cost"},       {"tco", "cost"},          {"own", "cost"},
    {"buy", "cost"},         {"owning", "cost"},       {"rent-or-buy", "cost"},
    {"buy-or-rent", "cost"}, {"rent-vs-buy", "cost"},  {"buy-vs-rent", "cost"},
    {"breakeven", "cost"},   {"break-even", "cost"},   {"prices", "prices"},
    {"pricing", "prices"},   {"sellers", "providers"}, {"providers", "providers"},
    {"clouds", "providers"}, {"vendors", "providers"}, {"gpus", "gpus"},
    {"cards", "gpus"},       {"models", "models"},     {"methods", "methods"}};

/// Of a list: what is listed, behind "show", "describe" and the like.
constexpr Pair kNouns[] = {{"gpu", "gpus"},        {"card", "gpus"},      {"model", "models"},
                           {"price", "prices"},    {"method", "methods"}, {"provider", "providers"},
                           {"seller", "providers"}};
constexpr std::array<std::string_view, 10> kShow = {"show",   "get",  "list", "ls",     "describe",
                                                    "search", "find", "info", "lookup", "help"};

/// Options under names that other tools have.
constexpr Pair kOtherOptions[] = {{"-t", "--method"},
                                  {"--technique", "--method"},
                                  {"--peft", "--method"},
                                  {"--batch-size", "--micro-batch"},
                                  {"--batch", "--micro-batch"},
                                  {"--time", "--deadline"},
                                  {"--time-limit", "--deadline"},
                                  {"--max-time", "--deadline"},
                                  {"--length", "--seq"},
                                  {"--data-size", "--examples"},
                                  {"--cards", "--gpu"},
                                  {"--gpu-memory", "--vram"}};

/// Figures by the word behind them: "20k examples".
constexpr Pair kUnits[] = {
    {"token", "--tokens"},      {"tokens", "--tokens"},    {"example", "--examples"},
    {"examples", "--examples"}, {"samples", "--examples"}, {"pairs", "--examples"},
    {"rows", "--examples"},     {"prompts", "--examples"}, {"records", "--examples"},
    {"epoch", "--epochs"},      {"epochs", "--epochs"},    {"runs", "--runs"},
    {"hour", "--deadline"},     {"hours", "--deadline"},   {"hrs", "--deadline"},
    {"day", "--deadline"},      {"days", "--deadline"},    {"minutes", "--deadline"},
    {"weeks", "--deadline"},    {"week", "--deadline"},    {"gpus", "--gpus"},
    {"gpu", "--gpus"},          {"cards", "--gpus"},       {"usd", "--budget"},
    {"dollars", "--budget"},    {"bucks", "--budget"}};

/// Figures by the word before them: "rank 64".
constexpr Pair kLeads[] = {
    {"rank", "--rank"},         {"seq", "--seq"},       {"context", "--seq"},
    {"length", "--seq"},        {"epochs", "--epochs"}, {"tokens", "--tokens"},
    {"examples", "--examples"}, {"budget", "--budget"}, {"vram", "--vram"}};

/// Words that say nothing to us.
constexpr auto kFillers = std::to_array<std::string_view>(
    {"a",     "about",    "an",        "and",         "are",       "ask",      "at",
     "by",    "calc",     "calculate", "can",         "compute",   "create",   "do",
     "does",  "estimate", "fine-tune", "fine-tuning", "finetune",  "for",      "from",
     "get",   "given",    "gpu",       "have",        "hours",     "how",      "i",
     "in",    "is",       "it",        "job",         "launch",    "long",     "many",
     "max",   "me",       "method",    "model",       "month",     "much",     "my",
     "need",  "needed",   "of",        "on",          "or",        "our",      "per",
     "plan",  "please",   "predict",   "quote",       "recommend", "rent",     "requirements",
     "run",   "sheet",    "should",    "size",        "sizing",    "suggest",  "take",
     "takes", "the",      "time",      "to",          "train",     "training", "tune",
     "under", "up",       "use",       "using",       "via",       "want",     "we",
     "what",  "which",    "will",      "with",        "within",    "would"});

template <std::size_t kCount>
std::string_view value_in_table(const Pair (&table)[kCount], std::string_view word) {
  for (const auto& [name, value] : table) {
    if (name == word) return value;
  }
  return "";
}

/// Small letters, without the signs of a sentence around it.
std::string without_signs(std::string word) {
  constexpr std::string_view kSigns = ",?!;\"";
  while (!word.empty() && kSigns.find(word.back()) != kSigns.npos) word.pop_back();
  return word;
}

/// "one", "single" are counts in words; "" of other words.
std::string count_in_words(const std::string& word) {
  constexpr Pair kCounts[] = {{"single", "1"}, {"one", "1"}, {"two", "2"},   {"three", "3"},
                              {"four", "4"},   {"six", "6"}, {"eight", "8"}, {"sixteen", "16"}};
  return std::string(value_in_table(kCounts, word));
}

/// "H100" of "H100s": cards in the plural.
std::string in_singular(const std::string& word, const WordMeanings& means) {
  if (word.size() < 3 || word.back() != 's' || means.gpu_in(word)) return word;
  const std::string one = word.substr(0, word.size() - 1);
  const auto [card, many] = parts_of_cards(one);
  return is_digit(one.back()) && means.gpu_in(card) ? one : word;
}

/// The words of a line, an argument of several words apart where it is not one name.
LineWords split_line(const LineWords& arguments, const WordMeanings& means) {
  LineWords all;
  bool value = false;
  for (const std::string& argument : arguments) {
    const auto blanks = std::ranges::count(argument, ' ');
    const bool names = blanks == 0 || value ||
                       (blanks < 4 && (means.gpu_in(argument) || means.is_model(argument) ||
                                       means.is_method(argument)));
    if (names) {
      all.push_back(argument);
    } else {
      for (const std::string& word : split(argument, ' ')) {
        if (!word.empty()) all.push_back(word);
      }
    }
    value = looks_like_option(argument) && argument.find('=') == argument.npos;
  }
  for (std::string& word : all) word = in_singular(without_signs(word), means);
  return all;
}

bool is_read(const QuestionWord& word, const std::string& value) {
  return word.kind == nullptr || read_value(value, *word.kind()).value.has_value();
}

/// Reads a line from the left; at each place the longest name that means something is taken.
class MeantReader {
 public:
  MeantReader(LineWords words, const WordMeanings& means)
      : words_(std::move(words)), means_(means) {}

  void read() {
    while (at_ < words_.size()) {
      if (looks_like_option(words_[at_])) {
        take_option();
      } else if (!take_figure() && !take_cards() && !take_names() && !take_word()) {
        left_out_.push_back(words_[at_++]);
      }
    }
  }

  std::optional<MeantLine> line() {
    MeantLine meant;
    const bool named = models_.size() + cards_.size() == 1 && methods_.empty() && options_.empty();
    if (shows_ && list_.empty() && named) list_ = models_.empty() ? "gpus" : "models";
    if (!list_.empty()) {
      meant = listed();
    } else if (!models_.empty() &&
               (models_.size() > 1 || methods_.size() > 1 || cards_.size() > 1)) {
      meant = swept();
    } else if (!models_.empty()) {
      meant = asked();
    } else if (!cards_.empty() || options_.contains("--vram")) {
      meant = without_model();
    } else if (shows_ && !methods_.empty()) {
      return MeantLine{{"list", "methods"}, left_out_};
    } else {
      return std::nullopt;
    }
    return meant;
  }

 private:
  struct Cards {
    std::string name;
    std::string count;  ///< "" where it is not said
  };

  std::string letters_at(std::size_t at) const {
    return at < words_.size() ? small_letters(without_signs(words_[at])) : "";
  }

  void put(const std::string& option, const std::string& value) {
    const QuestionWord* word = question_word(option);
    if (word != nullptr && is_read(*word, value)) {
      options_[word->name] = value;
    } else {
      left_out_.push_back(option + " " + value);
    }
  }

  // ---- Options.

  void take_option() {
    std::string name = words_[at_].substr(0, words_[at_].find('='));
    const bool joined = name != words_[at_];
    std::string value = joined ? words_[at_].substr(name.size() + 1) : "";
    if (!joined && take_flag(name)) {
      ++at_;
      return;
    }
    const std::string said = name;
    if (const auto ours = value_in_table(kOtherOptions, name); !ours.empty()) name = ours;
    const bool next = !joined && at_ + 1 < words_.size() && !looks_like_option(words_[at_ + 1]);
    if (next) value = words_[at_ + 1];
    std::size_t used = next ? 2 : 1;
    if (next && contains({"--deadline", "--within", "--deadline-hours"}, name) &&
        value_in_table(kUnits, letters_at(at_ + 2)) == "--deadline") {
      value += letters_at(at_ + 2);
      ++used;
    }
    at_ += used;
    take_option_value(name, value, said);
  }

  /// "--lora", "--spot", "--json": an option that has no value.
  bool take_flag(const std::string& name) {
    const std::string word = name.substr(name.find_first_not_of('-'));
    if (contains({"--json", "--explain"}, name)) {
      flags_.push_back(name);
    } else if (contains({"spot", "on-demand"}, word)) {
      options_["--tier"] = word == "spot" ? "spot" : "on_demand";
    } else if (name.starts_with("--") && question_word(name) == nullptr && word.size() > 1 &&
               means_.is_method(word)) {
      methods_.push_back(word);
    } else {
      return false;
    }
    return true;
  }

  void take_option_value(const std::string& name, const std::string& value,
                         const std::string& said) {
    const QuestionWord* word = question_word(name);
    const std::string ours = word != nullptr ? word->name : name;
    const bool form = contains({"--format", "--output", "-o"}, name);
    if (value.empty()) {
      left_out_.push_back(said);
    } else if (ours == "--model" || ours == "--models") {
      for (const std::string& one : split(value, ',')) models_.push_back(single_model(one));
    } else if (ours == "--method" || ours == "--methods") {
      for (const std::string& one : split(value, ',')) methods_.push_back(method_meant(one));
    } else if (ours == "--gpu") {
      put_cards(value);
    } else if (form && value == "json") {
      flags_.emplace_back("--json");
    } else if (contains({"--catalog", "--sheet", "--as-of", "--config"}, name)) {
      kept_.insert(kept_.end(), {name, value});
    } else if (word != nullptr) {
      put(ours, value);
    } else {
      left_out_.push_back(said + " " + value);
    }
  }

  void put_cards(const std::string& value) {
    if (means_.gpu_in(value) || means_.is_machine(value)) {
      cards_.push_back({value, ""});
      return;
    }
    const auto [card, many] = parts_of_cards(value);
    cards_.push_back({many > 0 ? card : value, many > 0 ? std::to_string(many) : ""});
  }

  // ---- Words.

  /// "$500", "24h", "50M tokens", "rank 64".
  bool take_figure() {
    const std::string word = without_signs(words_[at_]);
    const auto put_used = [&](std::string_view option, const std::string& value, std::size_t used) {
      put(std::string(option), value);
      at_ += used;
      return true;
    };
    if (word.find('$') != word.npos && read_value(word, dollars_kind()).value) {
      return put_used("--budget", word, 1);
    }
    if (const auto lead = value_in_table(kLeads, letters_at(at_));
        !lead.empty() && at_ + 1 < words_.size()) {
      const QuestionWord* option = question_word(lead);
      const std::string next = without_signs(words_[at_ + 1]);
      if (option != nullptr && is_digit(next.front()) && is_read(*option, next)) {
        return put_used(lead, next, 2);
      }
    }
    if (word.empty() || !is_digit(word.front())) return false;
    if (const auto unit = value_in_table(kUnits, letters_at(at_ + 1)); !unit.empty()) {
      const std::string value = unit == "--deadline" ? word + letters_at(at_ + 1) : word;
      const bool read = is_read(*question_word(unit), value);
      const bool card = unit == "--gpus" && means_.card_at(words_, at_, words_[at_]) > 0;
      if (read && !card) return put_used(unit, value, 2);
    }
    if (is_digit(word.back())) return false;
    if (read_value(word, hours_kind()).value) return put_used("--deadline", word, 1);
    const std::string small = small_letters(word);
    if (small.ends_with("gb") || small.ends_with("gib")) return put_used("--vram", word, 1);
    return false;
  }

  /// "8 h100", "4 x L40S", "2xA100", "h100 x8", "single 4090".
  bool take_cards() {
    const std::string in_words = count_in_words(letters_at(at_));
    const std::string count = in_words.empty() ? words_[at_] : in_words;
    if (is_count_word(count) && (!in_words.empty() || means_.card_at(words_, at_, count) == 0)) {
      std::size_t from = at_ + 1;
      if (contains({"x", "×", "*"}, letters_at(from))) ++from;
      const std::size_t used =
          from < words_.size() ? means_.card_at(words_, from, words_[from]) : 0;
      if (used == 0) return false;
      cards_.push_back({joined_words(words_, from, used), count});
      at_ = from + used;
      return true;
    }
    if (means_.is_machine(without_signs(words_[at_]))) {
      cards_.push_back({without_signs(words_[at_++]), ""});
      return true;
    }
    if (models_.empty() && means_.is_model(words_[at_])) return false;
    std::string first = without_signs(words_[at_]);
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
    const std::string next = letters_at(at_);
    if (many == 0 && next.size() > 1 && next.front() == 'x' && is_count_word(next.substr(1))) {
      many = parsed<std::int64_t>(next.substr(1)).value_or(0);
      ++at_;
    }
    cards_.push_back({name, many > 0 ? std::to_string(many) : ""});
    return true;
  }

  /// A method, then a model, of as many words as there are.
  bool take_names() {
    const std::string noun = letters_at(at_);
    if (!value_in_table(kNouns, noun).empty() || !value_in_table(kIntents, noun).empty())
      return false;
    const std::size_t most = std::min(kMostNameWords, words_.size() - at_);
    for (std::size_t count = most; count > 0; --count) {
      std::string name = without_signs(joined_words(words_, at_, count));
      if (means_.is_method(name) || means_.is_ranked(name)) {
        methods_.push_back(name);
        at_ += count;
        return true;
      }
      const bool ends_in_method =
          count > 1 && means_.is_method(without_signs(words_[at_ + count - 1]));
      if (ends_in_method || !is_name(name) || !means_.is_model(name)) continue;
      models_.push_back(single_model(name));
      at_ += count;
      return true;
    }
    return false;
  }

  /// "on" and "is" are in names of models, too, and a count is none.
  static bool is_name(const std::string& word) {
    return word.find_first_of("0123456789/") != word.npos && !is_count_word(word);
  }

  /// Of several that the name fits the newest; the nearest where it fits none.
  std::string single_model(const std::string& name) const {
    try {
      static_cast<void>(means_.models().resolved(name));
    } catch (const InputError& error) {
      const LineWords all = suggested_names(error.what(), name);
      if (!all.empty()) return all.front();
    }
    return name;
  }

  /// The method spelled right; the name as it is where none is near.
  std::string method_meant(const std::string& name) const {
    if (means_.is_method(name) || means_.is_ranked(name)) return name;
    LineWords known;
    for (const MethodFacts& kind : kMethodKinds) known.emplace_back(kind.id);
    const LineWords near = suggested_names(did_you_mean(name, known), name);
    return near.empty() ? name : near.front();
  }

  /// "qwen2.5-7b" of "Qwen/Qwen2.5-7B"; the name as it is where several fit.
  std::string model_id(const std::string& name) const {
    try {
      return means_.models().resolved(name).id;
    } catch (const InputError&) {
      return name;
    }
  }

  bool take_word() {
    const std::string word = letters_at(at_);
    if (contains(kShow, std::string_view(word))) {
      shows_ = true;
    } else if (const auto noun = value_in_table(kNouns, word); shows_ && !noun.empty()) {
      list_ = noun;
    } else if (const auto intent = value_in_table(kIntents, word); !intent.empty()) {
      take_intent(std::string(intent));
    } else if (means_.is_provider(word) && !options_.contains("--provider")) {
      options_["--provider"] = word;
    } else if (!contains(kFillers, std::string_view(word)) && !word.empty() &&
               word.find_first_not_of("-–&+") != word.npos) {
      return false;
    }
    ++at_;
    return true;
  }

  void take_intent(const std::string& intent) {
    const bool lists = contains({"gpus", "models", "prices", "providers", "methods"}, intent);
    if (!lists) {
      intent_ = intent;
    } else if (shows_ || at_ == 0) {
      list_ = intent;
    }
  }

  // ---- Lines.

  static void add(LineWords& words, const LineWords& more) {
    words.insert(words.end(), more.begin(), more.end());
  }

  bool takes(const std::string& option, std::string_view command) const {
    const QuestionWord* word = question_word(option);
    return word != nullptr && std::ranges::any_of(word->commands, [&](std::string_view one) {
             return one == command;
           });
  }

  /// The options that the command takes; the others are left out.
  void add_options(std::string_view command, MeantLine& line) const {
    for (const auto& [name, value] : options_) {
      if (takes(name, command)) {
        add(line.words, {name, value});
      } else {
        line.left_out.push_back(name + " " + value);
      }
    }
    add(line.words, kept_);
    LineWords flags = flags_;
    if (intent_ == "explain" && command == "ask") flags.emplace_back("--explain");
    for (const std::string& flag : flags) {
      const bool known = flag == "--json" || command == "ask";
      if (known && !contains(line.words, flag)) line.words.push_back(flag);
    }
    add(line.left_out, left_out_);
  }

  static void add_cards(const Cards& cards, LineWords& words) {
    if (cards.name.find(' ') == cards.name.npos) {
      words.push_back(cards.count.empty() ? cards.name : cards.count + "x" + cards.name);
    } else {
      add(words, {"--gpu", cards.name});
      if (!cards.count.empty()) add(words, {"--gpus", cards.count});
    }
  }

  MeantLine asked() const {
    const bool explains = intent_ == "explain" && !cards_.empty();
    const std::string command = explains ? "explain" : intent_ == "fits" ? "fits" : "ask";
    MeantLine line;
    if (command != "ask" || words_.front() == "ask") line.words.push_back(command);
    line.words.push_back(models_.front());
    add(line.words, methods_);
    for (const Cards& cards : cards_) {
      const bool counted = !cards.count.empty() || options_.contains("--gpus") || !explains;
      add_cards(counted ? cards : Cards{cards.name, "1"}, line.words);
    }
    add_options(command, line);
    return line;
  }

  /// A line a model, method and card.
  MeantLine swept() const {
    MeantLine line{{"sweep", "--models", join(models_, ",")}, {}};
    if (!methods_.empty()) add(line.words, {"--methods", join(methods_, ",")});
    LineWords names;
    for (const Cards& one : cards_) {
      names.push_back(one.name);
      if (!one.count.empty()) line.left_out.push_back(one.count + " x");
    }
    if (!names.empty()) add(line.words, {"--gpu", join(names, ",")});
    if (!options_.contains("--seq")) add(line.words, {"--seq", "4k"});
    add_options("sweep", line);
    return line;
  }

  MeantLine without_model() const {
    const std::string command = intent_ == "cost" ? "cost" : "fits";
    MeantLine line{{command}, {}};
    if (command == "fits") {
      add(line.words, methods_);
    } else {
      add(line.left_out, methods_);
    }
    for (const Cards& cards : cards_) add_cards(cards, line.words);
    add_options(command, line);
    return line;
  }

  /// Names behind a list choose in it.
  MeantLine listed() const {
    MeantLine line{{list_}, {}};
    if (list_ == "methods") line.words = {"list", "methods"};
    const bool by_card = contains({"prices", "providers"}, list_);
    for (const Cards& cards : cards_) {
      if (by_card) line.words.emplace_back("--gpu");
      line.words.push_back(cards.name);
    }
    for (const std::string& name : models_) {
      (list_ == "models" ? line.words : line.left_out).push_back(model_id(name));
    }
    if (list_ != "methods") add(line.left_out, methods_);
    for (const std::string& word : left_out_) {
      const bool searched = contains({"models", "gpus"}, list_) && !looks_like_option(word);
      (searched ? line.words : line.left_out).push_back(word);
    }
    for (const auto& [name, value] : options_) {
      if (takes(name, "list")) {
        add(line.words, {name, value});
      } else {
        line.left_out.push_back(name + " " + value);
      }
    }
    add(line.words, kept_);
    if (!flags_.empty()) line.words.emplace_back("--json");
    return line;
  }

  LineWords words_;
  const WordMeanings& means_;
  std::size_t at_ = 0;
  LineWords models_, methods_, flags_, kept_, left_out_;
  std::vector<Cards> cards_;
  std::map<std::string, std::string> options_;
  std::string intent_, list_;
  bool shows_ = false;
};

/// The catalog and the sheet that a line names, else the usual ones.
CommonOptions common_in(const LineWords& arguments) {
  CommonOptions options;
  LineWords named;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == "--catalog") named.push_back(arguments[i + 1]);
    if (arguments[i] == "--sheet") options.sheet = arguments[i + 1];
  }
  if (!named.empty()) options.catalog = CatalogLayers(named);
  return options;
}

}  // namespace

std::optional<MeantLine> meant_line(const std::vector<std::string>& arguments) {
  try {
    const CommonOptions options = common_in(arguments);
    const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
    const UsualNames usual = usual_names(options.sheet, options.catalog);
    const WordMeanings means(catalog, usual,
                             [&] { return sheet_sizes(options.sheet, options.catalog); });
    MeantReader reader(split_line(arguments, means), means);
    reader.read();
    return reader.line();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace sizesheet
