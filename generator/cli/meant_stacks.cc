// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_stacks.h"

#include <algorithm>
#include <filesystem>

#include "catalog/catalog.h"
#include "catalog/names.h"
#include "cli/line_reading.h"
#include "cli/meant_options.h"
#include "cli/near_lines.h"
#include "cli/question_words.h"
#include "cli/word_meanings.h"
#include "cli/word_table.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kConfigFolder = "cfg";

/// What frameworks are called beside their own names.
constexpr WordPair kStackNames[] = {{"trl", "hf-trl"},
                                    {"huggingface", "hf-trl"},
                                    {"transformers", "hf-trl"},
                                    {"fsdp", "hf-trl"},
                                    {"fsdp1", "hf-trl"},
                                    {"fsdp2", "hf-trl"},
                                    {"llamafactory", "llama-factory"},
                                    {"nemo", "nemo-automodel"},
                                    {"automodel", "nemo-automodel"},
                                    {"megatron", "megatron-bridge"},
                                    {"swift", "ms-swift"}};

bool is_config_noun(const std::string& word) {
  return contains({"config", "configs", "configuration", "yaml", "yml", "recipe", "cfg"}, word);
}

bool is_writing_verb(const std::string& word) {
  return contains({"write", "generate", "create", "make", "emit", "produce", "output", "export",
                   "save", "print"},
                  word);
}

/// "axolotl.yaml": a file that is yet to be written.
bool is_new_config(const std::string& word) {
  const bool yaml = word.ends_with(".yaml") || word.ends_with(".yml");
  return yaml && !std::filesystem::exists(word);
}

bool can_be_written(const Catalog& catalog, const std::string& stack) {
  const auto found = catalog.stacks.find(stack);
  return found != catalog.stacks.end() && !found->second.writer.empty();
}

/// The stacks whose configs can be written, between commas.
std::string written_stacks(const Catalog& catalog) {
  std::vector<std::string> known;
  for (const std::string& id : keys_of(catalog.stacks)) {
    if (can_be_written(catalog, id)) known.push_back(id);
  }
  return join(known, ", ");
}

}  // namespace

std::string stack_meant(const std::string& name, const WordMeanings& means) {
  if (means.is_stack(name)) return name;
  return std::string(meant_in(kStackNames, small_letters(name)));
}

bool take_stack(LineReading& line) {
  const std::string name = line.letters(line.at);
  const std::string two = name + " " + line.letters(line.at + 1);
  const bool pair = line.at + 1 < line.words.size() && line.means.is_stack(two);
  const std::string stack = pair ? two : stack_meant(name, line.means);
  // "nemo 12b" is a model, too.
  if (stack.empty() || (name == "nemo" && !line.parts.writes)) return false;
  if (stack != name && !pair) {
    line.parts.note(in_quotes(name) + " is taken as " + stack +
                    (name.starts_with("fsdp") ? ", which shards with FSDP" : ""));
  }
  put_figure("--stack", stack, line.parts);
  line.at += pair ? 2 : 1;
  return true;
}

bool wishes_config(const LineReading& line) {
  bool noun = false, verb = false, stack = false, file = false, yaml = false;
  for (std::size_t i = 0; i < line.words.size(); ++i) {
    const std::string word = line.letters(i);
    if (looks_like_option(word)) {
      ++i;  // its value is of it
      continue;
    }
    if (is_config_file(word) && !is_new_config(word)) return false;  // a run is read from a file
    noun = noun || is_config_noun(word);
    yaml = yaml || contains({"yaml", "yml"}, word);
    verb = verb || is_writing_verb(word);
    file = file || is_new_config(word);
    stack = stack || !stack_meant(word, line.means).empty();
  }
  const bool first = line.letters(0) == "config";
  return yaml || (noun && (verb || stack || first)) || (file && verb);
}

bool take_wish(LineReading& line) {
  if (!line.parts.writes) return false;
  const std::string word = line.letters(line.at);
  if (is_new_config(word)) {
    put_config_file(word, line.means, line.parts);
  } else if (!is_config_noun(word) && !is_writing_verb(word)) {
    return false;
  }
  ++line.at;
  return true;
}

bool is_config_wish(const std::string& value, const WordMeanings& means) {
  return value.ends_with(".yaml") || value.ends_with(".yml") || !stack_meant(value, means).empty();
}

void put_config_file(const std::string& file, const WordMeanings& means, MeantParts& parts) {
  parts.writes = true;
  const std::string stem = std::filesystem::path(file).stem().string();
  const std::string stack = stack_meant(stem, means);
  if (!stack.empty() && !parts.has("--stack")) put_figure("--stack", stack, parts);
  if (file != stem) {
    parts.note("--write names a folder, in which the config is put, and no file such as " + file);
  }
}

void settle_wish(const WordMeanings& means, MeantParts& parts) {
  const Catalog& catalog = means.catalog();
  const std::string known = written_stacks(catalog);
  if (!parts.has("--stack")) {
    parts.options["--write"] = kConfigFolder;
    parts.note("--stack chooses the framework of the config: " + known);
    return;
  }
  const std::string said = parts.options["--stack"];
  const auto stack = meant("stack", said, called_stacks(catalog));
  if (stack && can_be_written(catalog, *stack)) {
    parts.options["--write"] = kConfigFolder;
    return;
  }
  parts.left_out.emplace_back("config");
  parts.note("no config of " + stack.value_or(said) + " can be written; --write " + kConfigFolder +
             " writes one with --stack " + known);
}

}  // namespace sizesheet
