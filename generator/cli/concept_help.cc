// SPDX-License-Identifier: Apache-2.0
#include "cli/concept_help.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "catalog/names.h"
#include "catalog/prices/provider.h"
#include "cli/common_options.h"
#include "cli/examples.h"
#include "cli/question_table.h"
#include "cli/word_meanings.h"
#include "render/phrases.h"
#include "sheet/spec.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/model/parameters.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kSomeModel = "llama-3.1-8b";

/// Lines of commands that work.
std::string asked_by(const std::vector<std::vector<std::string>>& commands) {
  std::string text = "\n";
  for (const auto& words : commands) text += "  " + shell_line(words) + "\n";
  return text;
}

/// The entry of that name; nullopt where there is none. Of several that fit `several` has the ids.
std::optional<std::string> entry_called(const char* kind, const std::string& name,
                                        const std::vector<CalledEntry>& all,
                                        const std::vector<std::string>& usual = {}) {
  try {
    return meant(kind, name, all, usual);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Every method of the catalog whose id has the name as one of its words.
std::string methods_called(const Catalog& catalog, const std::string& name) {
  std::string text;
  for (const auto& [id, method] : catalog.methods) {
    if (!contains(split(id, '-'), small_letters(name))) continue;
    text += id + ": " + method.title + ". " + method.description + "\n";
  }
  return text;
}

std::string method_help(const Catalog& catalog, const UsualNames& usual, const std::string& name) {
  std::string text = methods_called(catalog, name);
  if (text.empty()) {
    const auto id = entry_called("method", name, called_methods(catalog), usual.methods);
    if (!id) return "";
    const Method& method = catalog.method(*id);
    text = *id + ": " + method.title + ". " + method.description + "\n";
  }
  return text + asked_by({{kSomeModel, name},
                          {"explain", kSomeModel, name, "8xh100"},
                          {"fits", "8xh100", "--method", name}});
}

std::string gpu_help(const Catalog& catalog, const UsualNames& usual, const std::string& name) {
  const auto id = entry_called("GPU", name, called_gpus(catalog), usual.gpus);
  if (!id) return "";
  const Gpu& gpu = catalog.gpu(*id);
  std::string text = *id + ": " + gpu.name;
  if (const auto bytes = gpu.capacity_bytes()) text += ", " + format_gib(*bytes, 1) + " GiB usable";
  return text + "\n" +
         asked_by({{"fits", *id}, {"prices", "--gpu", *id}, {kSomeModel, "lora", *id}});
}

std::string model_help(const Catalog& catalog, const WordMeanings& means, const std::string& name) {
  try {
    const auto taken = means.models().meant(name);
    if (!taken) return "";
    const Model& model = catalog.model(taken->id);
    return taken->id + ": " + model.title + ", " +
           format_integer(count_parameters(model.architecture).total()) + " parameters\n" +
           asked_by({{taken->id}, {taken->id, "lora"}, {"explain", taken->id, "qlora", "1xh100"}});
  } catch (const InputError&) {
    return "";
  }
}

std::string provider_help(const Catalog& catalog, const std::string& name) {
  const auto id = entry_called("provider", name, called_providers(catalog));
  if (!id) return "";
  const auto count = std::ranges::count(catalog.prices, *id, &Price::provider);
  const Provider* known = entry_with(catalog.providers, &Provider::id, *id);
  return *id + (known != nullptr ? ": " + known->title : "") + ", " + std::to_string(count) +
         " prices\n" +
         asked_by({{"prices", "--provider", *id}, {kSomeModel, "lora", "--provider", *id}});
}

std::string stack_help(const Catalog& catalog, const std::string& name) {
  const auto id = entry_called("stack", name, called_stacks(catalog));
  if (!id) return "";
  return *id + ": " + catalog.stack(*id).title + ", a framework\n" +
         asked_by({{kSomeModel, "lora", "--stack", *id}, {"list", "stacks"}});
}

std::string option_help(const std::string& name) {
  const QuestionWord* word = question_word(name.starts_with("-") ? name : "--" + name);
  if (word == nullptr) return "";
  const std::vector<std::string> takers(word->commands.begin(), word->commands.end());
  return std::string(word->name) + ": " + word->words + "\nIt is an option of " +
         join(takers, ", ") + ".\n\n  " + example_of(takers.front(), word->name) + "\n";
}

}  // namespace

std::string concept_help(const std::string& name) {
  if (const std::string text = option_help(name); !text.empty()) return text;
  const CommonOptions options;
  const Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  const UsualNames usual = usual_names(options.sheet, options.catalog);
  const WordMeanings means(catalog, usual,
                           [&] { return sheet_sizes(options.sheet, options.catalog); });
  for (const std::string& text : {method_help(catalog, usual, name), gpu_help(catalog, usual, name),
                                  model_help(catalog, means, name), provider_help(catalog, name),
                                  stack_help(catalog, name)}) {
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace sizesheet
