// SPDX-License-Identifier: Apache-2.0
#include "cli/list.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <tuple>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/names.h"
#include "catalog/prices/price.h"
#include "cli/area_names.h"
#include "cli/cloud_machines.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/list_tables.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/text_table.h"
#include "cli/tier_names.h"
#include "cli/value_options.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kLabels = "labels";  // a file, and no table

/// A size that is asked of another list.
void refuse_sizes(const ListOptions& asked) {
  for (const auto& [option, said, of] :
       {std::tuple{"--min-memory", asked.least_memory.has_value(), "gpus"},
        {"--min-size", asked.least_parameters.has_value(), "models"},
        {"--max-size", asked.most_parameters.has_value(), "models"}}) {
    if (!said || asked.what == of) continue;
    throw InputError(std::string(option) + ": narrows " + of + ", not " + asked.what);
  }
}

/// Options that narrow what they do not apply to.
void refuse_narrowing(const ListOptions& asked) {
  for (const auto& [option, value] : {std::pair{"--gpu", &asked.gpu},
                                      {"--tier", &asked.tier},
                                      {"--provider", &asked.provider},
                                      {"--region", &asked.region},
                                      {"--as-of", &asked.as_of}}) {
    if (value->empty()) continue;
    throw InputError(std::string(option) + ": narrows prices and providers, not " + asked.what);
  }
}

/// Whether `name` is one of `all`, or several of them, which the option refuses by name.
bool is_called(const char* kind, const std::string& name, const std::vector<CalledEntry>& all) {
  try {
    return meant(kind, name, all).has_value();
  } catch (const InputError&) {
    return true;
  }
}

/// Whether the word is a tier: "spot", "1 year".
bool is_tier(const std::string& word) { return is_called("tier", word, called_tiers()); }

/// "h100 runpod spot": words that say a GPU type, a machine, a provider, a tier or a region, in the
/// place of options.
void take_list_words(ListOptions& asked, const Catalog& facts) {
  const auto gpus = called_gpus(facts);
  const auto providers = called_providers(facts);
  for (const std::string& word : asked.words) {
    if (asked.gpu.empty() && (is_called("GPU", word, gpus) || cloud_machine(facts, word))) {
      asked.gpu = word;
    } else if (is_called("provider", word, providers)) {
      asked.provider += (asked.provider.empty() ? "" : ",") + word;
    } else if (asked.tier.empty() && is_tier(word)) {
      asked.tier = word;
    } else if (asked.region.empty() &&
               !(known_region(word, facts).empty() && area_of_region(word).empty())) {
      asked.region = word;
    } else {
      std::vector<std::string> known;
      for (const auto& all : {gpus, providers, called_tiers()}) {
        for (const CalledEntry& entry : all) {
          known.push_back(entry.id);
          known.insert(known.end(), entry.names.begin(), entry.names.end());
        }
      }
      throw InputError(asked.what +
                       ": expected a GPU type, a machine, a provider, a tier or a region, got " +
                       in_quotes(word) + did_you_mean(word, known));
    }
  }
}

/// Letters and digits alone, in small letters: "RTX 4090" is found as "rtx4090".
std::string bare_letters(const std::string& text) {
  std::string bare;
  for (const char c : small_letters(text)) {
    if (is_letter_or_digit(c)) bare += c;
  }
  return bare;
}

/// What people call a kind of GPU whose names have another word.
std::string searched_word(const std::string& word) {
  const std::string letters = small_letters(word);
  if (contains({"consumer", "gaming", "gamer", "desktop"}, letters)) return "geforce";
  return word;
}

/// Leaves the rows that have every word in some cell.
void search_rows(const std::vector<std::string>& words, const std::string& what, ListTable& list) {
  std::erase_if(list.rows, [&](const ListCells& row) {
    std::string text;
    for (const ListCell& cell : row) text += bare_letters(cell.text) + " ";
    return std::ranges::any_of(words, [&](const std::string& word) {
      return text.find(bare_letters(searched_word(word))) == text.npos;
    });
  });
  if (list.rows.empty()) {
    throw InputError(what + ": none has " + in_quotes(join(words, " ")) + " in its name");
  }
}

/// Throws InputError where a region leaves nothing of a list, with those near it that have some.
void refuse_empty_region(const Listable& list, const Catalog& facts, ListOptions asked) {
  std::string region = std::exchange(asked.region, "");
  if (region.empty()) return;
  const ListTable all = list.listing(facts, asked);
  const auto head = std::ranges::find(all.heads, "region");
  std::vector<std::string> others;
  for (const ListCells& row : all.rows) {
    const std::string there =
        head == all.heads.end() ? "" : row[static_cast<std::size_t>(head - all.heads.begin())].text;
    const bool place = !contains({"any", "unstated", ""}, there);
    if (place && !contains(others, there)) others.push_back(there);
  }
  if (others.empty()) return;
  if (region.ends_with('*')) region.pop_back();
  throw InputError("--region: no price that is asked for is of " + in_quotes(region) +
                   "; nearest are " + join(nearest_regions(region, others), ", "));
}

ListOptions with_ids(ListOptions asked, const Listable& list, const Catalog& facts,
                     std::ostream& err) {
  if (!list.narrows) refuse_narrowing(asked);
  if (list.narrows) take_list_words(asked, facts);
  TakenNames taken(err);  // each row of the list tells its GPU and provider
  const bool known = contains(facts.sheets, asked.sheet);
  const auto usual =
      known ? usual_names(asked.sheet, asked.catalog).gpus : std::vector<std::string>();
  take_machine(asked.gpu, asked.gpus, asked.provider, facts, taken);
  take_name(asked.gpu, "GPU", called_gpus(facts), taken, usual);
  asked.tier = tier_key(asked.tier);
  take_region(asked.region, facts, taken);
  std::vector<std::string> sellers = split(asked.provider, ',');
  for (std::string& one : sellers) take_name(one, "provider", called_providers(facts), taken);
  asked.provider = join(sellers, ",");
  return asked;
}

void print_json(const ListTable& list, std::ostream& out) {
  Json entries = Json::array();
  for (const ListCells& row : list.rows) {
    Json entry;
    for (std::size_t i = 0; i < row.size(); ++i) entry[list.heads[i]] = row[i].value;
    entries.push_back(std::move(entry));
  }
  out << json_text(entries) << '\n';
}

/// Without the columns that a terminal does not show.
ListTable shown_of(const ListTable& list) {
  ListTable shown{{}, {}};
  for (const std::string& head : list.heads) {
    if (!contains(list.hidden, head)) shown.heads.push_back(head);
  }
  for (const ListCells& row : list.rows) {
    ListCells& cells = shown.rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!contains(list.hidden, list.heads[i])) cells.push_back(row[i]);
    }
  }
  return shown;
}

/// The table as a terminal shows it.
void print_shown(const ListTable& list, std::ostream& out) {
  const ListTable shown = shown_of(list);
  std::vector<TextColumn> columns;
  for (const std::string& head : shown.heads) columns.push_back({head});
  std::vector<std::vector<std::string>> rows;
  for (const ListCells& row : shown.rows) rows.push_back(each_of(row, &ListCell::text));
  print_aligned(columns, rows, out);
}

void print_tabs(const ListTable& list, std::ostream& out) {
  for (const ListCells& row : list.rows) out << join(each_of(row, &ListCell::text), "\t") << '\n';
}

/// What is listed, in any case and in the singular. Throws InputError.
std::string list_named(const std::string& said) {
  std::vector<std::string> known;
  for (const Listable& one : listables()) known.emplace_back(one.what);
  known.emplace_back(kLabels);
  const std::string asked = small_letters(said);
  for (const std::string& what : known) {
    if (asked == what || asked + "s" == what) return what;
  }
  throw InputError("list: expected one of " + join(known, ", ") + ", got " + in_quotes(said) +
                   did_you_mean(asked, known));
}

int run_list(const ListOptions& asked, const Streams& streams) {
  ListOptions options = asked;
  options.what = list_named(asked.what);
  if (options.what == kLabels) {
    refuse_narrowing(options);
    if (options.catalog.shown() != default_catalog().shown()) {
      throw InputError("--catalog: labels come from the program, not from a catalog");
    }
    streams.out << embedded_catalog().at(kEnglishLabels);  // JSON, whatever is asked for
    return 0;
  }
  refuse_sizes(options);
  const Listable& list = *std::ranges::find(listables(), options.what, &Listable::what);
  const Catalog facts = load_sound_catalog(options.catalog, list.parts);
  const ListOptions named = with_ids(options, list, facts, streams.err);
  ListTable listing = list.listing(facts, named);
  if (listing.rows.empty()) refuse_empty_region(list, facts, named);
  std::vector<std::string> words = list.narrows ? std::vector<std::string>() : options.words;
  if (!options.search.empty()) words.push_back(options.search);
  if (!words.empty()) search_rows(words, options.what, listing);
  if (options.json) {
    print_json(listing, streams.out);
  } else if (&streams.out == &std::cout && isatty(STDOUT_FILENO) != 0) {
    print_shown(listing, streams.out);
  } else {
    print_tabs(listing, streams.out);
  }
  if (listing.rows.empty()) {
    streams.err << "no entry of " << options.what << " has all that is asked for\n";
  } else if (!options.json && !listing.foot.empty()) {
    streams.err << listing.foot << '\n';
  }
  return 0;
}

/// What a list of models or GPU types is narrowed by.
void add_size_options(CLI::App& command, ListOptions& options, const std::string& what) {
  if (what != "models") {
    add_value(command, "--min-memory,--min-vram,--min-gpu-memory", options.least_memory,
              memory_kind(), "GPU types with this memory or more: 40GB");
  }
  if (what == "gpus") return;
  add_value(command, "--min-size,--min-params,--min-parameters", options.least_parameters,
            tokens_kind(), "Models with so many parameters or more: 7B");
  add_value(command, "--max-size,--max-params,--max-parameters", options.most_parameters,
            tokens_kind(), "Models with so many parameters or fewer: 10B");
}

void add_list_options(CLI::App& command, ListOptions& options, bool narrows) {
  command.add_option("words", options.words,
                     narrows
                         ? "A GPU type or a machine, a provider, a tier, a region: h100 runpod spot"
                         : "Words that a line has: qwen 32b");
  command.add_option("--search,--filter", options.search, "Lines with this word alone");
  add_catalog(command, options.catalog);
  if (narrows) {
    add_text(command, "--gpu", options.gpu, "Prices and providers of this GPU type alone");
    add_text(command, "--tier", options.tier, "Prices and providers of this tier alone: spot …");
    add_text(command, "--provider", options.provider, "This provider and its prices alone");
    add_text(command, "--region", options.region, "Prices and providers there alone: eu …");
    add_day(command, "--as-of", options.as_of, "The day on which a price counts, YYYY-MM-DD");
  }
  command.add_flag("--json", options.json, "JSON in place of lines");
}

}  // namespace

void add_list(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "list", "List what the catalog holds", run_list);
  command
      .add_option(
          "what", options.what,
          "models, gpus, methods, stacks, providers, prices, services, sheets, or labels: a "
          "file of every label of the forms, to be put into another language")
      ->required();
  add_list_options(command, options, true);
  add_size_options(command, options, "");
}

void add_lists(CLI::App& app, const Streams& streams, Command& chosen) {
  for (const auto& [what, words, narrows] :
       {std::tuple("models", "List the models, with their parameters", false),
        {"gpus", "List the GPU types, with the memory that can be used", false},
        {"prices", "List prices of a GPU-hour, the lowest first; those that count are marked",
         true},
        {"providers", "List who rents GPUs out", true}}) {
    const auto& [command, options] = add_command(app, streams, chosen, what, words, run_list);
    options.what = what;
    add_list_options(command, options, narrows);
    if (!narrows) add_size_options(command, options, what);
  }
}

}  // namespace sizesheet
