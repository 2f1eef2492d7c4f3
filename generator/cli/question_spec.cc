// SPDX-License-Identifier: Apache-2.0
#include "cli/question_spec.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/model_names.h"
#include "catalog/prices/price.h"
#include "cli/area_names.h"
#include "cli/question_options.h"
#include "cli/question_words.h"
#include "cli/said_generation.h"
#include "cli/taken_names.h"
#include "cli/training_config.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {

namespace {

/// Where sellers are named and no GPU is, the types are those that they have prices of.
void take_types_of_sellers(const QuestionOptions& options, const Catalog& catalog,
                           SheetSpec& sheet) {
  const std::vector<std::string> sellers = split(options.provider, ',');
  if (sellers.empty()) return;
  std::vector<std::string> sold;
  for (const Price& price : catalog.prices) {
    const bool asked = contains(sellers, price.provider) &&
                       (options.region.empty() || is_in_region(price, options.region));
    if (asked && catalog.gpus.contains(price.gpu) && !contains(sold, price.gpu)) {
      sold.push_back(price.gpu);
    }
  }
  if (sold.empty()) return;
  std::ranges::sort(sold);
  sheet.gpus = std::move(sold);
}

}  // namespace

SheetSpec asked_spec(QuestionOptions& options, const std::string& command, Catalog& catalog,
                     SheetSpec sheet, TakenNames& taken) {
  const UsualNames usual{sheet.methods, sheet.gpus};
  take_words(options, catalog, usual, command);
  take_model_file(options, catalog);
  take_counted_card(options.gpu, options.gpus, catalog, usual.gpus);  // a config may need the count
  const auto training = take_training_config(options, catalog, taken);
  if (training) options.config.clear();
  if (!names_model(options, command)) {
    throw InputError(command + ": expected a model, or --config with the config.json of one");
  }
  const ModelTaken model = take_question(options, catalog, usual, taken);
  sheet.models = {{options.model, options.model, ""}};
  sheet.handout_models.clear();
  sheet.highlight_model = options.model;
  if (!options.method.empty()) {
    sheet.methods = {options.method};
  } else if (options.rank) {
    sheet.methods = methods_of_rank(*options.rank, sheet.methods, catalog);
  }
  sheet.methods = methods_for(model, sheet.methods, catalog, taken);
  if (!options.gpu.empty()) {
    sheet.gpus = {options.gpu};
  } else {
    take_types_of_sellers(options, catalog, sheet);
  }
  if (training) put_training_config(*training, options, sheet, taken);
  take_generation(options.generation, sheet.methods, catalog, taken);
  // Who names the GPUs asks whether they do and how long they take. The sheet's deadline would turn
  // a yes into a no that nobody asked about.
  if (!options.gpu.empty() && options.gpus) sheet.deadline_hours.reset();
  ask_scenario(options, catalog, sheet.methods, options.gpu, sheet, taken);
  if (options.whole_machine) {
    sheet.scenarios.front().request["layout"]["gpus"] = *options.gpus;
  }
  return sheet;
}

}  // namespace sizesheet
