// SPDX-License-Identifier: Apache-2.0
#include "cli/word_meanings.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "cli/cloud_machines.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

bool is_count_word(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

std::pair<std::string, std::int64_t> parts_of_cards(const std::string& word) {
  const auto count = [](const std::string& digits) {
    return is_count_word(digits) ? parsed<std::int64_t>(digits).value_or(0) : 0;
  };
  for (const std::string sign : {"x", "X", "×", "*", ":"}) {
    const std::size_t first = word.find(sign);
    if (first == word.npos) continue;
    const std::string left = word.substr(0, first);
    if (const std::int64_t many = count(left); many > 0) {
      return {word.substr(first + sign.size()), many};
    }
    const std::size_t last = word.rfind(sign);
    if (const std::int64_t many = count(word.substr(last + sign.size())); many > 0 && last > 0) {
      return {word.substr(0, last), many};
    }
  }
  return {word, 0};
}

std::string joined_words(const std::vector<std::string>& words, std::size_t from,
                         std::size_t count) {
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(from);
  return join({first, first + static_cast<std::ptrdiff_t>(count)}, " ");
}

WordMeanings::WordMeanings(const Catalog& catalog, const UsualNames& usual, SizeRows sizes)
    : catalog_(catalog),
      usual_(usual),
      models_(catalog, std::move(sizes)),
      methods_(called_methods(catalog)),
      gpus_(called_gpus(catalog)),
      providers_(called_providers(catalog)) {}

std::optional<std::string> WordMeanings::gpu_in(const std::string& name) const {
  try {
    return meant("GPU", name, gpus_, usual_.gpus);
  } catch (const InputError&) {
    return name;
  }
}

std::size_t WordMeanings::card_at(const std::vector<std::string>& words, std::size_t from,
                                  const std::string& first) const {
  const std::size_t most = std::min(kMostNameWords, words.size() - from);
  for (std::size_t count = most; count > 0; --count) {
    const std::string rest = count > 1 ? joined_words(words, from + 1, count - 1) : "";
    const std::string name = first.empty() ? rest : rest.empty() ? first : first + " " + rest;
    if (!name.empty() && gpu_in(name)) return count;
  }
  return 0;
}

bool WordMeanings::is_provider(const std::string& name) const {
  const std::string letters = small_letters(name);
  return std::ranges::any_of(providers_, [&](const CalledEntry& one) {
    return std::ranges::any_of(
        one.names, [&](const std::string& known) { return small_letters(known) == letters; });
  });
}

bool WordMeanings::is_stack(const std::string& name) const {
  const std::string letters = small_letters(name);
  return std::ranges::any_of(called_stacks(catalog_), [&](const CalledEntry& one) {
    return std::ranges::any_of(
        one.names, [&](const std::string& known) { return small_letters(known) == letters; });
  });
}

bool WordMeanings::is_machine(const std::string& name) const {
  return cloud_machine(catalog_, name).has_value();
}

bool WordMeanings::is_model(const std::string& name) const {
  try {
    return models_.meant(name).has_value();
  } catch (const InputError&) {
    return true;
  }
}

bool WordMeanings::is_method(const std::string& name) const {
  try {
    return meant("method", name, methods_, usual_.methods).has_value();
  } catch (const InputError&) {
    return true;
  }
}

bool WordMeanings::is_ranked(const std::string& name) const {
  const std::string letters = small_letters(name);
  const std::size_t at = letters.find_last_not_of("0123456789");
  if (at == letters.npos || at + 1 == letters.size()) return false;
  for (const MethodFacts& kind : kMethodKinds) {
    for (const char* between : {"-r", " r", " rank ", " rank-", "-rank-"}) {
      if (letters.substr(0, at + 1) == std::string(kind.id) + between) return true;
    }
  }
  return false;
}

}  // namespace sizesheet
