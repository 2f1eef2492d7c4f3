// SPDX-License-Identifier: Apache-2.0
#include "cli/said_generation.h"

#include <cmath>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/taken_names.h"
#include "sizing/job/training.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

struct SaidKey {
  const char* key;
  const char* option;
  std::optional<std::int64_t> value;
};

std::vector<SaidKey> said_keys(const GenerationOptions& options) {
  std::vector<SaidKey> said;
  for (const SaidKey& one :
       {SaidKey{"group_size", "--group-size", options.group_size},
        SaidKey{"prompt_length", "--prompt-length", options.prompt_length},
        SaidKey{"completion_length", "--completion-length", options.completion_length},
        SaidKey{"generation_gpus", "--generation-gpus", options.generation_gpus}}) {
    if (one.value) said.push_back(one);
  }
  return said;
}

/// A length of the method, the engine's own where the method says none.
struct LengthOfMethod {
  const char* longest;
  const char* mean;
  std::int64_t usual;
  const char* words;
};

void put_longest(const LengthOfMethod& of, std::int64_t longest, Json& grpo, TakenNames& taken) {
  const double before = grpo.value(of.longest, static_cast<double>(of.usual));
  grpo[of.longest] = longest;
  if (!grpo.contains(of.mean) || !grpo.at(of.mean).is_number()) return;
  const double share = static_cast<double>(longest) / before;
  const double mean = std::max(1.0, std::round(grpo.at(of.mean).get<double>() * share));
  grpo[of.mean] = mean;
  taken.tell(std::string(of.words) + " of at most " + format_integer(longest) +
             " tokens; the mean follows the limit: " + format_number(mean, 0));
}

/// GPUs that generate beside the trainer's; only servers have some.
void put_servers(std::int64_t gpus, const Method& method, Json& grpo) {
  if (grpo.value("generation", "colocated") != "server") {
    throw InputError("--generation-gpus: " + method.title +
                     " generates on the GPUs that train; expected a --config with a vLLM server");
  }
  grpo["generation_gpus"] = gpus;
}

}  // namespace

void add_generation(CLI::App& command, GenerationOptions& options) {
  add_number(command, "--group-size", options.group_size);
  add_number(command, "--prompt-length", options.prompt_length);
  add_number(command, "--completion-length", options.completion_length);
  add_number(command, "--generation-gpus", options.generation_gpus);
}

void take_generation(const GenerationOptions& options, const std::vector<std::string>& methods,
                     Catalog& catalog, TakenNames& taken) {
  if (!options.any()) return;
  const GrpoSpec usual;
  bool some = false;
  for (const std::string& id : methods) {
    Method& method = catalog.methods.at(id);
    if (!method.grpo.is_object()) continue;
    some = true;
    Json& grpo = method.grpo;
    if (options.group_size) grpo["group_size"] = *options.group_size;
    if (options.prompt_length) {
      put_longest({"prompt_length", "prompt_mean", usual.prompt_length, "prompts"},
                  *options.prompt_length, grpo, taken);
    }
    if (options.completion_length) {
      put_longest({"completion_length", "completion_mean", usual.completion_length, "completions"},
                  *options.completion_length, grpo, taken);
    }
    if (options.generation_gpus) put_servers(*options.generation_gpus, method, grpo);
    method.raw["grpo"] = grpo;
  }
  if (some) return;
  const SaidKey first = said_keys(options).front();
  throw InputError(std::string(first.option) + ": " +
                   (methods.empty() ? "the method" : catalog.method(methods.front()).title) +
                   " generates no completions; say --method grpo");
}

void refuse_said_twice(const GenerationOptions& options, const Json& said_grpo) {
  for (const SaidKey& one : said_keys(options)) {
    if (!said_grpo.is_object() || !said_grpo.contains(one.key)) continue;
    throw InputError(std::string("--request: grpo.") + one.key + " is said twice, " + one.option +
                     " says it too");
  }
}

}  // namespace sizesheet
