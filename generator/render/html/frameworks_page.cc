// SPDX-License-Identifier: Apache-2.0
// Tables of frameworks and of worksheets.

#include "render/html/pages.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "DP 8, TP 2, EP 8, ZeRO-1, blocks recomputed"; "whole model" where nothing is spread.
std::string layout_in_full(const LayoutShape& layout) {
  std::vector<std::string> parts = degrees(layout);
  const auto word = [&](const char* of, const char* words) {
    if (layout.recompute == of) parts.emplace_back(words);
  };
  if (layout.gpus == 1) parts.emplace_back("whole model");
  if (layout.shard != "none") {
    parts.push_back(layout.shard == "zero3" ? "FSDP" : stage_words(layout.shard));
  }
  word("modules", "some modules recomputed");
  word("full", "blocks recomputed");
  word("sublayer", "sublayers recomputed");
  return join(parts, ", ");
}

std::string framework_title(const SheetFrameworkSet& set, const std::string& id) {
  const auto* framework = entry_with(set.frameworks, &TrainingFramework::id, id);
  return framework == nullptr ? id : framework->title;
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
}

void put_methods(Json& json, const SheetFrameworkSet& set) {
  for (std::size_t i = 0; i < set.comparison.rows.size(); ++i) {
    const MemoryBill& bill = set.comparison.rows[i].memory;
    Json& memory = json["comparison"]["rows"][i]["memory"];
    memory["kept"] = bill.terms.sum(Term::kActivations, Term::kRecompute);
    memory["rest"] = bill.device - bill.allocated + bill.terms[Term::kWorkingSet];
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

/// "DP 8, TP 2, ZeRO-3, state on the host"; "one GPU" where nothing is spread.
std::string spread_words(const LayoutShape& layout) {
  std::vector<std::string> parts = degrees(layout);
  if (layout.gpus == 1) parts.emplace_back("one GPU");
  if (layout.shard != "none") parts.push_back(stage_words(layout.shard));
  if (layout.offload != "none") parts.push_back(layout.offload + " on the host");
  return join(parts, ", ");
}

/// A cell in words, what it is sorted by, and its class.
Json cell(const std::string& words, const std::string& value, const std::string& shade = "") {
  return {{"cell", words}, {"cell_v", value}, {"cell_class", shade}};
}

Json cell_of(const SheetWorksheetRow& row, const WorksheetColumn& column) {
  const auto words = row.words.find(column.id);
  if (column.id == "layout" && row.layout) {
    return cell(spread_words(*row.layout), std::to_string(row.layout->gpus), "left words");
  }
  if (column.id == "setup" && words != row.words.end()) {
    const double gpus = row.figures.at("setup_gpus");
    return cell(format_number(gpus, 0) + "\u00a0×\u00a0" + words->second, shortest(gpus),
                "left answer");
  }
  if (column.id == "verdict" && words != row.words.end()) {
    const VerdictFacts& verdict = verdict_named(words->second);
    return cell(verdict.mark + (" " + verdict_words(verdict.value, row.device, row.capacity)),
                shortest(static_cast<double>(row.capacity - row.device)), "left " + words->second);
  }
  if (const auto figure = row.figures.find(column.id); figure != row.figures.end()) {
    return cell(format_number(figure->second, static_cast<int>(column.decimals)),
                shortest(figure->second));
  }
  if (const auto usd = row.usd.find(column.id); usd != row.usd.end()) {
    const auto format = column.id == "usd_per_run" ? run_usd : hourly_usd;
    return cell(format(usd->second), shortest(to_usd(usd->second)));
  }
  if (words == row.words.end()) return cell(std::string(kAbsent), "");
  return cell(words->second, words->second, "left words");
}

/// Whether a column holds words, and so stands left.
bool holds_words(const SheetWorksheet& table, const std::string& column) {
  if (column == "layout" || column == "setup" || column == "verdict") return true;
  for (const SheetWorksheetRow& row : table.rows) {
    if (row.words.contains(column)) return true;
  }
  return false;
}

Json rows_of(const SheetWorksheet& table) {
  Json rows = Json::array();
  for (const SheetWorksheetRow& row : table.rows) {
    Json cells = Json::array();
    for (const WorksheetColumn& column : table.columns) {
      cells.push_back(cell_of(row, column));
      const std::string& known = cells.back().at("cell_v").get_ref<const std::string&>();
      if (known.empty() && holds_words(table, column.id)) {
        cells.back()["cell_class"] = "left";
      }
    }
    const std::string title = row.group.empty() ? row.title : row.group + ", " + row.title;
    rows.push_back({{"sheet_row_id", fragment(table.id + "-", row.id)},
                    {"sheet_row_title", title},
                    {"sheet_row_note", row.note},
                    {"cells", cells}});
  }
  return rows;
}

}  // namespace

Json frameworks_values(const Sheet& sheet) {
  Json values = Json::object();
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

Json worksheet_values(const Sheet& sheet, const std::string& page) {
  Json tables = Json::array();
  for (const SheetWorksheet& table : sheet.worksheets) {
    if (table.page != page) continue;
    Json& values = tables.emplace_back(written<WorksheetHead>(table));
    for (const WorksheetColumn& column : table.columns) {
      values["heads"].push_back(
          {{"head", column.title}, {"head_left", holds_words(table, column.id)}});
    }
    values["sheet_rows"] = rows_of(table);
  }
  return tables;
}

}  // namespace sizesheet
