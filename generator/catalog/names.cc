// SPDX-License-Identifier: Apache-2.0
#include "catalog/names.h"

#include <algorithm>

#include "catalog/loader.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Letters and digits in lower case, a word each: "A100 80GB" -> {"a100", "80gb"}.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (char letter : name) {
    if (is_capital(letter)) letter = static_cast<char>(letter - 'A' + 'a');
    if (is_letter_or_digit(letter)) {
      words.back() += letter;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string joined(const std::string& name) { return join(words_of(name), ""); }

/// The name on a hub without its owner and without what is appended to a model's name.
std::string plain_name(const std::string& name) {
  std::vector<std::string> words = words_of(split(name, '/').back());
  while (words.size() > 1 &&
         contains({"instruct", "it", "chat", "base", "hf", "bf16"}, words.back())) {
    words.pop_back();
  }
  if (words.size() > 1 && words.front() == "meta") words.erase(words.begin());
  return join(words, "");
}

/// Whether a name is what was asked for, from the strictest way of reading both to the loosest.
constexpr bool (*kWays[])(const std::string& name, const std::string& asked) = {
    [](const std::string& name, const std::string& asked) { return name == asked; },
    [](const std::string& name, const std::string& asked) { return joined(name) == joined(asked); },
    [](const std::string& name, const std::string& asked) {
      const std::string plain = plain_name(asked);
      return !plain.empty() && plain_name(name) == plain;
    },
    [](const std::string& name, const std::string& asked) {
      const std::vector<std::string> all = words_of(name);
      const std::vector<std::string> words = words_of(asked);
      const auto has = [&](const std::string& word) { return contains(all, word); };
      return !words.empty() && std::ranges::all_of(words, has);
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

}  // namespace

std::vector<CalledEntry> called_models(const Catalog& catalog) {
  return called(catalog.models, &Model::title, &Model::repository);
}

std::vector<CalledEntry> called_gpus(const Catalog& catalog) {
  std::vector<CalledEntry> all =
      called(catalog.gpus, &Gpu::short_name, &Gpu::name, &Gpu::tiny_name);
  for (CalledEntry& entry : all) {
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
  return called(catalog.stacks, &Stack::title);
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
    std::vector<std::string> ids;
    for (const CalledEntry& entry : all) {
      const auto fits = [&](const std::string& name) { return is_named(name, asked); };
      if (std::ranges::any_of(entry.names, fits)) ids.push_back(entry.id);
    }
    if (ids.empty()) continue;
    if (ids.size() == 1) return ids.front();
    std::vector<std::string> of_usual = ids;
    std::erase_if(of_usual, [&](const std::string& id) { return !contains(usual, id); });
    if (of_usual.size() == 1) return of_usual.front();
    throw InputError(what + " " + in_quotes(asked) + ": several fit, say one of " +
                     join(ids, ", "));
  }
  return std::nullopt;
}

std::string resolved(const std::string& what, const std::string& asked,
                     const std::vector<CalledEntry>& all, const std::vector<std::string>& usual) {
  if (auto id = meant(what, asked, all, usual)) return *id;
  throw InputError(not_in_catalog(what, asked, each_of(all, &CalledEntry::id)));
}

}  // namespace sizesheet
