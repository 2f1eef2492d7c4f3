// SPDX-License-Identifier: Apache-2.0
#include "render/html/frameworks_page.h"

#include "render/html/advice_page.h"
#include "render/html/frame.h"
#include "render/html/worksheet.h"
#include "sheet/field_io.h"
#include "support/text.h"

namespace sizesheet {

namespace {

/// "DP 8, TP 2, EP 8, ZeRO-1, blocks recomputed"; "whole model" where nothing is spread.
std::string layout_in_full(const LayoutShape& layout) {
  std::vector<std::string> parts;
  const auto degree = [&](const char* name, std::int64_t ranks) {
    if (ranks > 1) parts.push_back(std::string(name) + "\u00a0" + format_integer(ranks));
  };
  const auto word = [&](const std::string& value, const char* of, const char* words) {
    if (value == of) parts.emplace_back(words);
  };
  if (layout.gpus == 1) parts.emplace_back("whole model");
  degree("DP", layout.dp);
  degree("TP", layout.tp);
  degree("PP", layout.pp);
  degree("CP", layout.cp);
  degree("EP", layout.ep);
  word(layout.shard, "zero3", "FSDP");
  word(layout.shard, "zero2", "ZeRO-2");
  word(layout.shard, "zero1", "ZeRO-1");
  word(layout.recompute, "modules", "some modules recomputed");
  word(layout.recompute, "full", "blocks recomputed");
  word(layout.recompute, "sublayer", "sublayers recomputed");
  return join(parts, ", ");
}

std::string framework_title(const SheetFrameworkSet& set, const std::string& id) {
  for (const TrainingFramework& framework : set.frameworks) {
    if (framework.id == id) return framework.title;
  }
  return id;
}

/// The rows at a glance, under their framework; and those that nobody is known to have run: guessed
/// by a guide, or found by the search here.
void put_rows(Json& json, const SheetFrameworkSet& set) {
  json["open"] = Json::array();
  for (Json& framework : json["frameworks"]) framework["rows"] = Json::array();
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const SheetFrameworkRow& row = set.rows[i];
    Json& line = json["rows"][i];
    line["layout_words"] = layout_in_full(row.layout);
    line["framework_title"] = framework_title(set, row.framework);
    for (Json& framework : json["frameworks"]) {
      if (framework["id"] == row.framework) framework["rows"].push_back(line);
    }
    if (row.evidence == "theoretical" || row.evidence == "computed") json["open"].push_back(line);
  }
  json["row_count"] = set.rows.size();
  json["open_count"] = json["open"].size();
}

void put_methods(Json& json, const SheetFrameworkSet& set) {
  for (std::size_t i = 0; i < set.comparison.rows.size(); ++i) {
    const MemoryBill& bill = set.comparison.rows[i].memory;
    Json& memory = json["comparison"]["rows"][i]["memory"];
    memory["kept"] = bill.activations + bill.recompute;
    memory["rest"] = bill.device - bill.allocated + bill.working_set;
  }
  for (Json& mode : json["adapters"]) {
    for (Json& count : mode["counts"]) {
      for (Json& one : count["published"]) one["on_experts"] = one["of"] == "experts";
    }
  }
}

/// The file at its commit; nothing to follow where the file itself was not seen.
void put_file(Json& json, const SheetFrameworkSet& set, const LaunchRecipe& recipe) {
  constexpr std::size_t kShortCommit = 8;
  const bool seen = !recipe.commit.empty();
  const std::string place = recipe.repository + "/blob/" + recipe.commit + "/" + recipe.path;
  json["file"] = seen ? "https://github.com/" + place : recipe.path;
  json["file_words"] = recipe.repository + " " + recipe.path +
                       (seen ? " @" + recipe.commit.substr(0, kShortCommit) : "");
  json["framework_title"] = framework_title(set, recipe.framework);
}

Json set_values(const SheetFrameworkSet& set) {
  constexpr std::int64_t kBf16Bytes = 2;
  Json json = written(set);
  json["set"] = set.id;
  for (const char* part : {"sequences", "layers", "comparison"}) {
    json[part]["framework_title"] = framework_title(set, json[part]["framework"]);
  }
  json["total_bf16_bytes"] = kBf16Bytes * set.total_parameters;
  put_rows(json, set);
  put_methods(json, set);
  for (std::size_t i = 0; i < set.recipes.size(); ++i) {
    put_file(json["recipes"][i], set, set.recipes[i]);
  }
  return json;
}

}  // namespace

Json frameworks_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kFrameworks, "Frameworks · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "frameworks");
  values["frameworks"] = Json::array();
  for (const SheetFrameworkSet& set : sheet.frameworks) {
    values["frameworks"].push_back(set_values(set));
  }
  values["settings"] = Json::array();
  if (!sheet.advice) return values;
  for (const SheetAdviceTopic& topic : sheet.advice->topics) {
    if (topic.kind == "settings") values["settings"].push_back(topic_json(sheet, topic));
  }
  return values;
}

}  // namespace sizesheet
