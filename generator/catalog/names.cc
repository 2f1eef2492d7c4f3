// SPDX-License-Identifier: Apache-2.0
#include "catalog/names.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/spelling.h"
#include "catalog/prices/accelerator_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "support/error.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

bool is_spelled(const std::string& name, const std::string& asked) {
  const std::string words = spelled(asked);
  return !words.empty() && spells(spelled(name), words);
}

bool tells(const CalledEntry& entry, const std::string& asked) {
  if (entry.telling.empty()) return true;
  return std::ranges::any_of(
      bare_words(asked), [&](const std::string& word) { return contains(entry.telling, word); });
}

/// Whether the entry is a stronger card of the same number than was asked for: a 2080 is no 2080
/// Ti.
bool is_stronger(const CalledEntry& entry, const std::string& asked) {
  const std::vector<std::string> said = bare_words(asked);
  return std::ranges::any_of(bare_words(entry.id), [&](const std::string& word) {
    return contains({"ti", "super"}, word) && !contains(said, word);
  });
}

/// Whether an entry is what was asked for, from the strictest way of reading both to the loosest.
constexpr bool (*kWays[])(const CalledEntry& entry, const std::string& name,
                          const std::string& asked) = {
    [](const CalledEntry&, const std::string& name, const std::string& asked) {
      return name == asked;
    },
    [](const CalledEntry&, const std::string& name, const std::string& asked) {
      return is_spelled(name, asked);
    },
    [](const CalledEntry& entry, const std::string& name, const std::string& asked) {
      return has_each(bare_words(name), bare_words(asked)) && tells(entry, asked) &&
             !is_stronger(entry, asked);
    }};

template <typename Entry, typename... Names>
std::vector<CalledEntry> called(const std::map<std::string, Entry>& entries, Names... names) {
  std::vector<CalledEntry> all;
  for (const auto& [id, entry] : entries) {
    all.push_back({id, {id, entry.*names...}});
    std::erase(all.back().names, "");
  }
  return all;
}

/// Of a maker or a form many cards have, and sizes of memory: they name no card.
bool is_of_many_cards(const std::string& word) {
  if (contains({"rtx", "geforce", "tesla", "radeon", "instinct", "nvl", "sxm", "pcie", "pro", "ada",
                "gpu"},
               word)) {
    return true;
  }
  const std::size_t digits = word.find_first_not_of("0123456789");
  const std::string unit = digits == word.npos ? "" : word.substr(digits);
  return digits > 0 && (unit == "gb" || (unit.empty() && word.size() < 3));
}

/// The words of its id and its short names that no other make or form has.
std::vector<std::string> telling_words(const Gpu& gpu) {
  std::vector<std::string> words;
  for (const std::string& name : {gpu.id, gpu.short_name, gpu.tiny_name}) {
    for (const std::string& word : bare_words(name)) {
      if (!is_of_many_cards(word)) words.push_back(word);
    }
  }
  return words;
}

/// The id up to its first word with a digit, which other forms of the card share: "a100" of
/// a100-80-sxm and a100-80-pcie, "rtx-pro-6000".
std::string make_of_card(const std::string& id) {
  const std::size_t digit = id.find_first_of("0123456789");
  return id.substr(0, digit == id.npos ? digit : id.find('-', digit));
}

/// The name with the words that makers put before it: "Tesla T4", "NVIDIA GeForce RTX 4090".
std::string name_with_maker(const Gpu& gpu) {
  static const std::map<std::string, std::string> kSeries = {{"NVIDIA", "Tesla GeForce"},
                                                             {"AMD", "Radeon Instinct"}};
  const auto series = kSeries.find(gpu.vendor);
  return gpu.vendor + " " + (series == kSeries.end() ? "" : series->second + " ") + gpu.name;
}

/// Of several forms of one card, the one that is called by the card's name alone: "A100" is
/// a100-80-sxm, so "A100 80GB" is as well.
std::optional<std::string> usual_form(const std::vector<CalledEntry>& all,
                                      const std::vector<std::string>& ids,
                                      const std::string& kind) {
  if (kind.empty()) return std::nullopt;
  std::vector<std::string> found;
  for (const CalledEntry& entry : all) {
    const auto is_kind = [&](const std::string& name) { return is_spelled(name, kind); };
    if (contains(ids, entry.id) && std::ranges::any_of(entry.names, is_kind)) {
      found.push_back(entry.id);
    }
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace

std::vector<CalledEntry> called_gpus(const Catalog& catalog) {
  std::vector<CalledEntry> all =
      called(catalog.gpus, &Gpu::short_name, &Gpu::name, &Gpu::tiny_name);
  for (CalledEntry& entry : all) {
    const Gpu& gpu = catalog.gpus.at(entry.id);
    entry.names.push_back(name_with_maker(gpu));
    entry.names.push_back(gpu.vendor + " " + gpu.name);  // as nvidia-smi prints it
    entry.telling = telling_words(gpu);
    entry.kind = make_of_card(entry.id);
    for (const auto& [id, feed] : catalog.feeds) {
      for (const AcceleratorName& alias : feed.accelerators) {
        if (alias.gpu == entry.id && alias.unclear.empty()) entry.names.push_back(alias.name);
      }
    }
  }
  return all;
}

std::vector<CalledEntry> called_methods(const Catalog& catalog) {
  return called(catalog.methods, &Method::title, &Method::short_title);
}

std::vector<CalledEntry> called_stacks(const Catalog& catalog) {
  return called(catalog.stacks.all(), &Stack::title);
}

std::vector<CalledEntry> called_providers(const Catalog& catalog) {
  std::map<std::string, Provider> sellers;
  for (const Price& price : catalog.prices) sellers[price.provider];
  for (const Provider& known : catalog.providers) {
    if (sellers.contains(known.id)) sellers[known.id] = known;
  }
  return called(sellers, &Provider::title);
}

std::optional<std::string> meant(const std::string& what, const std::string& asked,
                                 const std::vector<CalledEntry>& all,
                                 const std::vector<std::string>& usual) {
  for (const auto& is_named : kWays) {
    // What no name is written with is not left out: a slash, a mark without width.
    if (&is_named != &kWays[0] && !is_plain_name(asked)) break;
    std::vector<std::string> ids;
    std::vector<std::string> kinds;
    for (const CalledEntry& entry : all) {
      const auto fits = [&](const std::string& name) { return is_named(entry, name, asked); };
      if (std::ranges::none_of(entry.names, fits)) continue;
      ids.push_back(entry.id);
      if (!contains(kinds, entry.kind)) kinds.push_back(entry.kind);
    }
    if (ids.empty()) continue;
    if (ids.size() == 1) return ids.front();
    std::vector<std::string> of_usual = ids;
    std::erase_if(of_usual, [&](const std::string& id) { return !contains(usual, id); });
    if (of_usual.size() == 1 && kinds.size() == 1) return of_usual.front();
    if (kinds.size() == 1) {
      if (auto form = usual_form(all, ids, kinds.front())) return form;
    }
    throw InputError(several_fit(what, asked, ids));
  }
  return std::nullopt;
}

std::string resolved(const std::string& what, const std::string& asked,
                     const std::vector<CalledEntry>& all, const std::vector<std::string>& usual) {
  if (auto id = meant(what, asked, all, usual)) return *id;
  throw InputError(not_in_catalog(what, asked, each_of(all, &CalledEntry::id)));
}

std::string several_fit(const std::string& what, const std::string& asked,
                        const std::vector<std::string>& ids) {
  return what + " " + in_quotes(asked) + ": several fit, say one of " + join(ids, ", ");
}

}  // namespace sizesheet
