// SPDX-License-Identifier: Apache-2.0
#include "cli/cloud_machines.h"

#include <algorithm>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "cli/taken_names.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "p5.48xlarge", "a3-highgpu-8g": a word of letters, digits and signs, and no "8x" or "1gpu
/// preset".
bool may_be_name(const std::string& word) {
  constexpr std::size_t kShortest = 6;
  const bool one_word = std::ranges::all_of(
      word, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; });
  return one_word && word.size() >= kShortest && std::ranges::any_of(word, is_digit) &&
         word.find_first_of(".-_") != word.npos;
}

std::string bare(const std::string& name) {
  constexpr std::string_view kAzure = "standard_";
  const std::string letters = small_letters(name);
  return letters.starts_with(kAzure) ? letters.substr(kAzure.size()) : letters;
}

}  // namespace

std::optional<CloudMachine> cloud_machine(const Catalog& catalog, const std::string& name) {
  const std::string wanted = bare(name);
  if (!may_be_name(wanted)) return std::nullopt;
  std::vector<CloudMachine> found;
  for (const Provider& provider : catalog.providers) {
    const auto machines = provider.raw.find("machines");
    if (machines == provider.raw.end()) continue;
    for (const auto& [one, facts] : machines->items()) {
      if (bare(one) == wanted) found.push_back({facts.at("gpu"), facts.at("gpus"), provider.id});
    }
  }
  for (const Price& price : catalog.prices) {
    if (bare(price.instance) == wanted) found.push_back({price.gpu, price.gpus, price.provider});
  }
  const bool one_kind = std::ranges::all_of(found, [&](const CloudMachine& machine) {
    return machine.gpu == found.front().gpu && machine.gpus == found.front().gpus;
  });
  return found.empty() || !one_kind ? std::nullopt : std::optional(found.front());
}

bool take_machine(std::string& gpu, std::optional<std::int64_t>& gpus, std::string& provider,
                  const Catalog& catalog, TakenNames& taken) {
  const auto machine = cloud_machine(catalog, gpu);
  if (!machine) return false;
  taken.tell(in_quotes(gpu) + " is " + std::to_string(machine->gpus) + " × " + machine->gpu);
  gpu = machine->gpu;
  if (provider.empty() && sells(catalog, machine->provider, gpu)) {
    provider = machine->provider;
    taken.tell("the price is of " + provider + " alone, which has this machine; --gpu " + gpu +
               " asks every seller");
  }
  if (gpus) return false;
  gpus = machine->gpus;
  return true;
}

bool sells(const Catalog& catalog, const std::string& provider, const std::string& gpu) {
  return std::ranges::any_of(catalog.prices, [&](const Price& price) {
    return price.provider == provider && price.gpu == gpu;
  });
}

void refuse_unsold(const std::string& provider, const std::string& gpu, const Catalog& catalog) {
  const std::vector<std::string> asked = split(provider, ',');
  const auto sold = [&](const std::string& one) { return sells(catalog, one, gpu); };
  if (provider.empty() || gpu.empty() || std::ranges::any_of(asked, sold)) return;
  std::vector<std::string> sellers;
  for (const Price& price : catalog.prices) {
    if (price.gpu == gpu && !contains(sellers, price.provider)) sellers.push_back(price.provider);
  }
  std::ranges::sort(sellers);
  throw InputError("--provider: " + join(asked, " and ") + (asked.size() > 1 ? " have" : " has") +
                   " no price of " + gpu + "; " +
                   (sellers.empty() ? "nobody has one" : "these have one: " + join(sellers, ", ")));
}

}  // namespace sizesheet
