// SPDX-License-Identifier: Apache-2.0
#include "cli/said_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "cli/question_table.h"
#include "cli/said_shares.h"
#include "cli/said_words.h"
#include "cli/word_meanings.h"
#include "cli/word_table.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

using SaidWords = std::vector<std::string>;

/// Figures by the word behind them: "20k examples".
constexpr WordPair kUnits[] = {{"token", "--tokens"},
                               {"tokens", "--tokens"},
                               {"tok", "--tokens"},
                               {"toks", "--tokens"},
                               {"example", "--examples"},
                               {"examples", "--examples"},
                               {"samples", "--examples"},
                               {"pairs", "--examples"},
                               {"rows", "--examples"},
                               {"prompts", "--examples"},
                               {"records", "--examples"},
                               {"conversations", "--examples"},
                               {"dialogues", "--examples"},
                               {"documents", "--examples"},
                               {"instructions", "--examples"},
                               {"questions", "--examples"},
                               {"epoch", "--epochs"},
                               {"epochs", "--epochs"},
                               {"passes", "--epochs"},
                               {"runs", "--runs"},
                               {"times", "--runs"},
                               {"jobs", "--runs"},
                               {"h", "--deadline"},
                               {"hr", "--deadline"},
                               {"hour", "--deadline"},
                               {"hours", "--deadline"},
                               {"hrs", "--deadline"},
                               {"day", "--deadline"},
                               {"days", "--deadline"},
                               {"minutes", "--deadline"},
                               {"min", "--deadline"},
                               {"weeks", "--deadline"},
                               {"week", "--deadline"},
                               {"node", kNodes},
                               {"nodes", kNodes},
                               {"servers", kNodes},
                               {"machines", kNodes},
                               {"hosts", kNodes},
                               {"gpus", "--gpus"},
                               {"gpu", "--gpus"},
                               {"cards", "--gpus"},
                               {"accelerators", "--gpus"},
                               {"usd", "--budget"},
                               {"dollars", "--budget"},
                               {"bucks", "--budget"},
                               {"gb", "--vram"},
                               {"gib", "--vram"},
                               {"context", "--seq"},
                               {"ctx", "--seq"},
                               {"sequences", "--seq"},
                               {"sequence", "--seq"},
                               {"month", kLifeYears},
                               {"months", kLifeYears},
                               {"step", kStepCount},
                               {"steps", kStepCount},
                               {"iterations", kStepCount},
                               {"generations", "--group-size"},
                               {"rollouts", "--group-size"},
                               {"completion", "--completion-length"},
                               {"completions", "--completion-length"},
                               {"response", "--completion-length"},
                               {"responses", "--completion-length"},
                               {"year", kLifeYears},
                               {"years", kLifeYears}};

/// Figures by the word before them: "rank 64".
constexpr WordPair kLeads[] = {{"rank", "--rank"},
                               {"r", "--rank"},
                               {"seq", "--seq"},
                               {"context", "--seq"},
                               {"ctx", "--seq"},
                               {"length", "--seq"},
                               {"seqlen", "--seq"},
                               {"len", "--seq"},
                               {"max-len", "--seq"},
                               {"max-length", "--seq"},
                               {"maxlen", "--seq"},
                               {"seq-len", "--seq"},
                               {"max-seq-len", "--seq"},
                               {"max-seq", "--seq"},
                               {"window", "--seq"},
                               {"epochs", "--epochs"},
                               {"tokens", "--tokens"},
                               {"examples", "--examples"},
                               {"budget", "--budget"},
                               {"under", "--budget"},
                               {"below", "--budget"},
                               {"vram", "--vram"},
                               {"batch", "--micro-batch"},
                               {"microbatch", "--micro-batch"},
                               {"global-batch", "--global-batch"},
                               {"headroom", "--headroom"},
                               {"group", "--group-size"},
                               {"group-size", "--group-size"},
                               {"accumulation", "--grad-accum"},
                               {"grad-accum", "--grad-accum"}};

/// Words between a figure and its unit: "60k preference pairs".
constexpr std::array<std::string_view, 18> kBetween = {
    "preference", "training", "instruction", "chat", "labelled", "labeled",
    "data",       "sft",      "dpo",         "more", "total",    "new",
    "short",      "long",     "user",        "x",    "of",       "token"};

constexpr WordPair kThousands[] = {{"thousand", "k"}, {"million", "M"}, {"millions", "M"},
                                   {"milion", "M"},   {"mln", "M"},     {"mio", "M"},
                                   {"mil", "M"},      {"billion", "B"}, {"billions", "B"},
                                   {"bilion", "B"},   {"bn", "B"}};

bool reads_as(std::string_view option, const std::string& value) {
  const QuestionWord* word = question_word(option);
  return word != nullptr && word->kind != nullptr && read_value(value, *word->kind()).value;
}

/// Whether the words say "a month", "per month", "monthly", "/month" from a place on: how many do.
std::size_t month_at(const SaidWords& words, std::size_t at) {
  const std::string first = letters_at(words, at);
  if (contains({"monthly", "/month", "p.m.", "pm"}, first)) return 1;
  const bool each = contains({"a", "per", "each", "every", "/"}, first);
  return each && contains({"month", "mo"}, letters_at(words, at + 1)) ? 2 : 0;
}

/// "every week", "per day", "weekly" from a place on: the runs per month, and how many words say
/// it; no words where nothing does.
std::pair<double, std::size_t> rhythm_at(const SaidWords& words, std::size_t at) {
  const std::string first = letters_at(words, at);
  if (first.ends_with("ly") && times_per_month(first) > 0) return {times_per_month(first), 1};
  const double often = times_per_month(letters_at(words, at + 1));
  const bool each = contains({"a", "per", "each", "every", "/", "next", "this"}, first);
  return each && often > 0 ? std::pair{often, std::size_t{2}} : std::pair{0.0, std::size_t{0}};
}

/// "every week", "weekly", "once a day", "twice per month".
std::optional<SaidFigure> rhythm_of(const SaidWords& words, std::size_t at) {
  const std::string first = letters_at(words, at);
  const double times = first == "once" ? 1 : first == "twice" ? 2 : 0;
  const std::size_t from = times > 0 ? at + 1 : at;
  const auto [often, used] = rhythm_at(words, from);
  const bool repeats = times > 0 || contains({"every", "each"}, first) || used == 1;
  const bool clear = times > 0 || often > 1;  // "every month" is said of costs, too
  if (used == 0 || !repeats || !clear) return std::nullopt;
  return SaidFigure{"--runs", runs_text(std::max(times, 1.0) * often), from - at + used};
}

/// "per hour", "/hr", "hourly" from a place on.
std::size_t hour_at(const SaidWords& words, std::size_t at) {
  const std::string first = letters_at(words, at);
  if (contains({"hourly", "/hour", "/h", "/hr"}, first)) return 1;
  const bool each = contains({"a", "an", "per", "/"}, first);
  return each && contains({"hour", "h", "hr", "gpu-hour"}, letters_at(words, at + 1)) ? 2 : 0;
}

/// "$500", "$2.49/h", "$3 per hour".
std::optional<SaidFigure> dollars_at(const SaidWords& words, std::size_t at,
                                     const std::string& word) {
  if (word.find('$') == word.npos) return std::nullopt;
  if (read_value(word, dollars_kind()).value) {
    const std::size_t hourly = hour_at(words, at + 1);
    const std::string option = hourly > 0 ? "--rent" : "--budget";
    return SaidFigure{option, word, 1 + hourly};
  }
  if (read_value(word, rate_kind()).value) return SaidFigure{"--rent", word, 1};
  return std::nullopt;
}

/// "2.49/hr": dollars, as all money is.
std::optional<SaidFigure> hourly_at(const std::string& word) {
  const bool rate = word.find('/') != word.npos && read_value(word, rate_kind()).value.has_value();
  return rate ? std::optional(SaidFigure{"--rent", word, 1}) : std::nullopt;
}

/// "in a week", "under a day", from the article on.
std::optional<SaidFigure> span_at(const SaidWords& words, std::size_t at) {
  constexpr WordPair kSpans[] = {{"hour", "1h"}, {"day", "24h"}, {"week", "7d"}, {"month", "30d"}};
  if (at == 0 || !contains({"a", "an", "one"}, letters_at(words, at))) return std::nullopt;
  if (!contains({"in", "under", "within", "than", "inside", "of", "below"},
                letters_at(words, at - 1)))
    return std::nullopt;
  const auto span = meant_in(kSpans, letters_at(words, at + 1));
  if (span.empty()) return std::nullopt;
  return SaidFigure{"--deadline", std::string(span), 2};
}

/// "--global-batch" of "global batch", "--micro-batch" of "micro batch"; "" of other words.
std::string_view batch_named(const std::string& first, const std::string& next) {
  constexpr WordPair kBatches[] = {{"global", "--global-batch"},
                                   {"effective", "--global-batch"},
                                   {"total", "--global-batch"},
                                   {"micro", "--micro-batch"},
                                   {"per-device", "--micro-batch"}};
  return next == "batch" ? meant_in(kBatches, first) : std::string_view();
}

/// "rank 64", "context of 8k", "batch size 4", "global batch 256", "rank=64".
std::optional<SaidFigure> led_at(const SaidWords& words, std::size_t at) {
  const std::string first = letters_at(words, at);
  const std::size_t sign = first.find('=');
  if (sign != first.npos && !first.starts_with('-')) {
    const auto option = meant_in(kLeads, first.substr(0, sign));
    const std::string value = first.substr(sign + 1);
    if (reads_as(option, value)) return SaidFigure{std::string(option), value, 1};
  }
  const auto named = batch_named(first, letters_at(words, at + 1));
  const auto option = named.empty() ? meant_in(kLeads, first) : named;
  if (option.empty()) return std::nullopt;
  std::size_t next = at + (named.empty() ? 1 : 2);
  while (next < at + 4 && contains({"of", "size", "length", "len", "is", "=", ":", "window", "to"},
                                   letters_at(words, next))) {
    ++next;
  }
  const std::string value = next < words.size() ? without_signs(words[next]) : "";
  if (value.empty() || !is_digit(value.front()) || !reads_as(option, value)) return std::nullopt;
  // "under 24 hours" is a deadline, "under 500" is money.
  const bool limit = contains({"under", "below"}, first);
  const bool unit = limit && (is_unit(letters_at(words, next + 1)) || !is_count_word(value));
  const bool unlike = option.ends_with("-batch") && !is_count_word(value);
  if (unit || unlike) return std::nullopt;
  return SaidFigure{first == "batch" ? kBatch : std::string(option), value, next + 1 - at};
}

/// "40 hours a week", from the words behind the hours on: hours of use per month.
std::optional<SaidFigure> hours_of_use(const SaidWords& words, std::size_t at,
                                       const std::string& value, const std::string& unit) {
  const auto [often, used] = rhythm_at(words, at);
  const auto hours = read_value(value, number_kind()).value;
  if (used == 0 || !hours || !unit.starts_with('h')) return std::nullopt;
  return SaidFigure{"--hours", shortest(std::round(*hours * often)), used};
}

/// "long", "per example", "completion" behind a number of tokens: they are a length, and no run.
std::optional<SaidFigure> length_at(const SaidWords& words, std::size_t at,
                                    const std::string& value) {
  const std::string word = letters_at(words, at);
  if (contains({"completion", "completions", "response", "responses"}, word)) {
    return SaidFigure{"--completion-length", value, 1};
  }
  const bool long_ones =
      contains({"long", "context", "sequence", "sequences", "seq", "length"}, word);
  const bool each = contains({"each", "apiece"}, word) ||
                    (contains({"per", "an"}, word) &&
                     contains({"example", "sample", "row", "pair"}, letters_at(words, at + 1)));
  if (long_ones && reads_as("--seq", value)) return SaidFigure{"--seq", value, 1};
  if (!each || !reads_as("--mean-length", value)) return std::nullopt;
  return SaidFigure{"--mean-length", value, word == "per" ? std::size_t{2} : std::size_t{1}};
}

/// A figure and its unit.
struct UnitSaid {
  std::string value;       ///< "10M" of "10 million"
  std::string_view unit;   ///< the option, or one of our names
  std::string said;        ///< "hours"
  std::size_t behind = 0;  ///< the place behind them
};

/// "10 million tokens", "60k preference pairs"; no unit where none is behind the figure.
UnitSaid unit_at(const SaidWords& words, std::size_t at, std::string value) {
  std::size_t next = at + 1;
  if (const auto thousands = meant_in(kThousands, letters_at(words, next)); !thousands.empty()) {
    value += thousands;
    ++next;
  }
  auto unit = meant_in(kUnits, letters_at(words, next));
  const bool parted = std::ranges::find(kBetween, letters_at(words, next)) != kBetween.end();
  const auto behind = parted ? meant_in(kUnits, letters_at(words, next + 1)) : std::string_view();
  if (!behind.empty() && (unit.empty() || letters_at(words, next) == "token")) {
    unit = behind;
    ++next;
  }
  return {value, unit, letters_at(words, next), next + 1};
}

/// "36 hours", "300 hours a month".
std::optional<SaidFigure> hours_at(const SaidWords& words, std::size_t at, const UnitSaid& one) {
  const std::size_t used = one.behind - at;
  const std::size_t month = month_at(words, one.behind);
  if (month > 0) {
    return SaidFigure{"--hours", one.value + (one.said.starts_with('d') ? "d" : ""), used + month};
  }
  if (const auto often = hours_of_use(words, one.behind, one.value, one.said)) {
    return SaidFigure{"--hours", often->value, used + often->used};
  }
  const std::string value = one.value + (one.said == "min" ? "m" : one.said);
  if (!reads_as(one.unit, value)) return std::nullopt;
  return SaidFigure{std::string(one.unit), value, used};
}

/// "12 runs", "20 jobs per month".
std::optional<SaidFigure> runs_at(const SaidWords& words, std::size_t at, const UnitSaid& one) {
  const auto [often, more] = rhythm_at(words, one.behind);
  const auto runs = read_value(one.value, number_kind()).value;
  if ((one.said != "runs" && more == 0) || !runs || !reads_as(one.unit, one.value)) {
    return std::nullopt;
  }
  const std::size_t used = one.behind - at;
  if (more == 0) return SaidFigure{kRuns, one.value, used};
  return SaidFigure{"--runs", runs_text(*runs * often), used + more};
}

/// "2 years", "18 months", "2 nodes", "1000 steps": what no option of ours takes.
std::optional<SaidFigure> of_our_name(std::size_t at, const UnitSaid& one) {
  const std::size_t used = one.behind - at;
  if (one.unit == kLifeYears) {
    const std::string years =
        one.said.starts_with("month") ? years_of_months(one.value) : one.value;
    if (!read_value(years, number_kind()).value) return std::nullopt;
    return SaidFigure{kLifeYears, years, used};
  }
  const auto count = read_value(one.value, tokens_kind()).value;
  if (!count || (one.unit != kStepCount && !is_count_word(one.value))) return std::nullopt;
  const std::string value = one.unit == kStepCount ? shortest(*count) : one.value;
  return SaidFigure{std::string(one.unit), value, used};
}

/// Whether the words say "per epoch" from a place on.
bool says_per_epoch(const SaidWords& words, std::size_t at) {
  return contains({"per", "each", "an", "every"}, letters_at(words, at)) &&
         letters_at(words, at + 1) == "epoch";
}

/// "1.5 days", "20k examples", "300 hours a month", "2 years".
std::optional<SaidFigure> with_unit(const SaidWords& words, std::size_t at,
                                    const std::string& said) {
  const UnitSaid one = unit_at(words, at, said);
  if (one.unit.empty()) return std::nullopt;
  std::string value = one.value;
  std::size_t used = one.behind - at;
  // "max-len 4096 epochs 2": the second figure is of the word between them, but in
  // "5 epochs 10 million tokens" each has its own.
  const bool of_next =
      is_count_word(letters_at(words, one.behind)) && !is_unit(letters_at(words, one.behind + 1));
  if (one.unit == "--epochs" && of_next) return std::nullopt;
  if (contains({kLifeYears, kNodes, kStepCount}, one.unit)) return of_our_name(at, one);
  if (one.unit == "--deadline") return hours_at(words, at, one);
  if (one.unit == "--runs") return runs_at(words, at, one);
  if (one.unit == "--tokens") {
    if (const auto length = length_at(words, one.behind, value)) {
      return SaidFigure{length->option, value, used + length->used};
    }
  }
  if (contains({"--tokens", "--examples"}, one.unit) && says_per_epoch(words, one.behind))
    used += 2;
  if (one.unit == "--vram") value += one.said;
  if (one.unit == "--seq" && is_count_word(value) && value.size() < 3) return std::nullopt;
  if (!reads_as(one.unit, value)) return std::nullopt;
  // "8 completions" are a group, "2048 completions" are as long as that.
  constexpr std::size_t kDigitsOfGroup = 2;
  const bool group =
      one.unit == "--completion-length" && is_count_word(value) && value.size() <= kDigitsOfGroup;
  return SaidFigure{group ? "--group-size" : std::string(one.unit), value, used};
}

}  // namespace

double times_per_month(std::string_view word) {
  constexpr double kDays = 730.0 / 24;
  if (contains({"day", "daily"}, word)) return kDays;
  if (contains({"week", "weekly"}, word)) return kDays / 7;
  if (contains({"month", "mo", "monthly"}, word)) return 1;
  if (contains({"quarter", "quarterly"}, word)) return 1.0 / 3;
  if (contains({"year", "yearly"}, word)) return 1.0 / 12;
  return 0;
}

std::string runs_text(double runs) { return shortest(std::round(runs * 10) / 10); }

bool is_unit(const std::string& word) {
  return !meant_in(kUnits, word).empty() || !meant_in(kThousands, word).empty();
}

std::string hours_of_clock(const std::string& text) {
  if (text.find(':') == text.npos) return text;  // "2025-06" is a month
  const std::size_t dash = text.find('-');
  const std::string days = dash == text.npos ? "0" : text.substr(0, dash);
  const SaidWords parts = split(dash == text.npos ? text : text.substr(dash + 1), ':');
  const bool figures = is_count_word(days) && std::ranges::all_of(parts, is_count_word);
  if (!figures || parts.size() > 3 || (dash == text.npos && parts.size() < 3)) return text;
  const auto number = [](const std::string& one) { return parsed<double>(one).value_or(0); };
  double hours = number(days) * 24 + number(parts[0]);
  if (parts.size() > 1) hours += number(parts[1]) / 60;
  if (parts.size() > 2) hours += number(parts[2]) / 3600;
  return shortest(hours) + "h";
}

std::string years_of_months(const std::string& text) {
  const ReadValue months = read_value(text, number_kind());
  constexpr double kDigits = 1e4;
  const bool some = months.value && *months.value > 0;
  return some ? shortest(std::round(*months.value / 12 * kDigits) / kDigits) : "";
}

std::optional<SaidFigure> figure_at(const SaidWords& words, std::size_t at) {
  const std::string word = without_signs(words[at]);
  if (auto share = share_at(words, at)) return share;
  if (auto dollars = dollars_at(words, at, word)) return dollars;
  if (auto led = led_at(words, at)) return led;
  if (auto often = rhythm_of(words, at)) return often;
  const std::string counted = count_in_words(small_letters(word));
  if (auto span = span_at(words, at)) return span;
  const bool figure = !word.empty() && is_digit(word.front());
  if (!figure && (counted.empty() || !is_unit(letters_at(words, at + 1)))) return std::nullopt;
  if (auto hourly = hourly_at(word)) return hourly;
  const std::string value = figure ? word : counted;
  if (auto unit = with_unit(words, at, value)) return unit;
  if (is_digit(word.back())) {
    const std::string clock = hours_of_clock(word);
    if (clock == word) return std::nullopt;
    return SaidFigure{"--deadline", clock, 1};
  }
  if (read_value(word, hours_kind()).value) {
    const std::size_t month = month_at(words, at + 1);
    return SaidFigure{month > 0 ? "--hours" : "--deadline", word, 1 + month};
  }
  // "50M" is of tokens; "8B" may be of parameters.
  if ((word.ends_with('M') || word.ends_with('m')) && reads_as("--tokens", word)) {
    return SaidFigure{"--tokens", word, 1};
  }
  const std::string small = small_letters(word);
  if (contains({"1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k"}, small)) {
    return SaidFigure{"--seq", small, 1};
  }
  if (read_value(small, memory_kind()).value && small.find_first_of("gt") != small.npos) {
    return SaidFigure{"--vram", word, 1};
  }
  return std::nullopt;
}

}  // namespace sizesheet
