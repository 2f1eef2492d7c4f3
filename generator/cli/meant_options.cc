// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_options.h"

#include <algorithm>

#include "catalog/facts/method.h"
#include "cli/cloud_machines.h"
#include "cli/foreign_words.h"
#include "cli/meant_stacks.h"
#include "cli/near_lines.h"
#include "cli/near_models.h"
#include "cli/question_table.h"
#include "cli/said_figures.h"
#include "cli/said_words.h"
#include "cli/tier_names.h"
#include "cli/word_meanings.h"
#include "cli/word_table.h"
#include "support/error.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// An option of a line and its value.
struct SaidOption {
  std::string said;   ///< as it was typed: "--batch-size"
  std::string name;   ///< ours where another program has it under `said`
  std::string value;  ///< "" where none is said
  const ForeignOption* foreign = nullptr;

  std::string words() const { return said + (value.empty() ? "" : " " + value); }
};

void put_cards(const std::string& value, const WordMeanings& means, MeantParts& parts) {
  for (std::string one : split(value, ',')) {
    one.erase(0, one.find_first_not_of(' '));
    if (contains({"all", "any", "every"}, small_letters(one))) {
      parts.asks_price = parts.asks_cheapest = true;
      continue;
    }
    if (one.empty() || put_counted_machine(one, means, parts)) continue;
    const std::size_t colon = one.find(':');  // "H200:8", as SkyPilot has it
    const std::string behind = colon == one.npos ? "" : one.substr(colon + 1);
    if (is_count_word(behind) && means.gpu_in(one.substr(0, colon))) {
      parts.cards.push_back({one.substr(0, colon), behind});
      continue;
    }
    const bool memory = !means.gpu_in(one) && !is_count_word(one) && is_digit(one.front()) &&
                        read_value(one, memory_kind()).value.has_value();
    if (memory) {
      parts.options["--vram"] = one;
      continue;
    }
    if (means.gpu_in(one) || means.is_machine(one)) {
      parts.cards.push_back({one, ""});
      continue;
    }
    auto [card, many] = parts_of_cards(one);
    card.erase(0, card.find_first_not_of(' '));
    if (const std::string near = many == 0 ? near_card(one, means) : ""; !near.empty()) {
      parts.notes.push_back(in_quotes(one) + " is taken as " + near);
      one = near;
    }
    parts.cards.push_back({many > 0 ? card : one, many > 0 ? std::to_string(many) : ""});
  }
}

/// "4 a100" of "gpu:a100:4", "4" of "gpu:4".
void put_resources(const SaidOption& option, const WordMeanings& means, MeantParts& parts) {
  const std::string rest = option.value.starts_with("gpu:") ? option.value.substr(4) : option.value;
  if (is_count_word(rest)) {
    put_figure("--gpus", rest, parts);
  } else if (!rest.empty() && rest != "gpu") {
    put_cards(rest, means, parts);
  } else {
    parts.left_out.push_back(option.words());
  }
}

/// Machines multiply the cards of one, whichever is said first.
void put_nodes(const SaidOption& option, MeantParts& parts) {
  if (is_count_word(option.value)) {
    parts.options[kNodes] = option.value;
  } else {
    parts.left_out.push_back(option.words());
  }
}

/// A size of the sheet is a model; of another the nearest model is taken.
void put_parameters(const SaidOption& option, const WordMeanings& means, MeantParts& parts) {
  if (means.is_model(option.value)) {
    parts.models.push_back(single_model(option.value, means));
  } else if (is_model_size(option.value)) {
    parts.near_models.push_back({"", option.value});
  } else {
    parts.left_out.push_back(option.words());
  }
}

/// A whole number, a number, or the text itself.
Json value_of_text(const std::string& text) {
  if (is_count_word(text)) return parsed<std::int64_t>(text).value_or(0);
  const auto number = parsed<double>(text);
  return number ? Json(*number) : Json(text);
}

constexpr std::string_view kOffload = "layout.offload";

/// What other programs call values of a request.
constexpr WordPair kRequestValues[] = {{"adamw_8bit", "adamw-8bit"},
                                       {"adamw_bnb_8bit", "adamw-8bit"},
                                       {"adamw8bit", "adamw-8bit"},
                                       {"paged_adamw_8bit", "paged-adamw-8bit"},
                                       {"paged_adamw_32bit", "paged-adamw"},
                                       {"adamw_torch", "adamw"},
                                       {"adamw_torch_fused", "adamw"},
                                       {"cpu", "all"},
                                       {"0", "none"},
                                       {"1", "zero1"},
                                       {"2", "zero2"},
                                       {"3", "zero3"},
                                       {"bfloat16", "bf16"},
                                       {"float16", "fp16"},
                                       {"half", "fp16"},
                                       {"flash_attention_2", "flash"},
                                       {"flash_attention_3", "flash"},
                                       {"sdpa", "flash"}};

/// The value of a key as a request has it: "adamw-8bit" of "adamw_8bit", zero3 of 3.
Json value_of_key(std::string_view key, const std::string& text) {
  const std::string_view meant = meant_in(kRequestValues, small_letters(text));
  const bool number = is_count_word(text) && key != "layout.shard";
  return meant.empty() || number ? value_of_text(text) : Json(std::string(meant));
}

/// A key of a question to `cost`, which takes numbers alone.
void put_cost_key(const SaidOption& option, MeantParts& parts) {
  const std::string digits = option.value.starts_with('$') ? option.value.substr(1) : option.value;
  const Json value = value_of_text(digits);
  if (!value.is_number()) return parts.left_out.push_back(option.words());
  parts.cost_request[std::string(option.foreign->ours)] = value;
  parts.cost_requested.push_back(option.words());
}

/// A key of a request under its path, "kernels.precision"; how to say it where no command is
/// chosen that takes it.
void put_request(const SaidOption& option, MeantParts& parts) {
  Json* object = &parts.request;
  const std::vector<std::string> path = split(std::string(option.foreign->ours), '.');
  for (std::size_t i = 0; i + 1 < path.size(); ++i) object = &(*object)[path[i]];
  // "--offload" alone is of the optimizer and the parameters.
  (*object)[path.back()] =
      option.value.empty() ? Json("all") : value_of_key(option.foreign->ours, option.value);
  parts.requested.push_back(option.words());
}

/// An option of another program that means a word or a figure in another form; false where it takes
/// its value as it is.
bool take_form(const SaidOption& option, const WordMeanings& means, MeantParts& parts) {
  switch (option.foreign->form) {
    case OptionForm::kSame:
    case OptionForm::kForm:
      return false;
    case OptionForm::kClock:
      put_figure("--deadline", hours_of_clock(option.value), parts);
      return true;
    case OptionForm::kDays:
      put_figure("--deadline", option.value + "d", parts);
      return true;
    case OptionForm::kResources:
      put_resources(option, means, parts);
      return true;
    case OptionForm::kNodes:
      put_nodes(option, parts);
      return true;
    case OptionForm::kParameters:
      put_parameters(option, means, parts);
      return true;
    case OptionForm::kUse:
      put_figure(kUseShare, option.value, parts);
      return true;
    case OptionForm::kMonths:
      put_figure(kLifeYears, years_of_months(option.value), parts);
      return true;
    case OptionForm::kRhythm: {
      const double runs = read_value(option.value, number_kind()).value.value_or(0);
      if (runs <= 0) break;
      put_figure("--runs", runs_text(runs * times_per_month(option.foreign->ours)), parts);
      return true;
    }
    case OptionForm::kRequest:
      if (option.value.empty() && option.foreign->ours != kOffload) return false;
      put_request(option, parts);
      return true;
    case OptionForm::kCostKey:
      put_cost_key(option, parts);
      return true;
    case OptionForm::kSteps:
      if (!is_count_word(option.value)) break;
      parts.steps = option.value;
      return true;
    case OptionForm::kWritten:
      put_config_file(option.value, means, parts);
      return true;
    case OptionForm::kSearch:
      parts.left_out.push_back(option.value);  // a list takes it as a word
      return true;
    case OptionForm::kTier:
    case OptionForm::kNone:
      break;
  }
  parts.left_out.push_back(option.words());
  if (!option.foreign->words.empty()) {
    parts.notes.push_back(option.said + ": " + std::string(option.foreign->words));
  }
  return true;
}

/// "us-central1" of the zone "us-central1-a".
std::string region_of_zone(const std::string& zone) {
  const std::size_t dash = zone.rfind('-');
  return dash != zone.npos && dash + 2 == zone.size() ? zone.substr(0, dash) : zone;
}

/// "h100", "h100:8,a100", "p4d.24xlarge" behind an option that takes a count as well.
bool names_cards(const std::string& value, const WordMeanings& means) {
  return means.gpu_in(value.substr(0, value.find_first_of(",:"))) || means.is_machine(value);
}

/// An option of ours with its value.
void put_option(const SaidOption& option, const WordMeanings& means, MeantParts& parts) {
  const QuestionWord* word = question_word(option.name);
  const std::string ours = word != nullptr ? word->name : option.name;
  const bool output = contains({"--output", "--out", "-o"}, option.said);
  const bool file = output && !contains({"json", "csv"}, small_letters(option.value));
  const bool form = output || option.said == "--format";
  if (ours == "--model" || ours == "--models") {
    for (const std::string& one : split(option.value, ',')) {
      const bool known = means.is_model(one);
      const bool near = known || single_model(one, means) != one;
      if (!known && is_model_size(one)) {
        parts.near_models.push_back({"", one});
      } else if (!near && !size_in_name(one).empty()) {
        parts.unknown_model = one;
        parts.left_out.push_back(one);
      } else {
        parts.models.push_back(single_model(one, means));
      }
    }
  } else if (ours == "--method" || ours == "--methods") {
    for (const std::string& one : split(option.value, ',')) {
      parts.methods.push_back(method_meant(one, means));
    }
  } else if (ours == "--gpu" || (ours == "--gpus" && names_cards(option.value, means))) {
    put_cards(option.value, means, parts);
  } else if (form && option.value == "json") {
    parts.flags.emplace_back("--json");
  } else if (form && option.value == "csv") {
    parts.csv = true;
  } else if (form && is_config_wish(option.value, means)) {
    put_config_file(option.value, means, parts);
  } else if (file && option.value.find_first_of("./") != option.value.npos) {
    parts.file = option.value;
    if (option.value.ends_with(".csv")) parts.csv = true;
    if (option.value.ends_with(".json")) parts.flags.emplace_back("--json");
  } else if (contains({"--catalog", "--sheet", "--as-of", "--config"}, option.name)) {
    parts.kept.insert(parts.kept.end(), {option.name, option.value});
  } else if (word != nullptr) {
    const auto before = parts.left_out.size();
    put_figure(ours, option.said == "--zone" ? region_of_zone(option.value) : option.value, parts);
    if (parts.left_out.size() == before) return;
    parts.left_out.back() = option.words();
    if (option.foreign != nullptr && !option.foreign->words.empty()) {
      parts.notes.push_back(option.said + ": " + std::string(option.foreign->words));
    }
  } else {
    parts.left_out.push_back(option.words());
  }
}

/// A flag of another program that is a key of a request.
struct KeyFlag {
  std::string_view name, key, value;
};
constexpr KeyFlag kKeyFlags[] = {{"--bf16", "kernels.precision", "bf16"},
                                 {"--fp16", "kernels.precision", "fp16"},
                                 {"--fsdp", "layout.shard", "zero3"},
                                 {"--gradient-checkpointing", "kernels.recompute", "full"},
                                 {"--no-gradient-checkpointing", "kernels.recompute", "none"},
                                 {"--gradient_checkpointing", "kernels.recompute", "full"},
                                 {"--flash-attn", "kernels.attention", "flash"},
                                 {"--flash_attn", "kernels.attention", "flash"}};

/// "gpus" of "gpus", "gpu" and "cards"; "" of what is no list.
std::string list_meant(const std::string& noun) {
  const std::string_view one = list_of_noun(noun);
  if (!one.empty()) return std::string(one);
  const std::string_view command = command_meant(noun);
  return is_list(command) ? std::string(command) : "";
}

/// "--lora", "--spot", "--json": an option that has no value.
bool take_flag(const std::string& name, const WordMeanings& means, MeantParts& parts) {
  const std::string word = name.substr(name.find_first_not_of('-'));
  const ForeignOption* foreign = foreign_option(name);
  if (contains({"--json", "--explain"}, name)) {
    parts.flags.push_back(name);
  } else if (name == "--csv") {
    parts.csv = true;
  } else if (name.starts_with("--list-") && !list_meant(word.substr(5)).empty()) {
    parts.shows = true;
    parts.list = list_meant(word.substr(5));
  } else if (name == "--use-peft" || name == "--use_peft") {
    if (parts.methods.empty()) parts.methods.emplace_back("lora");
  } else if (const auto* key = std::ranges::find(kKeyFlags, name, &KeyFlag::name);
             key != std::end(kKeyFlags)) {
    set_dotted(parts.request, std::string(key->key), std::string(key->value));
    parts.requested.push_back(name);
  } else if (!tier_of_flag(name).empty()) {
    parts.options["--tier"] = tier_of_flag(name);
  } else if (name.starts_with("--") && question_word(name) == nullptr && foreign == nullptr &&
             word.size() > 1 && means.is_method(word)) {
    parts.methods.push_back(word);
  } else if (name.starts_with("--") && question_word(name) == nullptr && foreign == nullptr &&
             word.size() > 1 && means.gpu_in(word)) {
    parts.cards.push_back({word, ""});
  } else {
    return false;
  }
  return true;
}

constexpr std::size_t kLeastMisspelt = 7;  // "--tpu" is no misspelt "--gpu"

bool is_known(const std::string& name) {
  return question_word(name) != nullptr || foreign_option(name) != nullptr;
}

/// As one of our tables has it: "--sequence_len" is "--sequence-len", "--toknes" is "--tokens".
std::string option_meant(const std::string& said) {
  if (is_known(said) || !said.starts_with("--")) return said;
  std::string dashed = said;
  std::ranges::replace(dashed, '_', '-');
  if (is_known(dashed)) return dashed;
  if (dashed.size() < kLeastMisspelt) return said;
  std::vector<std::string> known;
  for (const QuestionWord& word : question_words()) known.emplace_back(word.name);
  const std::vector<std::string> near = suggested_names(did_you_mean(dashed, known), dashed);
  return near.empty() ? said : near.front();
}

}  // namespace

bool put_counted_machine(const std::string& word, const WordMeanings& means, MeantParts& parts) {
  const auto [name, many] = parts_of_cards(word);
  const bool counted = many > 0 && many <= kMostCounted;
  const auto machine = counted ? cloud_machine(means.catalog(), name) : std::nullopt;
  if (!machine) return false;
  const std::string count = std::to_string(many * machine->gpus);
  parts.cards.push_back({machine->gpu, count});
  if (!machine->provider.empty()) parts.options["--provider"] = machine->provider;
  parts.notes.push_back(word + " is " + count + " × " + machine->gpu);
  return true;
}

std::string near_card(const std::string& word, const WordMeanings& means) {
  if (word.size() < 3 || word.find_first_of("0123456789") == word.npos) return "";
  std::string digits = small_letters(word);  // an O behind a digit is a 0
  for (std::size_t i = 1; i < digits.size(); ++i) {
    if (digits[i] == 'o' && is_digit(digits[i - 1])) digits[i] = '0';
  }
  if (means.gpu_in(digits)) return digits;
  std::vector<std::string> known;
  for (const CalledEntry& gpu : means.gpus()) {
    for (const std::string& name : gpu.names) {
      const std::string first = name.substr(0, name.find_first_of(" -"));
      if (first.find_first_of("0123456789") != first.npos) known.push_back(small_letters(first));
    }
  }
  const std::vector<std::string> near = suggested_names(did_you_mean(word, known), word);
  return near.empty() || !means.gpu_in(near.front()) ? "" : near.front();
}

std::string method_meant(const std::string& name, const WordMeanings& means) {
  if (means.is_method(name) || means.is_ranked(name)) return name;
  std::vector<std::string> known;
  for (const MethodFacts& kind : kMethodKinds) known.emplace_back(kind.id);
  const std::vector<std::string> near = suggested_names(did_you_mean(name, known), name);
  return near.empty() ? name : near.front();
}

std::string single_model(const std::string& name, const WordMeanings& means) {
  try {
    static_cast<void>(means.models().resolved(name));
  } catch (const InputError& error) {
    const std::vector<std::string> all = suggested_names(error.what(), name);
    if (!all.empty()) return all.front();
  }
  return name;
}

namespace {

/// "8", "16", "32" of "8,16,32" and of "8..32"; nothing of what is no list of values of the kind.
std::vector<std::string> values_in(const std::string& text, const ValueKind& kind) {
  std::string list = text;
  if (const std::size_t dots = list.find(".."); dots != list.npos) list.replace(dots, 2, ",");
  std::vector<std::string> values = split(list, ',');
  const bool all = std::ranges::all_of(
      values, [&](const std::string& one) { return read_value(one, kind).value.has_value(); });
  return all && values.size() > 1 ? values : std::vector<std::string>();
}

}  // namespace

void put_figure(const std::string& option, const std::string& value, MeantParts& parts) {
  if (option == kUseShare) {
    const std::string share = is_count_word(value) ? value + "%" : value;
    const bool read = read_value(share, share_kind()).value.value_or(0) > 0;
    if (!read) return parts.left_out.push_back("utilization " + value);
    parts.use_share = share;
    return;
  }
  if (option == kLifeYears) {
    if (!read_value(value, number_kind()).value) return parts.left_out.push_back("years " + value);
    parts.life_years = value;
    return;
  }
  if (option == kNodes || option == kBatch) {
    parts.options[option] = value;
    return;
  }
  if (option == kStepCount) {
    parts.steps = value;
    return;
  }
  if (option == kRuns || option == "--runs") parts.run_counts.push_back(value + " runs");
  if (option == kRuns) {
    parts.options[kRuns] = value;
    return;
  }
  const QuestionWord* word = question_word(option);
  if (word != nullptr && (word->kind == nullptr || read_value(value, *word->kind()).value)) {
    const std::string name(word->name);
    std::vector<std::string>* several = name == "--provider" ? &parts.providers
                                        : name == "--stack"  ? &parts.stacks
                                                             : nullptr;
    const std::vector<std::string> all =
        several != nullptr ? split(value, ',') : std::vector{value};
    parts.options[name] = all.front();
    if (several != nullptr) several->insert(several->end(), all.begin(), all.end());
  } else if (word != nullptr && !values_in(value, *word->kind()).empty()) {
    parts.lists[word->name] = values_in(value, *word->kind());
  } else {
    parts.left_out.push_back(option + (value.empty() ? "" : " " + value));
  }
}

std::size_t take_option(const std::vector<std::string>& words, std::size_t at,
                        const WordMeanings& means, MeantParts& parts) {
  if (words[at] == "--") return 1;  // what follows are words, as they are anyway
  if (words[at].find_first_not_of('-') == std::string::npos) {
    parts.left_out.push_back(words[at]);
    return 1;
  }
  SaidOption option;
  option.said = words[at].substr(0, words[at].find('='));
  const bool joined = option.said != words[at];
  if (!joined && take_flag(option.said, means, parts)) return 1;
  const bool next = !joined && at + 1 < words.size() && !looks_like_option(words[at + 1]);
  option.value = joined ? words[at].substr(option.said.size() + 1) : next ? words[at + 1] : "";
  option.name = option_meant(option.said);
  option.foreign = question_word(option.name) == nullptr ? foreign_option(option.name) : nullptr;
  std::size_t used = next ? 2 : 1;
  if (option.foreign != nullptr) {
    if (option.foreign->form == OptionForm::kTier) {
      const std::string tier = tier_of_option(option.said, option.value);
      if (!tier.empty()) {
        parts.options["--tier"] = tier;
        return used;
      }
    }
    const bool same = option.foreign->form == OptionForm::kSame;
    if (same) option.name = option.foreign->ours;
    if (!same && take_form(option, means, parts)) return used;
  }
  // "-t 25M" is of tokens, "-t lora" of a method.
  const bool figure = !option.value.empty() && is_digit(option.value.front());
  if (option.said == "-t" && figure) option.name = "--tokens";
  const bool ranked = option.said.starts_with("--lora") && option.name == "--rank";
  if (ranked && parts.methods.empty()) parts.methods.emplace_back("lora");
  const QuestionWord* word = question_word(option.name);
  const bool hours = word != nullptr && word->kind != nullptr && word->kind() == &hours_kind();
  const std::string unit = letters_at(words, at + 2);
  if (next && hours && is_unit(unit) && read_value(option.value + unit, hours_kind()).value) {
    option.value += unit;
    ++used;
  }
  // "--gpu RTX 4090": a name of several words without quotation marks.
  if (next && word != nullptr && word->name == std::string("--gpu")) {
    const std::size_t count = means.card_at(words, at + 1, words[at + 1]);
    if (count > 1) {
      option.value = joined_words(words, at + 1, count);
      used = 1 + count;
    }
  }
  if (option.value.empty()) {
    parts.left_out.push_back(option.said);
  } else {
    put_option(option, means, parts);
  }
  return used;
}

}  // namespace sizesheet
