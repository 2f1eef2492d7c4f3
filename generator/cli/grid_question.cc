// SPDX-License-Identifier: Apache-2.0
#include "cli/grid_question.h"

#include <algorithm>
#include <set>

#include "catalog/catalog.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "cli/common_options.h"
#include "cli/question_table.h"
#include "cli/refusals.h"
#include "cli/said_generation.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// "a,b,c", each once.
std::vector<std::string> listed(const std::string& text, const std::string& option) {
  std::vector<std::string> parts = split(text, ',');
  std::set<std::string> seen;
  for (const std::string& part : parts) {
    if (!seen.insert(part).second) throw InputError(option + ": " + shown(part) + " is said twice");
  }
  return parts;
}

/// Those asked for, by any of their names, which `take` sets to ids; all known ones where none is
/// asked for.
template <typename Known, typename Take>
std::vector<std::string> axis(const std::string& asked, const Known& known,
                              const std::string& option, const Take& take) {
  if (asked.empty() || small_letters(asked) == "all") return keys_of(known);
  std::vector<std::string> ids;
  for (const std::string& name : listed(asked, option)) {
    std::string id = name;
    try {
      take(id);
    } catch (const InputError& error) {
      throw InputError(option + ": " + error.what());
    }
    if (contains(ids, id)) throw InputError(option + ": " + shown(name) + " is said twice");
    ids.push_back(id);
  }
  return ids;
}

/// Those of every time that the option is given.
std::vector<std::int64_t> lengths_of(const std::vector<std::string>& asked) {
  if (asked.empty()) return {1024, 2048, 4096, 8192, 16384, 32768};
  std::vector<std::int64_t> lengths;
  for (const std::string& text : asked) {
    for (const std::int64_t length : lengths_in("--seq", text)) {
      if (contains(lengths, length)) {
        throw InputError("--seq: " + in_quotes(std::to_string(length)) + " is said twice");
      }
      lengths.push_back(length);
    }
  }
  return lengths;
}

/// The methods whose examples have as many tokens, together; each that generates is alone.
std::vector<std::vector<std::string>> by_example(const Catalog& catalog,
                                                 const std::vector<std::string>& methods) {
  std::vector<std::vector<std::string>> groups;
  const auto alike = [&](const std::vector<std::string>& group, const Method& method) {
    const Method& first = catalog.method(group.front());
    return first.grpo.is_null() && method.grpo.is_null() &&
           sequences_of(first.objective) == sequences_of(method.objective);
  };
  for (const std::string& id : methods) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<std::string>& one) {
      return alike(one, catalog.method(id));
    });
    if (group == groups.end()) {
      groups.push_back({id});
    } else {
      group->push_back(id);
    }
  }
  return groups;
}

/// Ids of the methods that are asked for, those of one rank where one is said.
std::vector<std::string> methods_asked(const GridQuestion& options, const UsualNames& usual,
                                       Catalog& catalog, TakenNames& taken) {
  const std::vector<std::string> ids =
      axis(options.methods, catalog.methods, "--methods",
           [&](std::string& name) { take_method(name, catalog, usual.methods, taken); });
  return options.rank ? methods_of_rank(*options.rank, ids, catalog) : ids;
}

}  // namespace

void add_grid_question(CLI::App& command, GridQuestion& options) {
  add_catalog(command, options.catalog);
  command.add_option("--sheet", options.sheet, "Sheet whose rules and first scenario apply")
      ->capture_default_str();
  command.add_option("--models," + all_names("--model"), options.models,
                     "Models, with commas between them: phi-4,llama-3.1-8b [all]");
  command.add_option("--methods," + all_names("--method"), options.methods,
                     "Methods, likewise: full,lora [all]");
  command.add_option(all_names("--gpus"), options.types,
                     "GPU types, likewise [all]; a number is the most of one type, as elsewhere");
  add_text(command, "--gpu", options.gpu, "The same as --gpus of types: h100, 4090,l40s");
  command
      .add_option(all_names("--seq"), options.lengths,
                  "Tokens of a sequence: 4096,8192, or 8k; again for each [1024,2048 … 32768]")
      ->allow_extra_args(false)
      ->type_name("LENGTHS");
  add_run_options(command, options);
  add_day(command, "--as-of", options.as_of, "The day of the prices, YYYY-MM-DD");
  add_jobs(command, options.jobs);
}

GridAxes grid_axes(Catalog& catalog, const GridQuestion& asked, TakenNames& taken) {
  GridQuestion options = asked;
  GridAxes axes;
  axes.rules = sheet_asked_for(options, catalog);
  const UsualNames usual{axes.rules.methods, axes.rules.gpus};
  take_rules(options, catalog, taken);
  axes.methods = methods_asked(options, usual, catalog, taken);
  take_generation(options.generation, axes.methods, catalog, taken);
  const bool counts_examples = options.examples.has_value();
  if (counts_examples && by_example(catalog, axes.methods).size() > 1) {
    throw InputError(
        "--examples: an example has other tokens in each of these methods: say --tokens, or name "
        "one method");
  }
  axes.models = axis(options.models, catalog.models, "--models", [&](std::string& name) {
    const ModelTaken model = take_model(name, catalog, options, taken);
    for (const std::string& method : axes.methods) methods_for(model, {method}, catalog, taken);
  });
  const bool counts = !options.types.empty() && std::ranges::all_of(options.types, [](char letter) {
    return is_digit(letter) || letter == ' ' || letter == ',';
  });
  if (counts) {
    options.gpus =
        static_cast<std::int64_t>(value_in("--gpus", options.types, count_kind(), {1, 100000}));
  } else if (!options.types.empty() && !options.gpu.empty()) {
    throw InputError("--gpu: is said twice, --gpus says it too");
  }
  const bool one = counts || options.types.empty();
  axes.gpus = axis(
      one ? options.gpu : options.types, catalog.gpus, one ? "--gpu" : "--gpus",
      [&](std::string& name) { take_name(name, "GPU", called_gpus(catalog), taken, usual.gpus); });
  axes.seq_lens = lengths_of(options.lengths);
  const bool whole_sequences = counts_examples && !options.mean_length &&
                               catalog.method(axes.methods.front()).grpo.is_null();
  if (whole_sequences && axes.seq_lens.size() > 1) {
    throw InputError("--examples: say --mean-length where several lengths are asked for");
  }
  if (whole_sequences) options.seq_len = axes.seq_lens.front();
  ask_scenario(options, catalog, counts_examples ? axes.methods : std::vector<std::string>{},
               axes.gpus.size() == 1 ? axes.gpus.front() : "", axes.rules, taken);
  return axes;
}

std::vector<std::string> methods_by_example(const GridQuestion& options, const UsualNames& usual,
                                            Catalog& catalog, TakenNames& taken) {
  std::vector<std::string> lists;
  const std::vector<std::string> methods = methods_asked(options, usual, catalog, taken);
  take_generation(options.generation, methods, catalog, taken);
  for (const auto& group : by_example(catalog, methods)) {
    lists.push_back(join(group, ","));
  }
  return lists;
}

}  // namespace sizesheet
