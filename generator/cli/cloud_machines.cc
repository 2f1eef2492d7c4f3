// SPDX-License-Identifier: Apache-2.0
#include "cli/cloud_machines.h"

#include <algorithm>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "cli/taken_names.h"
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
      if (bare(one) == wanted) found.push_back({facts.at("gpu"), facts.at("gpus")});
    }
  }
  for (const Price& price : catalog.prices) {
    if (bare(price.instance) == wanted) found.push_back({price.gpu, price.gpus});
  }
  const bool one_kind = std::ranges::all_of(found, [&](const CloudMachine& machine) {
    return machine.gpu == found.front().gpu && machine.gpus == found.front().gpus;
  });
  return found.empty() || !one_kind ? std::nullopt : std::optional(found.front());
}

void take_machine(std::string& gpu, std::optional<std::int64_t>& gpus, const Catalog& catalog,
                  TakenNames& taken) {
  const auto machine = cloud_machine(catalog, gpu);
  if (!machine) return;
  taken.tell(in_quotes(gpu) + " is " + std::to_string(machine->gpus) + " × " + machine->gpu);
  gpu = machine->gpu;
  if (!gpus) gpus = machine->gpus;
}

}  // namespace sizesheet
