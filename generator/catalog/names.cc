// SPDX-License-Identifier: Apache-2.0
#include "catalog/names.h"

#include <algorithm>
#include <functional>
#include <set>

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
  static const std::set<std::string> kAppended = {"instruct", "it", "chat", "base", "hf", "bf16"};
  std::vector<std::string> words = words_of(split(name, '/').back());
  while (words.size() > 1 && kAppended.contains(words.back())) words.pop_back();
  if (words.size() > 1 && words.front() == "meta") words.erase(words.begin());
  return join(words, "");
}

bool has_all_words(const std::string& name, const std::vector<std::string>& asked) {
  const std::vector<std::string> words = words_of(name);
  return std::ranges::all_of(asked, [&](const std::string& word) { return contains(words, word); });
}

using Fits = std::function<bool(const std::string& name)>;

/// From the strictest way of reading a name to the loosest.
std::vector<Fits> ways_of(const std::string& asked) {
  const std::vector<std::string> words = words_of(asked);
  return {
      [asked](const std::string& name) { return name == asked; },
      [all = joined(asked)](const std::string& name) { return joined(name) == all; },
      [plain = plain_name(asked)](const std::string& name) {
        return !plain.empty() && plain_name(name) == plain;
      },
      [words](const std::string& name) { return !words.empty() && has_all_words(name, words); }};
}

std::vector<std::string> ids_that(const Fits& fits, const std::vector<CalledEntry>& all) {
  std::vector<std::string> ids;
  for (const CalledEntry& entry : all) {
    if (std::ranges::any_of(entry.names, fits)) ids.push_back(entry.id);
  }
  return ids;
}

template <typename Entry>
std::vector<CalledEntry> called(const std::map<std::string, Entry>& entries,
                                const std::function<void(const Entry&, CalledEntry&)>& name) {
  std::vector<CalledEntry> all;
  for (const auto& [id, entry] : entries) {
    all.push_back({id, {id}});
    name(entry, all.back());
    std::erase(all.back().names, "");
  }
  return all;
}

}  // namespace

std::vector<CalledEntry> called_models(const Catalog& catalog) {
  return called<Model>(catalog.models, [](const Model& model, CalledEntry& entry) {
    entry.names.insert(entry.names.end(), {model.title, model.repository});
  });
}

std::vector<CalledEntry> called_gpus(const Catalog& catalog) {
  return called<Gpu>(catalog.gpus, [&](const Gpu& gpu, CalledEntry& entry) {
    entry.names.insert(entry.names.end(), {gpu.short_name, gpu.name, gpu.tiny_name});
    for (const auto& [id, feed] : catalog.feeds) {
      for (const AcceleratorName& alias : feed.accelerators) {
        if (alias.gpu == gpu.id && alias.unclear.empty()) entry.names.push_back(alias.name);
      }
    }
  });
}

std::vector<CalledEntry> called_methods(const Catalog& catalog) {
  return called<Method>(catalog.methods, [](const Method& method, CalledEntry& entry) {
    entry.names.insert(entry.names.end(), {method.title, method.short_title});
  });
}

std::vector<CalledEntry> called_stacks(const Catalog& catalog) {
  return called<Stack>(catalog.stacks, [](const Stack& stack, CalledEntry& entry) {
    entry.names.push_back(stack.title);
  });
}

std::vector<CalledEntry> called_providers(const Catalog& catalog) {
  std::map<std::string, Provider> sellers;
  for (const Price& price : catalog.prices) sellers[price.provider];
  for (const Provider& known : catalog.providers) {
    if (sellers.contains(known.id)) sellers[known.id] = known;
  }
  return called<Provider>(sellers, [](const Provider& provider, CalledEntry& entry) {
    entry.names.push_back(provider.title);
  });
}

std::optional<std::string> meant(const std::string& what, const std::string& asked,
                                 const std::vector<CalledEntry>& all,
                                 const std::vector<std::string>& usual) {
  for (const Fits& fits : ways_of(asked)) {
    std::vector<std::string> ids = ids_that(fits, all);
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
  std::vector<std::string> ids;
  for (const CalledEntry& entry : all) ids.push_back(entry.id);
  throw InputError(not_in_catalog(what, asked, ids));
}

}  // namespace sizesheet
