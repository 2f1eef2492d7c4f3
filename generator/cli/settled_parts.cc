// SPDX-License-Identifier: Apache-2.0
#include "cli/settled_parts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "catalog/catalog.h"
#include "cli/cloud_machines.h"
#include "cli/meant_kinds.h"
#include "cli/near_models.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "cli/said_figures.h"
#include "cli/word_meanings.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// nullopt of no count, and of one that nobody has.
std::optional<std::int64_t> count_said(const std::string& text) {
  const auto count = parsed<std::int64_t>(text);
  return count && *count > 0 && *count <= kMostCounted ? count : std::nullopt;
}

/// "2 nodes" with 8 GPUs each are 16.
void settle_nodes(MeantParts& parts, const WordMeanings& means) {
  const auto nodes = parts.options.extract(kNodes);
  if (nodes.empty()) return;
  const std::int64_t many = count_said(nodes.mapped()).value_or(0);
  std::string each = parts.has("--gpus") ? parts.options["--gpus"] : "";
  const bool one_card = parts.cards.size() == 1;
  if (each.empty() && one_card) each = parts.cards.front().count;
  std::int64_t per_node = count_said(each).value_or(0);
  if (per_node == 0 && one_card) {
    const auto machine = cloud_machine(means.catalog(), parts.cards.front().name);
    if (machine) {
      per_node = machine->gpus;
      parts.cards.front().name = machine->gpu;
      if (!machine->provider.empty()) parts.options.emplace("--provider", machine->provider);
    }
  }
  if (per_node == 0 || many == 0) {
    parts.left_out.push_back("--nodes " + nodes.mapped());
    return;
  }
  const std::string all = std::to_string(many * per_node);
  if (many > 1) {
    parts.note(nodes.mapped() + " nodes of " + std::to_string(per_node) + " GPUs are " + all +
               " GPUs");
  }
  if (parts.has("--gpus") || !one_card) {
    parts.options["--gpus"] = all;
  } else {
    parts.cards.front().count = all;
  }
}

/// Whether a method generates what it trains on.
bool names_grpo(const MeantParts& parts) {
  return std::ranges::any_of(parts.methods, [](const std::string& one) {
    return small_letters(one).find("grpo") != one.npos;
  });
}

/// How to say a run that steps measure.
std::string step_words(const MeantParts& parts) {
  const bool file = !parts.models.empty() && is_training_file(parts.models.front());
  if (file) {
    return "the steps of " + parts.models.front() +
           " are those in the file: max_steps; --tokens takes their place";
  }
  if (names_grpo(parts)) {
    return "a step of GRPO trains on prompts: say --examples, the steps times the prompts of a "
           "step, or --tokens";
  }
  return "a step is --global-batch sequences of --seq tokens: say both, or --tokens";
}

/// Steps are tokens where a batch and a length are said beside them.
void settle_steps(MeantParts& parts) {
  if (parts.steps.empty()) return;
  const auto said = [&](const std::string& option, const ValueKind& kind) {
    return parts.has(option) ? read_value(parts.options[option], kind).value : std::nullopt;
  };
  const auto batch = said("--global-batch", count_kind());
  const auto length = said("--seq", length_kind());
  if (!batch || !length || parts.has("--tokens") || parts.has("--examples")) {
    parts.left_out.push_back("--steps " + parts.steps);
    parts.note(step_words(parts));
    return;
  }
  const double tokens = parsed<double>(parts.steps).value_or(0) * *batch * *length;
  parts.options["--tokens"] = shortest(tokens);
  parts.note(parts.steps + " steps of " + shortest(*batch) + " sequences of " + shortest(*length) +
             " tokens are " + shortest(tokens) + " tokens");
  if (!names_grpo(parts)) return;
  parts.left_out.push_back("--seq " + parts.options["--seq"]);
  parts.note(
      "GRPO generates its sequences: --prompt-length and --completion-length say how long they "
      "are");
  parts.options.erase("--seq");
}

/// "batch 256" is of a step beside steps, else of a GPU.
void settle_batch(MeantParts& parts) {
  const auto batch = parts.options.extract(kBatch);
  if (batch.empty()) return;
  const bool of_step = !parts.steps.empty() && !parts.has("--global-batch");
  parts.options.emplace(of_step ? "--global-batch" : "--micro-batch", batch.mapped());
  if (of_step) parts.note("the batch of a step is --global-batch " + batch.mapped());
}

/// "12 runs" with "next quarter" are 4 per month; without a word of it they are those of a month.
void settle_runs(MeantParts& parts) {
  const auto runs = parts.options.extract(kRuns);
  if (runs.empty() || parts.has("--runs") || parts.run_counts.size() > 1) return;
  const double many = read_value(runs.mapped(), number_kind()).value.value_or(0);
  const bool per_month = parts.period == 0 || parts.period == 1;
  const std::string each = per_month ? runs.mapped() : runs_text(many * parts.period);
  parts.options["--runs"] = each;
  if (!per_month)
    parts.note(runs.mapped() + " runs " + parts.said_period + " are " + each + " per month");
}

/// "5x llama-3.1-8b" says runs where other words say of which time.
void settle_jobs(MeantParts& parts) {
  const bool alone = parts.job_counts.size() == 1 && parts.run_counts.empty();
  if (alone && parts.period > 0) {
    std::string many = parts.job_counts.front();
    while (!many.empty() && !is_digit(many.back())) many.pop_back();
    parts.options[kRuns] = many;
    parts.job_counts.clear();
  } else if (alone) {
    parts.left_out.push_back(parts.job_counts.front());
    parts.job_counts.clear();
  }
}

/// "budget" and "deadline" without an amount say nothing.
void leave_out_limits(MeantParts& parts) {
  for (const std::string& limit : parts.bare_limits) {
    const std::string option = "--" + limit;
    if (parts.has(option)) continue;
    parts.left_out.push_back(limit);
    const QuestionWord* word = question_word(option);
    if (word != nullptr) parts.note(option + " takes an amount: " + option + " " + word->example);
  }
}

/// "A100" and "80GB" are one card.
void settle_card_memory(MeantParts& parts, const WordMeanings& means) {
  if (parts.cards.size() != 1 || !parts.has("--vram")) return;
  const std::string name = parts.cards.front().name + " " + parts.options["--vram"];
  if (!means.gpu_in(name)) {
    parts.left_out.push_back(parts.options["--vram"]);
  } else {
    parts.cards.front().name = name;
  }
  parts.options.erase("--vram");
}

/// "runpod, lambda": a run is rented from one of them.
void join_sellers(MeantParts& parts) {
  parts.providers = each_once(parts.providers);
  if (parts.providers.size() > 1) parts.options["--provider"] = join(parts.providers, ",");
}

/// Stacks are compared; a run has one.
void join_stacks(MeantParts& parts) {
  parts.stacks = each_once(parts.stacks);
  if (parts.stacks.size() < 2) return;
  parts.options["--stack"] = join(parts.stacks, ",");
  parts.intent = "compare";
}

/// A family and a size that stand apart belong together: "llama, the 70b".
void join_near_models(MeantParts& parts) {
  for (SaidModel& one : parts.near_models) {
    if (one.family.empty() || !one.size.empty()) continue;
    const auto size = std::ranges::find_if(parts.near_models, [](const SaidModel& other) {
      return other.family.empty() && !other.size.empty();
    });
    const bool row = parts.models.size() == 1 && is_model_size(parts.models.front());
    if (size != parts.near_models.end()) {
      std::swap(one.size, size->size);
    } else if (row) {
      one.size = parts.models.front();
      parts.models.clear();
    }
  }
  std::erase_if(parts.near_models, [](const SaidModel& one) { return one.words().empty(); });
}

std::optional<NearModel> near_model(MeantParts& parts, const WordMeanings& means,
                                    const SaidModel& said) {
  const Catalog& catalog = means.catalog();
  if (said.family.empty()) return model_of_size(catalog, said.size);
  if (auto near = model_of_family(catalog, said.family, said.size)) return near;
  parts.left_out.push_back(said.size);
  return model_of_family(catalog, said.family, "");
}

}  // namespace

std::vector<std::string> each_once(const std::vector<std::string>& all) {
  std::vector<std::string> once;
  for (const std::string& one : all) {
    if (!contains(once, one)) once.push_back(one);
  }
  return once;
}

namespace {

/// "lora-r8" and "lora-r16" of "--rank 8,16".
void take_ranks(const std::vector<std::string>& ranks, MeantParts& parts) {
  if (parts.methods.empty()) parts.methods.emplace_back("lora");
  const std::vector<std::string> methods = std::exchange(parts.methods, {});
  for (const std::string& method : methods) {
    for (const std::string& rank : ranks) parts.methods.push_back(method + "-r" + rank);
  }
}

/// "8xh100" and "16xh100" of "--gpus 8,16".
void take_counts(const std::vector<std::string>& counts, MeantParts& parts) {
  if (parts.cards.empty()) {
    parts.cards.push_back({kExampleCard, ""});
    parts.note(std::string(kExampleCard) + " is an example: no GPU was named");
  }
  const std::string name = parts.cards.front().name;
  parts.cards.clear();
  for (const std::string& count : counts) parts.cards.push_back({name, count});
}

bool is_option_of_ask(const std::string& name) {
  const QuestionWord* word = question_word(name);
  return word != nullptr && std::ranges::count(word->commands, std::string_view("ask")) > 0;
}

/// Lengths, ranks and counts of GPUs are compared; of other options there is one value in a line.
void settle_lists(MeantParts& parts) {
  for (const auto& [name, values] : std::exchange(parts.lists, {})) {
    if (name == "--seq") {
      parts.options[name] = join(values, ",");
      parts.intent = "compare";
    } else if (name == "--rank") {
      take_ranks(values, parts);
      parts.intent = "compare";
    } else if (name == "--gpus") {
      take_counts(values, parts);
      parts.intent = "compare";
    } else {
      parts.options[name] = values.front();
      const std::vector<std::string> rest(values.begin() + 1, values.end());
      parts.left_out.push_back(name + " " + join(rest, ","));
      if (!is_option_of_ask(name)) continue;
      parts.note(name + " takes one value: run the line again with " + name + " " + rest.front() +
                 (rest.size() > 1 ? ", …" : ""));
    }
  }
}

}  // namespace

void settle_parts(MeantParts& parts, const WordMeanings& means) {
  settle_lists(parts);
  settle_nodes(parts, means);
  settle_steps(parts);
  settle_card_memory(parts, means);
  join_sellers(parts);
  join_stacks(parts);
}

void settle_counts(MeantParts& parts) {
  settle_batch(parts);
  settle_jobs(parts);
  settle_runs(parts);
  leave_out_limits(parts);
}

void settle_models(MeantParts& parts, const WordMeanings& means) {
  join_near_models(parts);
  for (const SaidModel& said : parts.near_models) {
    const bool wanted = parts.models.empty() || parts.compares();
    const auto near = wanted ? near_model(parts, means, said) : std::nullopt;
    if (!near) {
      parts.left_out.push_back(said.words());
      continue;
    }
    parts.models.push_back(near->id);
    parts.note(near->why);
  }
}

void note_two_runs(MeantParts& parts) {
  const auto sft = std::ranges::find_if(
      parts.left_out, [](const std::string& one) { return small_letters(one) == "sft"; });
  if (sft == parts.left_out.end()) return;
  if (parts.methods.empty()) {
    parts.left_out.erase(sft);  // full, LoRA and QLoRA are what it may mean
  } else {
    parts.note("SFT is a separate run: ask for it with lora or full");
  }
}

bool take_model_of_size(MeantParts& parts, const WordMeanings& means) {
  const std::string& name = parts.unknown_model;
  const auto near = model_of_size(means.catalog(), size_in_name(name));
  if (!near) return false;
  std::erase(parts.left_out, name);
  parts.left_out.push_back(name);
  parts.models.push_back(near->id);
  parts.note(near->id + " has the nearest size in the catalog; to ask about " + name +
             ", use --config config.json, its own file, in its place");
  return true;
}

}  // namespace sizesheet
