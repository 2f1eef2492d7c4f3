// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "cli/foreign_words.h"
#include "cli/line_reading.h"
#include "cli/meant_cards.h"
#include "cli/meant_names.h"
#include "cli/meant_options.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr std::string_view kShowVerb = "list";

/// Whether all words so far say nothing.
bool nothing_yet(const LineReading& line) {
  return line.parts.models.empty() && line.parts.methods.empty() && line.parts.cards.empty() &&
         line.parts.options.empty() && line.parts.intent.empty();
}

void take_intent(LineReading& line, const std::string& intent) {
  if (!is_list(intent)) {
    // Why something does not fit is explained.
    const bool weaker = intent == "ask" || (intent == "fits" && line.parts.intent == "explain") ||
                        (intent == "compare" && line.parts.intent == "cost");  // "buy vs rent"
    if (!weaker || line.parts.intent.empty()) line.parts.intent = intent;
    if (intent == "changes") line.parts.said_changes = line.words[line.at];
    const bool paid = contains({"cost", "costs"}, line.letters(line.at));
    if (intent == "cost" && !paid) line.parts.owns = true;
  } else if (line.parts.shows || line.at == 0) {
    if (line.parts.list.empty()) line.parts.list = intent;
  } else if (intent == "prices" || intent == "providers") {
    line.parts.asks_price = true;
    if (intent == "providers") line.parts.intent = intent;
  }
}

/// "adafactor", "8-bit adamw", "adamw 8bit"; plain AdamW is what a stack has anyway.
bool take_optimizer(LineReading& line, const std::string& word) {
  const auto eight = [](const std::string& one) {
    return contains({"8bit", "8-bit", "int8"}, one);
  };
  const auto adam = [](const std::string& one) { return contains({"adam", "adamw"}, one); };
  const std::string next = line.letters(line.at + 1);
  const bool two = (eight(word) && adam(next)) || (adam(word) && eight(next));
  const bool one = contains({"adamw8bit", "adamw-8bit", "adamw_8bit", "adamw_bnb_8bit"}, word);
  const std::string optimizer = two || one ? "adamw-8bit" : word == "adafactor" ? word : "";
  if (optimizer.empty()) return false;
  line.parts.request["optimizer"] = optimizer;
  line.parts.requested.push_back(joined_words(line.words, line.at, two ? 2 : 1));
  line.at += two ? 2 : 1;
  return true;
}

/// "offload", "zero3": a key of a request, which `explain` takes; "0.30/kWh" one of `cost`.
bool take_request_word(LineReading& line, const std::string& word) {
  if (take_optimizer(line, word)) return true;
  constexpr std::array<std::array<std::string_view, 3>, 10> kKeys = {
      {{"offload", "layout.offload", "optimizer"},
       {"offloading", "layout.offload", "optimizer"},
       {"ddp", "layout.shard", "none"},
       {"zero1", "layout.shard", "zero1"},
       {"zero2", "layout.shard", "zero2"},
       {"zero3", "layout.shard", "zero3"},
       {"zero-1", "layout.shard", "zero1"},
       {"zero-2", "layout.shard", "zero2"},
       {"zero-3", "layout.shard", "zero3"},
       {"fp8", "kernels.precision", "fp8"}}};
  constexpr std::string_view kPower = "/kwh";
  if (word == "cpu" && line.letters(line.at + 1).starts_with("offload")) {
    ++line.at;
    return true;
  }
  const bool apart =
      read_value(word, number_kind()).value && line.letters(line.at + 1).ends_with(kPower);
  if (word.ends_with(kPower) || apart) {
    std::string amount = apart ? word : word.substr(0, word.size() - kPower.size());
    const std::string unit = apart ? line.letters(line.at + 1) : "";
    if (apart) ++line.at;
    if (!unit.empty() && unit != kPower && !contains({"usd/kwh", "$/kwh", "dollars/kwh"}, unit)) {
      line.parts.notes.push_back(amount + " per kWh is taken as dollars: all money is in dollars");
    }
    std::erase(amount, '$');
    const auto dollars = read_value(amount, number_kind()).value;
    if (!dollars) return false;
    line.parts.cost_request["usd_per_kwh"] = *dollars;
    line.parts.cost_requested.push_back(line.words[line.at++]);
    return true;
  }
  for (const auto& [said, key, value] : kKeys) {
    if (word != said) continue;
    const std::string kept(value);
    set_dotted(line.parts.request, std::string(key), kept);
    const bool other = key == "layout.shard" && !contains(line.parts.shards, kept);
    if (other) line.parts.shards.push_back(kept);
    line.parts.requested.push_back(line.words[line.at++]);
    return true;
  }
  return false;
}

/// "reserved 3 years", "1 year reserved": a tier, and no life of a machine.
void take_term(LineReading& line) {
  const auto behind =
      line.at + 1 < line.words.size() ? figure_at(line.words, line.at + 1) : std::nullopt;
  const bool next = behind && behind->option == kLifeYears;
  const std::string years = next ? behind->value : line.parts.life_years;
  const double many = parsed<double>(years).value_or(0);
  const std::string term = many > 1 ? "3 years" : "1 year";
  if (many != 1 && many != 3) line.parts.notes.push_back("reserved is taken as " + term);
  line.parts.options["--tier"] = term;
  line.parts.life_years.clear();
  if (next) line.at += behind->used;
}

/// "tomorrow", "a weekend".
bool take_span(LineReading& line, const std::string& word) {
  const bool weekend = contains({"weekend", "weekends"}, word);
  if (!weekend && word != "tomorrow") return false;
  line.parts.options["--deadline"] = weekend ? "48h" : "24h";
  line.parts.notes.emplace_back(weekend ? "a weekend is 48 hours"
                                        : "\"tomorrow\" is taken as 24 hours");
  return true;
}

/// "by friday": the day of the question is not known, so the hours have to be said.
bool take_weekday(LineReading& line, const std::string& word) {
  if (!contains({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"},
                word)) {
    return false;
  }
  line.parts.left_out.push_back(line.words[line.at]);
  line.parts.notes.emplace_back("a deadline is in hours or days: --deadline 4d");
  return true;
}

/// Money of another currency, which nothing is counted in.
bool take_other_money(LineReading& line, const std::string& word) {
  const bool sign = word.find("€") != word.npos || word.find("£") != word.npos;
  if (!sign && !contains({"euro", "euros", "eur", "pounds", "yen"}, word)) return false;
  line.parts.left_out.push_back(line.words[line.at]);
  line.parts.notes.push_back(std::string("all money is in dollars") +
                             (sign ? ": --budget 500" : ""));
  return true;
}

/// "00" of "$500", "k" of "$2k": what the shell leaves of an amount.
bool is_lost_amount(const LineReading& line, const std::string& word) {
  const bool zeros = !word.empty() && word.find_first_not_of('0') == word.npos;
  const std::string before = line.at > 0 ? line.letters(line.at - 1) : "";
  return zeros || (contains({"k", "m"}, word) && contains({"budget", "under", "below"}, before));
}

/// "budget k", or "00" alone.
void leave_out_amount(LineReading& line) {
  std::vector<std::string>& limits = line.parts.bare_limits;
  const bool named = line.at > 0 && !limits.empty() && line.letters(line.at - 1) == limits.back();
  line.parts.left_out.push_back((named ? limits.back() + " " : "") + line.words[line.at]);
  if (named) limits.pop_back();
}

/// "excluding runpod", "on 8": a word that says what the next ones are.
bool take_preposition(LineReading& line, const std::string& word) {
  if (contains({"excluding", "except", "exclude", "without", "not", "avoid"}, word)) {
    return leave_out_sellers(line);
  }
  return contains({"on", "across", "with", "using"}, word) && take_lone_count(line);
}

/// "save … report.json": the file of an answer. Without such a verb the word is a config.
bool take_saved_file(LineReading& line, const std::string& word) {
  if (contains({"save", "export", "report", "dump"}, word) && nothing_yet(line)) {
    line.parts.saves = true;
    if (word == "export") return false;  // it is a verb, too
    ++line.at;
    return true;
  }
  const bool csv = word.ends_with(".csv");
  const bool json = word.ends_with(".json");
  if (!line.parts.saves || (!csv && !json) || !line.parts.file.empty()) return false;
  line.parts.file = line.words[line.at++];
  line.parts.csv = csv;
  if (json) line.parts.flags.emplace_back("--json");
  return true;
}

/// "rtx 2080", "radeon 7900 xtx": a card that the catalog lacks. Names that it has are read before.
bool take_unknown_card(LineReading& line, const std::string& word) {
  if (!contains({"rtx", "gtx", "geforce", "radeon", "quadro", "arc", "titan"}, word)) return false;
  std::size_t end = line.at + 1;
  const auto goes_on = [&](const std::string& next) {
    return std::ranges::any_of(next, is_digit) ||
           contains({"ti", "super", "xt", "xtx", "rtx", "gtx", "ada", "laptop", "mobile"}, next);
  };
  while (end < line.words.size() && end < line.at + 4 && goes_on(line.letters(end))) ++end;
  const std::string name = joined_words(line.words, line.at, end - line.at);
  line.parts.left_out.push_back(name);
  line.parts.notes.push_back("the catalog has no " + name +
                             ": say its memory, as in sizesheet fits 8GB llama-3.1-8b qlora");
  line.at = end;
  return true;
}

}  // namespace

bool take_word(LineReading& line) {
  const std::string word = line.letters(line.at);
  const std::string_view meant = command_meant(word);
  // "log" and "generate" are verbs of other sentences, too.
  const bool first = line.at == 0 || !contains({"build", "record"}, meant);
  const std::string_view intent = first ? meant : std::string_view();
  if (intent == "help" &&
      line.letters(line.at + 1) == "me") {  // "help me choose a GPU" is a question
    line.at += 2;
    return true;
  }
  if (take_request_word(line, word) || take_saved_file(line, word)) return true;
  if (take_unknown_card(line, word)) return true;
  if (intent == kShowVerb || intent == "help") {
    const bool asks =
        line.at == 0 || !contains({"i", "we", "to", "you", "can"}, line.letters(line.at - 1));
    line.parts.shows = line.parts.shows || (asks && nothing_yet(line));
    if (intent == "help" && line.at == 0) line.parts.intent = "help";
  } else if (const auto noun = list_of_noun(word); line.parts.shows && !noun.empty()) {
    if (line.parts.list.empty()) line.parts.list = noun;
  } else if (!intent.empty()) {
    take_intent(line, std::string(intent));
  } else if (contains({"spot", "preemptible", "interruptible"}, word)) {
    line.parts.options["--tier"] = "spot";
  } else if (contains({"reserved", "committed"}, word)) {
    take_term(line);
  } else if (contains({"on-demand", "ondemand"}, word)) {
    line.parts.options["--tier"] = "on_demand";
  } else if (contains({"budget", "deadline"}, word)) {
    line.parts.bare_limits.push_back(word);
  } else if (is_lost_amount(line, word)) {
    leave_out_amount(line);
    line.parts.notes.emplace_back(
        "the shell reads \"$5\" of \"$500\" as a variable: write the amount without \"$\" "
        "behind --budget");
  } else if (contains({"ppo", "rloo", "dapo"}, word)) {
    line.parts.methods.emplace_back("grpo");
    line.parts.request["grpo"]["algorithm"] = word;
    line.parts.requested.push_back(word);
  } else if (contains({"fastest", "quickest", "faster"}, word)) {
    line.parts.left_out.push_back(line.words[line.at]);
    line.parts.notes.emplace_back("for a faster run, say --deadline 5h");
  } else if (take_preposition(line, word)) {
    return true;
  } else if (contains({"dgx", "hgx"}, word) &&
             line.means.card_at(line.words, line.at + 1, line.next_word()) > 0) {
    line.parts.notes.push_back("a " + line.words[line.at] + " has 8 GPUs");
    return take_counted_cards(line, "8");
  } else if (contains({"fewest", "minimum", "min", "minimal", "least"}, word)) {
    line.parts.asks_fewest = true;
  } else if (!take_other_money(line, word) && !take_span(line, word) && !take_weekday(line, word) &&
             !is_filler(word)) {
    return false;
  }
  ++line.at;
  return true;
}

bool take_phrase(LineReading& line) {
  const std::string word = line.letters(line.at);
  const std::string next = line.letters(line.at + 1);
  if (contains({"what's", "whats"}, word) && next == "new") {
    line.parts.intent = "changes";
    line.parts.said_changes = joined_words(line.words, line.at, 2);
    line.at += 2;
    return true;
  }
  const bool most =
      contains({"biggest", "largest", "longest", "max", "maximum", "which", "what"}, word);
  std::size_t noun = line.at + 1;
  if (most && contains({"possible", "micro", "sequence", "context", "seq", "batch", "size", "kind",
                        "of", "llm"},
                       line.letters(noun))) {
    while (noun < line.at + 4 && contains({"possible", "micro", "kind", "of"}, line.letters(noun)))
      ++noun;
  }
  if (most && contains({"model", "models", "llm", "llms"}, line.letters(noun))) {
    line.parts.asks_what_fits = true;
    line.at = noun + 1;
    return true;
  }
  const bool length = contains({"sequence", "context", "seq", "batch", "micro-batch", "window"},
                               line.letters(noun));
  if (most && !contains({"which", "what"}, word) && length) {
    line.parts.asks_what_fits = true;
    line.at = noun + 1;
    while (contains({"length", "len", "size", "window"}, line.letters(line.at))) ++line.at;
    return true;
  }
  const bool can = contains({"what", "anything"}, word) && next == "can";
  const bool whom = contains({"i", "we", "you", "one"}, line.letters(line.at + 2));
  const bool what = can && whom &&
                    contains({"train", "fine-tune", "finetune", "tune", "run", "do", "get", "fit",
                              "qlora", "lora"},
                             line.letters(line.at + 3));
  if (what) {
    line.parts.asks_what_fits = true;
    line.at += line.means.is_method(line.letters(line.at + 3)) ? 3 : 4;
    return true;
  }
  if (word == "where" && contains({"can", "to", "do", "could", "should"}, next)) {
    line.parts.asks_price = true;
    ++line.at;
    return true;
  }
  const bool hourly =
      contains({"per", "an", "a", "/"}, word) && contains({"hour", "hr", "gpu-hour"}, next);
  if (hourly || contains({"cheapest", "cheap", "cheaper", "hourly", "price", "priced"}, word)) {
    line.parts.asks_price = true;
    line.parts.asks_cheapest = line.parts.asks_cheapest || word == "cheapest";
    if (hourly) ++line.at;
    if (word == "price" && line.parts.shows) line.parts.list = "prices";
    ++line.at;
    return true;
  }
  return false;
}

}  // namespace sizesheet
