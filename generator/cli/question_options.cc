// SPDX-License-Identifier: Apache-2.0
#include "cli/question_options.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/model_names.h"
#include "catalog/models/families.h"
#include "catalog/models/model_entry.h"
#include "catalog/names.h"
#include "cli/area_names.h"
#include "cli/cloud_machines.h"
#include "cli/common_options.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "cli/said_generation.h"
#include "cli/taken_names.h"
#include "cost/rent.h"
#include "sheet/measures.h"
#include "sheet/spec.h"
#include "sizing/job/training.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr const char* kConfigId = "config";
constexpr const char* kNoStack = "none";

/// Puts the model of a config.json among those of the catalog, for this one question: the day of
/// reading does not matter.
void add_config(const std::string& file, Catalog& catalog) {
  const Json config = read_config_file(file);
  Faults faults;
  const EntryKeys keys =
      model_entry(config, shown_path(file),
                  {kConfigId, shown_path(file), "", shown_path(file), "1970-01"}, faults);
  faults.refuse();
  catalog.models[kConfigId] = entry_model(keys, faults);
  faults.refuse();
  catalog.models[kConfigId].architecture.remarks = config_remarks(config, Uncounted::kTold);
}

/// What is generated is as long as its own limits say.
void refuse_length(std::int64_t length, const Catalog& catalog,
                   const std::vector<std::string>& methods) {
  for (const std::string& id : methods) {
    const Method& method = catalog.method(id);
    if (method.grpo.is_null()) continue;
    throw InputError("--seq: " + method.title +
                     " generates its sequences; expected --prompt-length and "
                     "--completion-length, got " +
                     std::to_string(length));
  }
}

/// "lora-r16" with another rank is "lora-r32", "LoRA r8 on q and v" is "LoRA r32 on q and v".
std::string with_rank(const std::string& name, std::int64_t rank) {
  const std::string number = std::to_string(rank);
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    const bool begins = name[i - 1] == '-' || name[i - 1] == ' ';
    if (!begins || name[i] != 'r' || !is_digit(name[i + 1])) continue;
    const std::size_t end = std::min(name.find_first_not_of("0123456789", i + 1), name.size());
    return name.substr(0, i + 1) + number + name.substr(end);
  }
  return name + "-r" + number;
}

/// "lora r32", "QLoRA rank 8": the name without the rank, and the rank; 0 where it has none.
std::pair<std::string, std::int64_t> parts_of_method(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == name.npos || digits + 1 == name.size()) return {name, 0};
  const auto rank = parsed<std::int64_t>(name.substr(digits + 1));
  std::string rest = small_letters(name.substr(0, digits + 1));
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '-')) rest.pop_back();
  for (const std::string end : {"rank", "r"}) {
    const bool parted =
        rest.size() > end.size() + 1 && rest.ends_with(end) &&
        (rest[rest.size() - end.size() - 1] == ' ' || rest[rest.size() - end.size() - 1] == '-');
    if (!parted) continue;
    rest.resize(rest.size() - end.size() - 1);
    return {rest, rank.value_or(0)};
  }
  return {name, 0};
}

/// The method with another rank: the catalog's, else one that it gains.
std::string method_of_rank(std::int64_t rank, const std::string& id, Catalog& catalog) {
  const Method& method = catalog.method(id);
  Json request = method.request;
  request["rank"] = rank;
  for (const auto& [other, known] : catalog.methods) {
    const bool same = known.request == request && known.objective == method.objective &&
                      known.grpo == method.grpo;
    if (same) return other;
  }
  Method made = method;
  made.id = with_rank(id, rank);
  made.title = with_rank(method.title, rank);
  made.request = request;
  made.raw["id"] = made.id;
  made.raw["title"] = made.title;
  made.raw["request"] = request;
  return catalog.methods.emplace(made.id, made).first->first;
}

/// What an example of a data set is for the methods of a question.
struct ExampleTokens {
  std::int64_t sequences = 1;  ///< a pair of answers has two
  std::int64_t length = 0;     ///< of a sequence where `--mean-length` does not say it
  std::int64_t longest = 0;    ///< what is longer is cut; 0: no limit is known
  std::string words;           ///< behind the length: how it was taken
  bool generates = false;      ///< an example is a prompt, and completions come to it
};

/// A whole sequence, or both of a pair; of a method that generates, all completions of a prompt
/// with the prompt.
ExampleTokens example_tokens(const Catalog& catalog, const std::vector<std::string>& methods,
                             std::int64_t seq_len, const Json& said_grpo) {
  ExampleTokens found{1, seq_len, seq_len, ", a whole sequence each"};
  if (methods.empty()) return found;
  const Method& method = catalog.method(methods.front());
  found.sequences = sequences_of(method.objective);
  const bool alike = std::ranges::all_of(methods, [&](const std::string& id) {
    return sequences_of(catalog.method(id).objective) == found.sequences;
  });
  if (!alike) found.sequences = 1;
  if (methods.size() != 1 || method.grpo.is_null()) return found;
  Json grpo = method.grpo;
  if (said_grpo.is_object()) grpo.merge_patch(said_grpo);
  for (const char* key : {"group_size", "prompt_mean", "completion_mean"}) {
    if (!grpo.contains(key) || !grpo.at(key).is_number()) return found;  // refused by its reader
  }
  const auto group = grpo.at("group_size").get<double>();
  const double sequence =
      grpo.at("prompt_mean").get<double>() + grpo.at("completion_mean").get<double>();
  found.length = static_cast<std::int64_t>(std::ceil(group * sequence));
  found.longest = 0;
  found.generates = true;
  found.words = ": a prompt with each of its " + shortest(group) + " completions";
  return found;
}

/// Training tokens of a run where the options say them.
std::optional<std::int64_t> run_tokens(const RunOptions& options, const ExampleTokens& example,
                                       TakenNames& taken) {
  if (options.tokens && options.examples) {
    throw InputError("--examples: give either tokens or examples, not both");
  }
  if (options.mean_length && !options.examples) {
    throw InputError("--mean-length: is of examples, and needs --examples");
  }
  if (options.mean_length && example.generates) {
    throw InputError(
        "--mean-length: a run that generates is as long as its prompts and their completions; say "
        "--prompt-length and --completion-length");
  }
  if (!options.tokens && !options.examples) {
    if (options.epochs) throw InputError("--epochs: needs --tokens or --examples");
    return std::nullopt;
  }
  const double epochs = options.epochs.value_or(1);
  const std::int64_t length = options.mean_length.value_or(example.length);
  if (example.longest > 0 && length > example.longest) {
    const auto longer = std::bit_ceil(static_cast<std::uint64_t>(length));
    throw InputError("--seq: sequences of " + format_integer(example.longest) +
                     " tokens cut examples of " + format_integer(length) +
                     " (--mean-length); say --seq " + std::to_string(longer) + ", or longer");
  }
  const double once = options.tokens ? static_cast<double>(*options.tokens)
                                     : static_cast<double>(*options.examples * example.sequences) *
                                           static_cast<double>(length);
  if (once * epochs > tokens_kind().bounds.high) {
    throw InputError("--epochs: a run has at most " + shortest(tokens_kind().bounds.high) +
                     " tokens");
  }
  const auto tokens = static_cast<std::int64_t>(std::ceil(once * epochs));
  if (options.examples || options.epochs) {
    std::string words;
    if (options.epochs) words = shortest(epochs) + (epochs == 1 ? " epoch of " : " epochs of ");
    words += options.examples ? format_integer(*options.examples) +
                                    (example.sequences > 1 ? " pairs of 2 × " : " examples of ") +
                                    format_integer(length) + " tokens" +
                                    (options.mean_length ? "" : example.words)
                              : format_integer(*options.tokens) + " tokens";
    taken.tell(words + ": " + format_integer(tokens) + " tokens per run");
  }
  return tokens;
}

void put_length(const RunOptions& options, std::int64_t tokens, SheetSpec& sheet) {
  if (sheet.scenarios.front().request.contains("grpo")) {
    throw InputError(std::string(options.tokens ? "--tokens" : "--examples") +
                     ": the sheet's first scenario generates, and is as long as its "
                     "workload.examples; got " +
                     std::to_string(tokens));
  }
  sheet.tokens = tokens;
  sheet.adapter_tokens.reset();
}

/// A micro-batch that is said is not searched for.
void put_micro_batch(std::int64_t micro_batch, Json& request) {
  request["workload"]["micro_batch"] = micro_batch;
  if (!request.contains("vary")) return;
  Json& vary = request["vary"];
  const auto varied = std::ranges::find(vary, "micro_batch");
  if (varied != vary.end()) vary.erase(varied);
  if (vary.empty()) request.erase("vary");
}

/// A step is of a global batch, or of so many micro-batches on each GPU. With the latter and no
/// micro-batch the step is open, so one sequence is taken, as `explain` does.
void put_step(const RunOptions& options, Json& request, TakenNames& taken) {
  if (options.micro_batch) put_micro_batch(*options.micro_batch, request);
  if (options.global_batch) {
    request["workload"].erase("grad_accum");
    request["workload"]["global_batch"] = *options.global_batch;
  }
  if (!options.grad_accum) return;
  if (options.global_batch) {
    throw InputError("--grad-accum: --global-batch says the sequences of a step; say one of them");
  }
  const bool open = request.contains("vary") && contains(request.at("vary"), Json("micro_batch"));
  if (open || !request["workload"].contains("micro_batch")) {
    put_micro_batch(1, request);
    taken.tell("--grad-accum without --micro-batch: a micro-batch of 1");
  }
  request["workload"].erase("global_batch");
  request["workload"]["grad_accum"] = *options.grad_accum;
}

/// Offers of the seller and the region that are named, of any kind where it has no list prices.
void put_sellers(const RunOptions& options, const Catalog& catalog, SheetSpec& sheet) {
  if (!options.provider.empty()) {
    const std::vector<std::string> sellers = split(options.provider, ',');
    sheet.price_rules.providers = sellers;
    std::erase_if(sheet.price_rules.exclude_providers,
                  [&](const std::string& one) { return contains(sellers, one); });
    const bool lists = std::ranges::any_of(catalog.prices, [&](const Price& price) {
      return contains(sellers, price.provider) && contains(sheet.price_offers, price.offer);
    });
    if (!lists) sheet.price_offers.clear();
  }
  put_region(options.region, sheet.price_rules);
}

/// "lora" with --rank 64 is lora-r64, which is told once.
void take_method_of_rank(QuestionOptions& options, Catalog& catalog,
                         const std::vector<std::string>& usual, TakenNames& taken) {
  const std::string asked = options.method;
  const bool ranked = parts_of_method(asked).second != 0;
  if (ranked) {
    take_method(options.method, catalog, usual, taken);
  } else {
    options.method = resolved("method", asked, called_methods(catalog), usual);
  }
  options.method = methods_of_rank(*options.rank, {options.method}, catalog).front();
  if (ranked || options.method == asked) return;
  taken.tell("method " + in_quotes(asked) + " of rank " + std::to_string(*options.rank) + " is " +
             options.method);
}

}  // namespace

namespace {

/// The first file of `--config` and those beside it.
void add_files(CLI::App& command, QuestionOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          all_names("--config"),
          [&options](const std::vector<std::string>& files) {
            options.config = files.front();
            options.other_configs.assign(files.begin() + 1, files.end());
          },
          question_word("--config")->words)
      ->type_name("TEXT")
      ->type_size(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1, 8)
      ->allow_extra_args(false);
}

}  // namespace

namespace {

/// How each step runs.
void add_step_options(CLI::App& command, RunOptions& options) {
  add_number(command, "--rank", options.rank);
  add_text(command, "--stack", options.stack);
  add_number(command, "--micro-batch", options.micro_batch);
  add_number(command, "--global-batch", options.global_batch);
  add_number(command, "--grad-accum", options.grad_accum);
}

/// How long a run is, and what it is to be rented by.
void add_length_options(CLI::App& command, RunOptions& options) {
  add_number(command, "--tokens", options.tokens);
  add_number(command, "--examples", options.examples);
  add_number(command, "--mean-length", options.mean_length);
  add_number(command, "--epochs", options.epochs);
  add_generation(command, options.generation);
  add_number(command, "--deadline", options.deadline);
  add_text(command, "--provider", options.provider);
  add_text(command, "--region", options.region);
  add_number(command, "--headroom", options.headroom);
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  add_step_options(command, options);
  add_length_options(command, options);
}

void add_set_up(CLI::App& command, QuestionOptions& options, const QuestionHelp& help) {
  command.add_option("words", options.words, help.words);
  add_text(command, "--model", options.model);
  add_files(command, options);
  add_text(command, "--method", options.method, help.method);
  add_text(command, "--gpu", options.gpu, help.gpu);
  add_number(command, "--gpus", options.gpus, help.gpus, help.most_gpus);
  add_number(command, "--seq", options.seq_len);
  add_step_options(command, options);
}

void add_answer(CLI::App& command, QuestionOptions& options, const QuestionHelp& help) {
  add_format(command, options.format, {"text", "json"});
  add_sheet(command, options, help.sheet);
  add_catalog(command, options.catalog);
}

void add_question(CLI::App& command, QuestionOptions& options, const QuestionHelp& help) {
  add_set_up(command, options, help);
  add_length_options(command, options);
  add_number(command, "--budget", options.budget);
  add_answer(command, options, help);
}

bool names_model(const QuestionOptions& options, const std::string& command) {
  if (!options.model.empty() && !options.config.empty()) {
    throw InputError(command + ": expected a model, or --config with the config.json of one");
  }
  return !options.model.empty() || !options.config.empty();
}

void take_model_file(QuestionOptions& options, Catalog& catalog) {
  std::error_code none;
  if (!options.model.ends_with(".json") || !std::filesystem::is_regular_file(options.model, none)) {
    return;
  }
  if (options.config.empty()) {
    options.config = std::exchange(options.model, "");
    return;
  }
  add_config(options.model, catalog);
  options.model = kConfigId;
}

ModelTaken take_question(QuestionOptions& options, Catalog& catalog, const UsualNames& usual,
                         TakenNames& taken) {
  if (options.model.empty()) {
    add_config(options.config, catalog);
    options.model = kConfigId;
  }
  ModelTaken model = take_model(options.model, catalog, options, taken);
  take_names(options, catalog, usual, taken);
  return model;
}

std::string known_region(const std::string& region, const Catalog& catalog) {
  const std::string asked = small_letters(region);
  for (const std::string& wanted : {asked, asked.ends_with('*') ? asked : asked + "*"}) {
    const bool found = std::ranges::any_of(
        catalog.prices, [&](const Price& price) { return is_in_region(price, wanted); });
    if (found) return wanted;
  }
  return "";
}

void take_region(std::string& region, const Catalog& catalog, TakenNames& taken) {
  if (region.empty()) return;
  if (const std::string wanted = known_region(region, catalog); !wanted.empty()) {
    std::vector<std::string> places = places_of_area(wanted);
    if (places.empty()) places = regions_of_place(wanted);
    if (places.size() > 1) {
      taken.tell("region " + in_quotes(region) + " is " + join(places, ", "));
    } else if (small_letters(region) != wanted) {
      taken.tell("region " + in_quotes(region) + " is " + wanted);
    }
    region = wanted;
    return;
  }
  std::vector<std::string> known;
  for (const Price& price : catalog.prices) {
    const bool place = !contains({"any", "unstated", ""}, price.region);
    if (place && !contains(known, price.region)) known.push_back(price.region);
  }
  const bool placed = !area_of_region(region).empty();
  throw InputError("--region: no price is of " + in_quotes(region) +
                   (placed ? "; nearest are " + join(nearest_regions(region, known), ", ")
                           : did_you_mean(region, known)));
}

void take_rules(RunOptions& options, const Catalog& catalog, TakenNames& taken) {
  if (small_letters(options.stack) == kNoStack) {
    throw InputError(
        "--stack: none is what estimate has without a stack, and explain alone takes "
        "it; expected one of " +
        join(keys_of(catalog.stacks), ", "));
  }
  take_name(options.stack, "stack", called_stacks(catalog), taken);
  std::vector<std::string> sellers = split(options.provider, ',');
  for (std::string& one : sellers) take_name(one, "provider", called_providers(catalog), taken);
  options.provider = join(sellers, ",");
  take_region(options.region, catalog, taken);
}

void take_method(std::string& name, Catalog& catalog, const std::vector<std::string>& usual,
                 TakenNames& taken) {
  if (name.empty()) return;
  const auto all = called_methods(catalog);
  const auto [rest, rank] = parts_of_method(name);
  if (rank == 0 || meant("method", name, all, usual)) {
    take_name(name, "method", all, taken, usual);
    return;
  }
  const std::string asked = name;
  name = methods_of_rank(rank, {resolved("method", rest, all, usual)}, catalog).front();
  if (name != asked) taken.tell("method " + in_quotes(asked) + " is " + name);
}

void take_names(QuestionOptions& options, Catalog& catalog, const UsualNames& usual,
                TakenNames& taken) {
  if (options.rank && !options.method.empty()) {
    take_method_of_rank(options, catalog, usual.methods, taken);
  } else {
    take_method(options.method, catalog, usual.methods, taken);
  }
  options.whole_machine = take_machine(options.gpu, options.gpus, options.provider, catalog, taken);
  take_counted_card(options.gpu, options.gpus, catalog, usual.gpus);
  take_name(options.gpu, "GPU", called_gpus(catalog), taken, usual.gpus);
  take_rules(options, catalog, taken);
  refuse_unsold(options.provider, options.gpu, catalog);
}

std::vector<std::string> methods_of_rank(std::int64_t rank, const std::vector<std::string>& methods,
                                         Catalog& catalog) {
  std::vector<std::string> found;
  for (const std::string& id : methods) {
    if (!trains_adapters(catalog.method(id))) continue;
    std::string of_rank = method_of_rank(rank, id, catalog);
    if (!contains(found, of_rank)) found.push_back(std::move(of_rank));
  }
  if (!found.empty()) return found;
  throw InputError("--rank: " + (methods.empty() ? "the method" : methods.front()) +
                   " trains every weight and has no rank; say --method lora");
}

std::int64_t sequences_of(const Json& objective) {
  if (!objective.is_object()) return 1;
  const auto kind = value_of(kTrainings, objective.value("kind", ""));
  return kind ? facts_of(*kind).sequences : 1;
}

void ask_scenario(const RunOptions& options, const Catalog& catalog,
                  const std::vector<std::string>& methods, const std::string& gpu, SheetSpec& sheet,
                  TakenNames& taken) {
  sheet.scenarios.resize(1);
  SpecScenario& scenario = sheet.scenarios.front();
  if (!options.stack.empty()) {
    const std::string elsewhere =
        gpu.empty() ? "" : vendor_fault(catalog.stack(options.stack), catalog.gpu(gpu));
    if (!elsewhere.empty()) throw InputError("--stack: " + elsewhere);
    scenario.stack = options.stack;
    scenario.methods.clear();
  }
  if (options.gpus) sheet.max_gpus = *options.gpus;
  if (options.seq_len) {
    refuse_length(*options.seq_len, catalog, methods);
    scenario.request["workload"]["seq_len"] = *options.seq_len;
  }
  put_step(options, scenario.request, taken);
  const Json workload = scenario.request.value("workload", Json::object());
  const auto tokens =
      run_tokens(options,
                 example_tokens(catalog, methods, workload.value("seq_len", std::int64_t{4096}),
                                options.said_grpo),
                 taken);
  if (tokens) put_length(options, *tokens, sheet);
  if (options.headroom) sheet.headroom = *options.headroom;
  if (options.deadline) sheet.deadline_hours = options.deadline;
  put_sellers(options, catalog, sheet);
}

}  // namespace sizesheet
