// SPDX-License-Identifier: Apache-2.0
#include "cli/training_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/configs/config_format.h"
#include "catalog/model_names.h"
#include "cli/config_in_catalog.h"
#include "cli/question_options.h"
#include "cli/taken_names.h"
#include "config/text/command_tree.h"
#include "config/text/config_tree.h"
#include "config/text/yaml_tree.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr const char* kConfigInline = "config";  ///< in the place of the name of a file
constexpr const char* kMethodOfConfig = "config";

/// Splits that have one rank unless the config asks for more; the notes leave them out then.
constexpr std::array<std::string_view, 4> kRankCounts = {"layout.tp", "layout.cp", "layout.pp",
                                                         "layout.ep"};

/// Keys whose defaults move memory and time most; the notes have them first.
constexpr std::array<std::string_view, 8> kWeightyKeys = {
    "method.rank",         "method.targets",    "workload.seq_len", "workload.micro_batch",
    "workload.grad_accum", "kernels.recompute", "layout.shard",     "optimizer"};

bool is_command_file(const std::string& file) {
  constexpr std::string_view kEndings[] = {".sh", ".bash", ".slurm", ".sbatch", ".args", ".txt"};
  return std::ranges::any_of(kEndings, [&](std::string_view one) { return file.ends_with(one); });
}

ConfigTree tree_of(const std::string& text, const std::string& file) {
  if (is_command_file(file)) return command_tree(text, file);
  try {
    return yaml_tree(text, file);
  } catch (const InputError&) {
    const bool command = file.find('.') == std::string::npos || file == kConfigInline;
    if (!command || text.find("--") == std::string::npos) throw;
  }
  return command_tree(text, file);
}

/// Whether a file is the config.json of a model, which has a reader of its own.
bool is_model_config(const ConfigTree& tree, const ConfigFormats& formats) {
  static const std::vector<std::string> kOfModels = {"model_type",  "architectures", "hidden_size",
                                                     "text_config", "n_embd",        "d_model"};
  const bool of_model = std::ranges::any_of(
      kOfModels, [&](const std::string& key) { return tree.keys.contains(key); });
  return of_model && recognised_format(tree.keys, formats).empty();
}

/// The model that a name means; nullptr where it means none, or several. The refusal comes where
/// the model itself is taken.
const Model* model_meant(const Catalog& catalog, const ModelNames& names,
                         const std::string& asked) {
  try {
    const auto taken = names.meant(asked);
    return taken ? &catalog.model(taken->id) : nullptr;
  } catch (const InputError&) {
    return nullptr;
  }
}

/// What rules of formats may ask of a model.
Json facts_of(const Model* model) {
  if (model == nullptr) return Json::object();
  const Architecture& architecture = model->architecture;
  const bool routed = std::ranges::any_of(
      architecture.runs, [](const BlockRun& run) { return run.block.moe.has_value(); });
  return {{"hidden_size", architecture.hidden},
          {"family", model->family},
          {"model_type", architecture.model_type},
          {"routed", routed},
          {"vision", architecture.tower.has_value()}};
}

/// A text of a request that may be left out. Throws InputError where it is something else.
std::string text_in(const Json& request, const char* key) {
  const Json& value = at_dotted(request, key);
  if (!value.is_null() && !value.is_string()) {
    throw InputError(std::string(key) + ": expected a text, got " + shown(value));
  }
  return value.is_null() ? "" : value.get<std::string>();
}

std::string sentence_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// "axolotl", "trl dpo": the format, and what starts the run.
std::pair<std::string, std::string> format_asked(const std::string& asked,
                                                 const ConfigFormats& formats) {
  const std::string name = small_letters(asked.substr(0, asked.find(' ')));
  const auto found = formats.find(name);
  if (found == formats.end() || found->second.order == 0) return {};
  return {name, asked.find(' ') == std::string::npos ? "" : asked};
}

/// What the framework takes for keys that the file does not have, in one sentence.
std::string default_words(const ConfigReading& reading) {
  std::vector<std::string> first, all;
  for (const auto& [key, use] : reading.uses) {
    if (!use.by_default || key == "model") continue;
    const Json& value = at_dotted(reading.request, key);
    const bool unsplit = contains(kRankCounts, std::string_view(key)) && value == 1;
    if (value.is_null() || unsplit) continue;
    const bool weighty = contains(kWeightyKeys, std::string_view(key));
    (weighty ? first : all).push_back(key + " " + sentence_of(value));
  }
  all.insert(all.begin(), first.begin(), first.end());
  return all.empty()
             ? ""
             : "not in the file, so " + reading.title + "'s defaults apply: " + join(all, ", ");
}

std::vector<std::string> waiting_words(const ConfigReading& reading,
                                       const QuestionOptions& options) {
  std::vector<std::string> all;
  for (const auto& [key, value] : reading.waiting.items()) {
    if (key == kLimitedSteps || key == kStepsOfEpoch) continue;  // told with what they come to
    const bool limited =
        reading.waiting.contains(kLimitedSteps) || reading.waiting.contains(kStepsOfEpoch);
    if (key == "workload.epochs" && (options.examples || limited)) continue;  // told with those
    all.push_back(key + " " + sentence_of(value) +
                  (key == "workload.epochs" ? " is used only with --examples"
                   : value == "fixed"
                       ? " is used only with --examples and --mean-length; without them, every row "
                         "is counted as full"
                       : " is used only with --examples and --mean-length; without them, the time "
                         "leaves out padding"));
  }
  return all;
}

void refuse_asked(const ConfigReading& reading) {
  if (reading.asked.empty()) return;
  throw InputError(join(each_of(reading.asked, &ConfigRemark::text), "\n"));
}

Json json_of_reading(const ConfigReading& reading) {
  Json used = Json::object();
  Json defaults = Json::array();
  for (const auto& [key, use] : reading.uses) {
    if (use.by_default) defaults.push_back(key);
    if (!use.key.empty()) used[key] = {{"key", use.key}, {"place", use.place}};
  }
  return {{"format", reading.format},   {"title", reading.title},
          {"used", std::move(used)},    {"by_default", std::move(defaults)},
          {"waiting", reading.waiting}, {"notes", each_of(reading.told, &ConfigRemark::text)}};
}

/// The method as the catalog would have it, with what it trains for.
void add_method(const ConfigReading& reading, const std::string& title, Catalog& catalog) {
  const Json& request = at_dotted(reading.request, "method");
  if (!request.is_object() || !request.contains("kind")) {
    throw InputError(title + ": has no method; expected --method");
  }
  const bool has_rank = request.contains("rank");
  Method method;
  for (const auto& [id, known] : catalog.methods) {
    const bool alike = known.request.at("kind") == request.at("kind") && known.fine_tunes();
    if (alike) method = known;
  }
  const std::string kind =
      method.short_title.empty() ? request.at("kind").get<std::string>() : method.short_title;
  method.id = kMethodOfConfig;
  method.title = kind + (has_rank ? " r" + request.at("rank").dump() : "") + " of " + title;
  method.request = request;
  method.objective = at_dotted(reading.request, "objective");
  method.grpo = at_dotted(reading.request, "grpo");
  if (!method.grpo.is_null()) {
    for (const auto& [mean, most, usual] : {std::tuple("prompt_mean", "prompt_length", 512),
                                            {"completion_mean", "completion_length", 1024}}) {
      if (!method.grpo.contains(mean)) method.grpo[mean] = method.grpo.value(most, usual);
    }
    if (!method.grpo.contains("group_size")) method.grpo["group_size"] = 8;
  }
  method.raw = {{"id", method.id},           {"title", method.title},
                {"short_title", kind},       {"description", method.title},
                {"request", method.request}, {"source", title},
                {"date", method.date}};
  if (!method.objective.is_null()) method.raw["objective"] = method.objective;
  if (!method.grpo.is_null()) method.raw["grpo"] = method.grpo;
  catalog.methods[method.id] = method;
}

/// The model that the file names is to be one of the catalog, or one is named beside it.
void check_model(const ConfigReading& reading, const Catalog& catalog, const std::string& file) {
  if (reading.model.empty()) throw InputError(file + ": names no model; expected --model");
  const ModelNames names(catalog, [] { return std::vector<SizeRow>(); });
  if (names.meant(reading.model)) return;
  const ConfigUse& use = reading.uses.at("model");
  const std::size_t slash = reading.model.find_last_of("/\\");
  const std::string last = slash == std::string::npos ? "" : reading.model.substr(slash + 1);
  const Model* alike = last.empty() ? nullptr : model_meant(catalog, names, last);
  throw InputError((use.place.empty() ? file : use.place + ": " + use.key) + ": no model " +
                   in_quotes(reading.model) +
                   " in the catalog; --model takes one of the same shape" +
                   (alike == nullptr ? "" : ": --model " + alike->id + " if it is that model"));
}

/// What the catalog says of the reading's names. `model` is the one that the run trains.
void meet_catalog(const Catalog& catalog, const ModelNames& names, const std::string& model,
                  ConfigReading& reading) {
  take_other_models(names, reading);
  const Model* trained = model_meant(catalog, names, model);
  if (trained != nullptr) meet_targets(trained->architecture, reading);
}

/// Examples of one optimizer step, pairs of a method that compares; nullopt where the number of
/// GPUs is not known. Counts of a config may be anything, so nothing here is multiplied as
/// integers.
std::optional<double> step_batch(const Json& request, double gpus) {
  const auto count = [&](const char* key) {
    const Json& value = at_dotted(request, key);
    return value.is_number() ? std::max(1.0, value.get<double>()) : 1.0;
  };
  if (at_dotted(request, "grpo").is_object()) {  // prompts of an optimizer step
    if (!at_dotted(request, "grpo.prompts_per_step").is_number()) return std::nullopt;
    return count("grpo.prompts_per_step") / (count("grpo.optimizer_steps") * count("grpo.epochs"));
  }
  if (!at_dotted(request, "workload.global_batch").is_null()) return count("workload.global_batch");
  if (gpus <= 0) return std::nullopt;
  const double split = count("layout.tp") * count("layout.pp") * count("layout.cp");
  const double ranks = std::max(1.0, std::floor(gpus / split));
  return count("workload.micro_batch") * count("workload.grad_accum") * ranks;
}

/// Examples of so many steps. Throws InputError where no run is so long.
std::int64_t examples_of(std::int64_t steps, double batch) {
  constexpr double kMost = 1e12;
  const double examples = static_cast<double>(steps) * batch;
  if (examples <= kMost) return static_cast<std::int64_t>(examples);
  throw InputError("the limit of " + format_integer(steps) + " steps of " +
                   format_number(batch, 0) + " examples: expected at most " +
                   format_number(kMost, 0) + " examples");
}

/// Steps that the config limits say how long the run is, unless --tokens does.
void put_steps(const ConfigReading& reading, const Json& request, std::int64_t gpus,
               QuestionOptions& options, TakenNames& taken) {
  if (!reading.waiting.contains(kLimitedSteps)) return;
  const auto steps = reading.waiting.at(kLimitedSteps).get<std::int64_t>();
  const std::string limit = "the limit of " + format_integer(steps) + " steps";
  if (options.tokens) return taken.tell("--tokens takes the place of " + limit);
  const auto batch = step_batch(request, static_cast<double>(gpus));
  if (!batch) return taken.tell(limit + " is not counted without --gpus");
  if (options.examples) taken.tell(limit + " takes the place of --examples");
  options.examples = examples_of(steps, *batch);
  options.epochs.reset();
  const bool generates = at_dotted(request, "grpo").is_object();
  taken.tell(limit + " is " + format_integer(steps) + " × " + shortest(*batch) +
             (generates ? " prompts" : " examples") + "; the epochs have no effect");
}

/// An epoch has no more examples than its steps take.
void put_steps_of_epoch(const ConfigReading& reading, const Json& request, std::int64_t gpus,
                        QuestionOptions& options, TakenNames& taken) {
  if (!reading.waiting.contains(kStepsOfEpoch) || options.tokens) return;
  const auto steps = reading.waiting.at(kStepsOfEpoch).get<std::int64_t>();
  const std::string limit = "the limit of " + format_integer(steps) + " steps per epoch";
  const auto batch = step_batch(request, static_cast<double>(gpus));
  if (!batch) return taken.tell(limit + " is not counted without --gpus");
  const std::int64_t most = examples_of(steps, *batch);
  if (options.examples && *options.examples <= most) return;
  options.examples = most;
  if (!options.epochs && reading.waiting.contains("workload.epochs")) {
    options.epochs = reading.waiting.at("workload.epochs").get<double>();
  }
  taken.tell(limit + " is " + format_integer(steps) + " × " + shortest(*batch) +
             " examples of each epoch");
}

/// Facts that options say, under the names that rules have for them.
Json facts_of(const QuestionOptions& options) {
  Json facts = Json::object();
  if (options.gpus) facts["gpus"] = *options.gpus;
  if (options.seq_len) facts["seq_len"] = *options.seq_len;
  if (options.mean_length) facts["mean_length"] = *options.mean_length;
  if (options.micro_batch) facts["micro_batch"] = *options.micro_batch;
  const GenerationOptions& generation = options.generation;
  if (generation.generation_gpus) facts["generation_gpus"] = *generation.generation_gpus;
  if (generation.prompt_length) facts["prompt_length"] = *generation.prompt_length;
  if (!options.method.empty()) facts["method"] = options.method;
  if (!options.model.empty()) facts["model"] = options.model;
  return facts;
}

/// The same for a request: tokens of whole sequences, unless it says how long it is.
void add_steps(const ConfigReading& reading, Json& request) {
  const Json& workload = at_dotted(request, "workload");
  const bool said = workload.contains("tokens") || workload.contains("examples");
  if (!reading.waiting.contains(kLimitedSteps) || !workload.is_object() || said) return;
  const Json& gpus = at_dotted(request, "layout.gpus");
  const auto batch = step_batch(request, gpus.is_number() ? gpus.get<double>() : 0);
  if (batch && at_dotted(request, "grpo").is_object()) {
    request["workload"]["examples"] =
        examples_of(reading.waiting.at(kLimitedSteps).get<std::int64_t>(), *batch);
    return;
  }
  const Json& length = at_dotted(request, "workload.seq_len");
  if (!batch || !length.is_number_integer()) return;
  const std::int64_t examples =
      examples_of(reading.waiting.at(kLimitedSteps).get<std::int64_t>(), *batch);
  const double tokens = static_cast<double>(examples) * length.get<double>() *
                        static_cast<double>(sequences_of(at_dotted(request, "objective")));
  if (tokens < 1 || tokens > tokens_kind().bounds.high) return;  // the length is refused by name
  request["workload"]["tokens"] = static_cast<std::int64_t>(tokens);
}

ConfigReading read_files(QuestionOptions& options, std::vector<ConfigTree> files,
                         const ConfigFormats& formats, const Catalog& catalog) {
  const auto [format, command] = format_asked(options.stack, formats);
  if (!format.empty()) options.stack.clear();
  const ModelNames names(catalog, [] { return std::vector<SizeRow>(); });
  const std::string model = options.model;
  const ConfigGiven given = {
      facts_of(options), command, [&](const std::string& named) {
        return facts_of(model_meant(catalog, names, model.empty() ? named : model));
      }};
  ConfigReading reading = read_config(std::move(files), formats, format, given);
  meet_catalog(catalog, names, model.empty() ? reading.model : model, reading);
  return reading;
}

}  // namespace

ConfigFormats sound_config_formats(const CatalogLayers& layers) {
  Faults faults;
  ConfigFormats formats = load_config_formats(layers, faults);
  faults.refuse();
  return formats;
}

std::optional<ConfigReading> take_training_config(QuestionOptions& options, Catalog& catalog,
                                                  TakenNames& taken) {
  if (options.config.empty()) return std::nullopt;
  std::string file = shown_path(options.config);
  const bool json = options.config.ends_with(".json");
  const ConfigFormats formats = sound_config_formats(options.catalog);
  std::vector<ConfigTree> files;
  const std::string text = read_file(options.config, kMostConfigBytes);
  try {
    files.push_back(tree_of(text, file));
  } catch (const InputError&) {
    if (json) return std::nullopt;
    throw;
  }
  const bool recognised = !recognised_format(files.front().keys, formats).empty();
  if (is_model_config(files.front(), formats) || (json && !recognised)) return std::nullopt;
  for (const std::string& other : options.other_configs) {
    files.push_back(tree_of(read_file(other, kMostConfigBytes), shown_path(other)));
  }
  ConfigReading reading = read_files(options, std::move(files), formats, catalog);
  reading.refuse();
  refuse_asked(reading);
  file = reading.file;
  taken.tell(file + " is read as " + reading.title);
  for (const ConfigRemark& remark : reading.told) taken.tell(remark.text());
  const std::string defaults = default_words(reading);
  if (!defaults.empty()) taken.tell(defaults);
  for (const std::string& words : waiting_words(reading, options)) taken.tell(words);
  if (!options.model.empty() && !reading.model.empty() && options.model != reading.model) {
    taken.tell("--model takes the place of " + in_quotes(reading.model));
  }
  if (options.model.empty()) {
    check_model(reading, catalog, file);
    options.model = reading.model;
  }
  if (options.method.empty()) {
    add_method(reading, file, catalog);
    options.method = kMethodOfConfig;
  } else {
    taken.tell("--method takes the place of what " + file + " trains");
  }
  const bool counted = options.examples && !options.epochs;
  if (counted && reading.waiting.contains("workload.epochs")) {
    options.epochs = reading.waiting.at("workload.epochs").get<double>();
  }
  options.read_config = json_of_reading(reading);
  return reading;
}

void put_training_config(const ConfigReading& reading, QuestionOptions& options, SheetSpec& sheet,
                         TakenNames& taken) {
  SpecScenario& scenario = sheet.scenarios.front();
  Json request = reading.request;
  for (const char* of_method : {"method", "objective", "grpo"}) request.erase(of_method);
  for (const char* key : {"startup_hours", "startup_hours_per_node", "checkpoint_share"}) {
    const Json& usual = at_dotted(scenario.request, std::string("workload.") + key);
    if (!usual.is_null()) request["workload"][key] = usual;
  }
  const Json& batching = at_dotted(request, "workload.batching");
  if (options.mean_length && !batching.is_null() && batching != "packed") {
    request["workload"]["mean_length"] = *options.mean_length;
  }
  const Json& count = at_dotted(request, "layout.gpus");
  const std::int64_t gpus = options.gpus.value_or(count.is_null() ? 0 : count.get<std::int64_t>());
  if (options.gpus && !count.is_null() && count != *options.gpus) {
    taken.tell("--gpus takes the place of layout.gpus " + count.dump());
    request["layout"].erase("dp");
  }
  if (gpus > 0) request["layout"]["gpus"] = gpus;
  if (gpus > 0) sheet.max_gpus = gpus;
  Json limited = request;
  const Json& grpo = at_dotted(reading.request, "grpo");
  if (!grpo.is_null()) limited["grpo"] = grpo;
  put_steps(reading, limited, gpus, options, taken);
  put_steps_of_epoch(reading, limited, gpus, options, taken);
  scenario.request = std::move(request);
  scenario.stack = reading.stack.empty() ? scenario.stack : reading.stack;
  scenario.methods.clear();
}

std::optional<Json> request_of_config(const Json& request, const ConfigFormats& formats,
                                      const Catalog& catalog, const ModelNames& names, Json& said) {
  const Json& config = at_dotted(request, "config");
  if (config.is_null()) return std::nullopt;
  if (!config.is_object() && !config.is_string()) {
    throw InputError("config: expected the keys of a training config or the text of one, got " +
                     shown(config));
  }
  ConfigTree tree;
  tree.file = kConfigInline;
  if (config.is_object()) {
    tree.keys = config;
  } else {
    tree = tree_of(config.get<std::string>(), kConfigInline);
  }
  QuestionOptions options;
  options.stack = text_in(request, "framework");
  if (!options.stack.empty() && format_asked(options.stack, formats).first.empty()) {
    throw InputError("framework: expected a format of training configs, got " +
                     in_quotes(options.stack) + did_you_mean(options.stack, keys_of(formats)));
  }
  const Json& gpus = at_dotted(request, "layout.gpus");
  if (gpus.is_number_integer()) options.gpus = gpus.get<std::int64_t>();
  const Json& length = at_dotted(request, "workload.seq_len");
  if (length.is_number_integer()) options.seq_len = length.get<std::int64_t>();
  GenerationOptions& generation = options.generation;
  for (const auto& [key, into] : {std::pair("grpo.generation_gpus", &generation.generation_gpus),
                                  std::pair("grpo.prompt_length", &generation.prompt_length)}) {
    const Json& value = at_dotted(request, key);
    if (value.is_number_integer()) *into = value.get<std::int64_t>();
  }
  const auto [format, command] = format_asked(options.stack, formats);
  ConfigGiven given = {facts_of(options), command, [&](const std::string& model) {
                         return facts_of(model_meant(catalog, names, model));
                       }};
  if (!at_dotted(request, "workload.mean_length").is_null()) {
    given.facts["mean_length"] = at_dotted(request, "workload.mean_length");
  }
  ConfigReading reading = read_config({std::move(tree)}, formats, format, given);
  const std::string model = text_in(request, "model");
  meet_catalog(catalog, names, model.empty() ? reading.model : model, reading);
  reading.refuse();
  refuse_asked(reading);
  Json whole = reading.request;
  if (!reading.model.empty()) whole["model"] = reading.model;
  if (!reading.stack.empty()) whole["stack"] = reading.stack;
  Json own = request;
  own.erase("config");
  own.erase("framework");
  whole.merge_patch(own);
  add_steps(reading, whole);
  said = json_of_reading(reading);
  return whole;
}

ConfigReading read_written(std::vector<ConfigTree> files, const ConfigFormats& formats,
                           const std::string& format, const std::string& trainer,
                           const Json& request, const Catalog& catalog) {
  ConfigGiven given;
  given.command = trainer;
  given.facts["gpus"] = at_dotted(request, "layout.gpus");
  const Json& mean = at_dotted(request, "workload.mean_length");
  if (!mean.is_null()) given.facts["mean_length"] = mean;
  given.model_facts = [&](const std::string&) {
    return facts_of(&catalog.model(request.at("model").get<std::string>()));
  };
  ConfigReading reading = read_config(std::move(files), formats, format, given);
  reading.refuse();
  refuse_asked(reading);
  return reading;
}

}  // namespace sizesheet
