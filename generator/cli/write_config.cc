// SPDX-License-Identifier: Apache-2.0
#include "cli/write_config.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/configs/config_format.h"
#include "catalog/configs/config_writer.h"
#include "cli/explanation.h"
#include "cli/training_config.h"
#include "config/reading.h"
#include "config/text/yaml_tree.h"
#include "config/written.h"
#include "sheet/fields.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/model/adapters.h"
#include "sizing/model/projections.h"
#include "sizing/request/question.h"
#include "sizing/request/stack_defaults.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

const ConfigWriter& writer_of(const std::map<std::string, ConfigWriter>& writers,
                              const Stack& stack) {
  const auto found = writers.find(stack.writer);
  if (found != writers.end()) return found->second;
  throw InputError("--write: no config of " + stack.id +
                   " can be written; expected --framework with one of " +
                   join(keys_of(writers), ", "));
}

Spread spread_of_shape(const LayoutShape& shape) {
  if (shape.dp * shape.cp == 1) return Spread::kSingle;
  return shape.shard == "none" ? Spread::kDdp : Spread::kSharded;
}

/// The request with what its stack does where it says nothing.
Json with_stack(const Json& request, const Catalog& catalog, Spread spread) {
  const Question question = question_to_explain(request, catalog);
  return merge_stack(request, question.stack_defaults, spread);
}

/// The request of a set-up with its layout and all that the search chose.
Json request_of_set_up(const Catalog& catalog, const SheetSpec& spec, const Row& row,
                       const RunCandidate& run) {
  Json request = request_of(catalog, spec, cell_of(spec, row));
  const Json& method = at_dotted(request, "method");
  if (method.is_string()) {
    const Method& known = catalog.method(method.get<std::string>());
    if (!known.objective.is_null()) request["objective"] = known.objective;
    if (!known.grpo.is_null()) request["grpo"] = known.grpo;
    request["method"] = known.request;
  }
  Json layout = written(run.layout);
  for (const auto& [inner, to] : {std::pair("micro_batch", "workload.micro_batch"),
                                  {"grad_accum", "workload.grad_accum"},
                                  {"recompute", "kernels.recompute"},
                                  {"loss", "kernels.loss"}}) {
    const Json value = at_dotted(layout, inner);
    const bool objective = request.contains("objective") && std::string(inner) == "loss";
    if (!value.is_null() && !objective) set_dotted(request, to, value);
    layout.erase(inner);
  }
  // What bounds and steers a search has nothing to say of the set-up that it found.
  for (const char* key : {"vary", "headroom", "max_gpus"}) request.erase(key);
  request["workload"].erase("global_batch");
  if (!request.contains("layout")) request["layout"] = Json::object();
  request["layout"].update(layout);
  return with_stack(request, catalog, spread_of_shape(run.layout));
}

/// The names behind a preset of targets, so that two ways to name the same adapters are compared as
/// one.
void name_targets(const Model& model, Json& request) {
  const Json& targets = at_dotted(request, "method.targets");
  if (!targets.is_string()) return;
  const Projections meant = preset_targets(model.architecture, targets.get<std::string>());
  if (!meant.empty()) set_dotted(request, "method.targets", names_of(meant));
}

/// Targets as a framework names them that has a list for attention and a switch for the rest.
void put_split_targets(const Model& model, Json& request) {
  Json named = request;
  name_targets(model, named);
  const Json& targets = at_dotted(named, "method.targets");
  if (!targets.is_array()) return;
  static const std::vector<std::string> kMlp = {"gate_proj", "up_proj", "down_proj"};
  std::vector<std::string> attention, mlp, others;
  bool head = false;
  for (const auto& name : targets.get<std::vector<std::string>>()) {
    if (contains({"q_proj", "k_proj", "v_proj"}, name)) {
      attention.push_back(name);
    } else if (name == "o_proj") {
      attention.emplace_back("output_proj");
    } else if (contains(kMlp, name)) {
      mlp.push_back(name);
    } else if (name == "lm_head") {
      head = true;
    } else {
      others.push_back(name);
    }
  }
  if (!mlp.empty() && mlp.size() < kMlp.size()) {
    others.insert(others.end(), mlp.begin(), mlp.end());
  }
  request["_attention_targets"] = attention;
  request["_mlp_targets"] = !mlp.empty();
  request["_head_target"] = head;
  if (!others.empty()) request["_other_targets"] = join(others, ", ");
}

/// Facts for lines and commands that no key of the request is.
void put_facts(const Catalog& catalog, const Row& row, const RunCandidate& run, Json& request) {
  const Model& model = catalog.model(row.model);
  const std::int64_t micro = at_dotted(request, "workload.micro_batch").get<std::int64_t>();
  const std::int64_t accumulated = at_dotted(request, "workload.grad_accum").get<std::int64_t>();
  if (!model.repository.empty()) request["_repository"] = model.repository;
  request["_model"] = model.id;
  request["_family"] = model.family;
  request["_nodes"] = run.nodes;
  const Json& tokens = at_dotted(request, "workload.tokens");
  if (tokens.is_number_integer()) request["_tokens"] = format_integer(tokens.get<std::int64_t>());
  request["_gpus_per_node"] = run.layout.gpus / std::max<std::int64_t>(run.nodes, 1);
  request["_global_batch"] = micro * accumulated * run.layout.dp;
  if (at_dotted(request, "kernels.precision").is_null()) {
    set_dotted(request, "kernels.precision", "bf16");  // as the request's reader takes it
  }
  const Json& rank = at_dotted(request, "method.rank");
  if (rank.is_number_integer()) request["_alpha"] = 2 * rank.get<std::int64_t>();
  const Json& targets = at_dotted(request, "method.targets");
  if (targets.is_array()) {
    request["_targets"] = join(targets.get<std::vector<std::string>>(), ",");
  }
  put_split_targets(model, request);
}

std::vector<std::string> heading(const ConfigWriter& writer, const Json& request) {
  Json line = request;
  for (const auto& [key, value] : request.items()) {
    if (key.starts_with('_')) line.erase(key);
  }
  return {"Written by sizesheet for " + writer.title + ", read at " + writer.source + ".",
          "The comment behind a line names the figure that depends on it.",
          "The request: " + line.dump()};
}

/// The request that the written files are read as, with what the stack does.
Json read_back(const WrittenConfig& config, const ConfigWriter& writer,
               const ConfigFormats& formats, const Catalog& catalog, const Json& request,
               Spread spread) {
  std::vector<ConfigTree> trees;
  for (const auto& [name, text] : config.files) trees.push_back(yaml_tree(text, name));
  const ConfigReading reading =
      read_written(std::move(trees), formats, writer.format, config.trainer, request, catalog);
  Json read = reading.request;
  for (const char* key : {"model", "gpu", "stack"}) {
    if (request.contains(key)) read[key] = request.at(key);
  }
  if (at_dotted(read, "layout.gpus").is_null()) {
    set_dotted(read, "layout.gpus", at_dotted(request, "layout.gpus"));
  }
  for (const std::string& key : writer.by_version) {
    if (key.starts_with("layout.") && read.contains("layout")) read["layout"].erase(key.substr(7));
  }
  const Json& batch = at_dotted(read, "workload.global_batch");
  if (batch.is_number() && batch == at_dotted(request, "_global_batch")) {
    set_dotted(read, "workload.grad_accum", at_dotted(request, "workload.grad_accum"));
    read["workload"].erase("global_batch");
  }
  if (spread == Spread::kSingle) {  // one replica has nothing to shard
    set_dotted(read, "layout.shard", at_dotted(request, "layout.shard"));
  }
  return with_stack(read, catalog, spread);
}

void refuse_other_files(const fs::path& folder, const WrittenConfig& config) {
  for (const auto& [name, text] : config.files) {
    const fs::path path = folder / name;
    if (!fs::exists(path)) continue;
    const bool same = fs::is_regular_file(path) && read_file(path) == text;
    if (same) continue;
    throw InputError("--write: " + shown_path(path) +
                     " is there already and says something else; name another folder");
  }
}

}  // namespace

WrittenPick write_pick(const CatalogLayers& layers, const Catalog& catalog, const SheetSpec& spec,
                       const Row& row, double epochs, const fs::path& folder) {
  const RunCandidate* run = row.set_up();
  if (run == nullptr) throw InputError("--write: the answer has no set-up");
  Faults faults;
  const auto writers = load_config_writers(layers, faults);
  faults.refuse();
  const ConfigFormats formats = sound_config_formats(layers);
  const Stack& stack = catalog.stack(cell_of(spec, row).scenario->stack);
  const ConfigWriter& writer = writer_of(writers, stack);
  Json request = request_of_set_up(catalog, spec, row, *run);
  put_facts(catalog, row, *run, request);
  request["_epochs"] = epochs;
  if (epochs == std::floor(epochs)) request["_epochs"] = static_cast<std::int64_t>(epochs);
  const WrittenConfig config = written_config(writer, request, heading(writer, request));
  std::vector<std::string> refused = config.refused;
  if (refused.empty()) {
    Json read;
    try {
      read = read_back(config, writer, formats, catalog, request, spread_of_shape(run->layout));
    } catch (const InputError& error) {
      throw InputError(std::string("--write: the files would be another run: ") + error.what());
    }
    Json named = request;
    for (Json* one : {&read, &named}) name_targets(catalog.model(row.model), *one);
    refused = unlike_keys(writer, named, read);
  }
  if (!refused.empty()) throw InputError("--write: " + join(refused, "\n"));
  refuse_other_files(folder, config);
  WrittenPick written;
  written.command = config.command;
  written.machines = run->nodes;
  try {
    make_folders(folder);
    for (const auto& [name, text] : config.files) {
      replace_file(folder / name, text);
      written.files.push_back(shown_path(folder / name));
    }
  } catch (const InputError& error) {
    throw InputError(std::string("--write: ") + error.what());
  }
  return written;
}

Json to_json(const WrittenPick& written) {
  return {{"files", written.files}, {"command", written.command}, {"machines", written.machines}};
}

}  // namespace sizesheet
