// SPDX-License-Identifier: Apache-2.0
#include "render/html/frameworks_page.h"

#include "render/html/advice_page.h"
#include "render/html/cells.h"
#include "render/html/frame.h"
#include "render/html/proof.h"
#include "render/html/worksheet.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

std::string shard_words(const std::string& shard) {
  if (shard == "zero3") return "FSDP";
  if (shard == "zero2") return "ZeRO-2";
  return shard == "zero1" ? "ZeRO-1" : "";
}

/// "DP 8, TP 2, EP 8, ZeRO-1, blocks recomputed"; "whole model" where nothing is spread.
std::string layout_in_full(const LayoutShape& layout) {
  std::vector<std::string> parts;
  const auto degree = [&](const char* name, std::int64_t ranks) {
    if (ranks > 1) parts.push_back(std::string(name) + "\u00a0" + format_integer(ranks));
  };
  degree("DP", layout.dp);
  degree("TP", layout.tp);
  degree("PP", layout.pp);
  degree("CP", layout.cp);
  degree("EP", layout.ep);
  if (!shard_words(layout.shard).empty()) parts.push_back(shard_words(layout.shard));
  if (layout.recompute == "modules") parts.push_back("some modules recomputed");
  if (layout.recompute == "full") parts.push_back("blocks recomputed");
  if (layout.recompute == "sublayer") parts.push_back("sublayers recomputed");
  if (layout.gpus == 1) parts.insert(parts.begin(), "whole model");
  return join(parts, ", ");
}

void put_gpus(Json& row, const std::string& name, const LayoutShape& layout, std::int64_t nodes) {
  row[name + "_gpus"] = format_integer(layout.gpus);
  row[name + "_nodes"] = format_integer(nodes);
}

std::string gb_words(const std::optional<double>& gigabytes) {
  return gigabytes ? format_number(*gigabytes, 1) : std::string(kAbsent);
}

Json glance_row(const SheetFrameworkSet& set, const SheetFrameworkRow& row) {
  Json values = {{"glance_id", set.id + "-" + row.id},
                 {"glance_title", row.title},
                 {"glance_tokens", format_integer(row.seq_len)},
                 {"glance_layout", layout_in_full(row.layout)},
                 {"glance_trainable", millions(row.trainable)},
                 {"glance_gib", format_gib(row.device, 1)},
                 {"glance_evidence", row.evidence},
                 {"glance_words", row.words},
                 {"glance_has_recipe", !row.recipe.empty()},
                 {"glance_recipe", "#" + set.id + "-recipe-" + row.recipe}};
  put_gpus(values, "glance", row.layout, row.nodes);
  put_verdict(values, "glance", row.verdict, row.device, row.capacity);
  return values;
}

/// Set-ups that nobody is known to have run: guessed by a guide, or found by the search here.
Json open_rows(const SheetFrameworkSet& set) {
  Json rows = Json::array();
  for (const SheetFrameworkRow& row : set.rows) {
    if (row.evidence != "theoretical" && row.evidence != "computed") continue;
    Json values = {{"open_title", row.title},
                   {"open_framework", row.framework},
                   {"open_gpus", format_integer(row.layout.gpus)},
                   {"open_tokens", format_integer(row.seq_len)},
                   {"open_gib", format_gib(row.device, 1)},
                   {"open_evidence", row.evidence},
                   {"open_words", row.words}};
    for (const TrainingFramework& framework : set.frameworks) {
      if (framework.id == row.framework) values["open_framework"] = framework.title;
    }
    put_verdict(values, "open", row.verdict, row.device, row.capacity);
    rows.push_back(values);
  }
  return rows;
}

Json glance_frameworks(const SheetFrameworkSet& set) {
  Json frameworks = Json::array();
  for (const TrainingFramework& framework : set.frameworks) {
    Json values = {{"framework_id", set.id + "-" + framework.id},
                   {"framework_title", framework.title},
                   {"framework_words", framework.words},
                   {"framework_date", framework.date},
                   {"glance_rows", Json::array()}};
    put_source(values, "source", framework.source);
    for (const SheetFrameworkRow& row : set.rows) {
      if (row.framework == framework.id) values["glance_rows"].push_back(glance_row(set, row));
    }
    frameworks.push_back(values);
  }
  return frameworks;
}

Json sequence_row(const SheetSequenceRow& row) {
  Json values = {{"seq_len", format_integer(row.seq_len)},
                 {"seq_tp", format_integer(row.layout.tp)},
                 {"seq_cp", format_integer(row.layout.cp)},
                 {"seq_kept", format_gib(row.kept, 1)},
                 {"seq_gib", format_gib(row.device, 1)},
                 {"seq_bound", row.bound},
                 {"seq_printed_activations", gb_words(row.printed_activations_gb)},
                 {"seq_printed_total", gb_words(row.printed_total_gb)}};
  values["seq_batch"] =
      row.largest_micro_batch ? format_integer(*row.largest_micro_batch) : std::string(kAbsent);
  put_gpus(values, "seq", row.layout, row.nodes);
  put_verdict(values, "seq", row.verdict, row.device, row.capacity);
  return values;
}

void put_sequences(Json& values, const SheetFrameworkSet& set) {
  values["sequence_words"] = set.sequences.words;
  values["sequence_evidence"] = set.sequences.evidence;
  values["sequence_sets"] = Json::array();
  for (const SheetSequenceSet& variant : set.sequences.sets) {
    Json rows = Json::array();
    for (const SheetSequenceRow& row : variant.rows) rows.push_back(sequence_row(row));
    values["sequence_sets"].push_back({{"sequence_title", variant.title}, {"sequence_rows", rows}});
  }
}

std::string framework_title(const SheetFrameworkSet& set, const std::string& id) {
  for (const TrainingFramework& framework : set.frameworks) {
    if (framework.id == id) return framework.title;
  }
  return id;
}

/// The file at its commit; nothing to follow where the file itself was not seen.
std::string file_address(const LaunchRecipe& recipe) {
  const std::string place = recipe.repository + "/blob/" + recipe.commit + "/" + recipe.path;
  return recipe.commit.empty() ? recipe.path : "https://github.com/" + place;
}

Json recipe_row(const SheetFrameworkSet& set, const LaunchRecipe& recipe) {
  constexpr std::size_t kShortCommit = 8;
  Json values = {{"recipe_id", set.id + "-recipe-" + recipe.id},
                 {"recipe_title", recipe.title},
                 {"recipe_framework", framework_title(set, recipe.framework)},
                 {"recipe_gpus", format_integer(recipe.gpus) + "\u00a0×\u00a0" + recipe.hardware},
                 {"recipe_nodes", format_integer(recipe.nodes)},
                 {"recipe_what", recipe.what},
                 {"recipe_command", recipe.command},
                 {"recipe_evidence", recipe.evidence},
                 {"recipe_date", recipe.date}};
  put_source(values, "source", file_address(recipe));
  values["source_text"] =
      recipe.repository + " " + recipe.path +
      (recipe.commit.empty() ? std::string() : " @" + recipe.commit.substr(0, kShortCommit));
  put_source(values, "told", recipe.source);
  return values;
}

Json set_values(const SheetFrameworkSet& set) {
  Json values = {{"set_id", set.id},
                 {"set_title", set.title},
                 {"set_words", set.words},
                 {"set_date", set.date},
                 {"set_gpu", set.gpu_name},
                 {"set_framework", framework_title(set, set.sequences.framework)},
                 {"layers_framework", framework_title(set, set.layers.framework)},
                 {"comparison_framework", framework_title(set, set.comparison.framework)}};
  put_source(values, "source", set.source);
  values["glance_frameworks"] = glance_frameworks(set);
  values["open_rows"] = open_rows(set);
  values["open_count"] = format_integer(static_cast<std::int64_t>(values["open_rows"].size()));
  values["glance_count"] = format_integer(static_cast<std::int64_t>(set.rows.size()));
  values["has_open"] = !values["open_rows"].empty();
  put_sequences(values, set);
  put_components(values, set);
  put_adapters(values, set);
  put_layers(values, set);
  put_comparison(values, set);
  values["recipe_rows"] = Json::array();
  for (const LaunchRecipe& recipe : set.recipes) {
    values["recipe_rows"].push_back(recipe_row(set, recipe));
  }
  return values;
}

}  // namespace

void put_verdict(Json& row, const std::string& name, const std::string& verdict,
                 std::int64_t device, std::int64_t capacity) {
  CountCheck check;
  check.verdict = verdict;
  check.device = device;
  row[name + "_class"] = verdict;
  row[name + "_mark"] = verdict_mark(verdict);
  row[name + "_verdict"] = verdict_words(check, capacity);
}

std::string millions(std::int64_t count) {
  constexpr double kMillion = 1e6;
  constexpr std::int64_t kManyMillions = 100'000'000;
  const int decimals = count < kManyMillions ? 2 : 1;
  return format_number(static_cast<double>(count) / kMillion, decimals) + "\u00a0M";
}

Json frameworks_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kFrameworks, "Frameworks · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "frameworks");
  values["framework_sets"] = Json::array();
  for (const SheetFrameworkSet& set : sheet.frameworks) {
    values["framework_sets"].push_back(set_values(set));
  }
  put_settings(values, sheet);
  return values;
}

}  // namespace sizesheet
