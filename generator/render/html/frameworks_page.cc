// SPDX-License-Identifier: Apache-2.0
// Tables of frameworks and of worksheets.

#include "render/html/frame.h"
#include "render/html/pages.h"
#include "render/phrases.h"
#include "sheet/fields.h"
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

namespace {

/// "DP 8, TP 2, ZeRO-3, state on the host"; "one GPU" where nothing is spread.
std::string spread_words(const LayoutShape& layout) {
  std::vector<std::string> parts;
  const auto degree = [&](const char* name, std::int64_t ranks) {
    if (ranks > 1) parts.push_back(std::string(name) + "\u00a0" + format_integer(ranks));
  };
  if (layout.gpus == 1) parts.emplace_back("one GPU");
  degree("DP", layout.dp);
  degree("TP", layout.tp);
  degree("PP", layout.pp);
  degree("CP", layout.cp);
  degree("EP", layout.ep);
  if (layout.shard != "none")
    parts.push_back("ZeRO-" + layout.shard.substr(layout.shard.size() - 1));
  if (layout.offload != "none") parts.push_back(layout.offload + " on the host");
  return join(parts, ", ");
}

/// "● fits, 22 % free", "○ no, over by 11.4 GiB".
void put_verdict(const SheetWorksheetRow& row, Json& cell) {
  CountCheck check;
  check.verdict = row.words.at("verdict");
  check.device = row.device;
  put(cell, "cell", verdict_mark(check.verdict) + " " + verdict_words(check, row.capacity),
      static_cast<double>(row.capacity - row.device));
  cell["cell_class"] = "left " + check.verdict;
}

bool put_special(const SheetWorksheetRow& row, const std::string& column, Json& cell) {
  if (column == "layout" && row.layout) {
    put(cell, "cell", spread_words(*row.layout), static_cast<double>(row.layout->gpus));
    cell["cell_class"] = "left words";
    return true;
  }
  if (column == "setup" && row.words.contains(column)) {
    const double gpus = row.figures.at("setup_gpus");
    put(cell, "cell", format_number(gpus, 0) + "\u00a0×\u00a0" + row.words.at(column), gpus);
    cell["cell_class"] = "left answer";
    return true;
  }
  if (column == "verdict" && row.words.contains(column)) {
    put_verdict(row, cell);
    return true;
  }
  return false;
}

Json cell_of(const SheetWorksheetRow& row, const WorksheetColumn& column) {
  Json cell = {{"cell_class", ""}};
  if (put_special(row, column.id, cell)) return cell;
  const auto figure = row.figures.find(column.id);
  const auto usd = row.usd.find(column.id);
  const auto words = row.words.find(column.id);
  if (figure != row.figures.end()) {
    put(cell, "cell", format_number(figure->second, static_cast<int>(column.decimals)),
        figure->second);
  } else if (usd != row.usd.end()) {
    put_usd(cell, "cell", usd->second, column.id == "usd_per_run" ? run_usd : hourly_usd);
  } else if (words != row.words.end()) {
    cell["cell"] = words->second;
    cell["cell_v"] = words->second;
    cell["cell_class"] = "left words";
  } else {
    put_absent(cell, "cell");
  }
  return cell;
}

/// Whether a column holds words, and so stands left.
bool holds_words(const SheetWorksheet& table, const std::string& column) {
  if (column == "layout" || column == "setup" || column == "verdict") return true;
  for (const SheetWorksheetRow& row : table.rows) {
    if (row.words.contains(column)) return true;
  }
  return false;
}

Json heads_of(const SheetWorksheet& table) {
  Json heads = Json::array();
  for (const WorksheetColumn& column : table.columns) {
    heads.push_back({{"head", column.title}, {"head_left", holds_words(table, column.id)}});
  }
  return heads;
}

Json rows_of(const SheetWorksheet& table) {
  Json rows = Json::array();
  for (const SheetWorksheetRow& row : table.rows) {
    Json cells = Json::array();
    for (const WorksheetColumn& column : table.columns) {
      const bool left = holds_words(table, column.id);
      Json cell = cell_of(row, column);
      const bool known = !cell.at("cell_v").get<std::string>().empty();
      if (left && !known) cell["cell_class"] = "left";
      cell["cell_classed"] = !cell.at("cell_class").get<std::string>().empty();
      cells.push_back(cell);
    }
    const std::string title = row.group.empty() ? row.title : row.group + ", " + row.title;
    rows.push_back({{"sheet_row_id", fragment(table.id + "-", row.id)},
                    {"sheet_row_title", title},
                    {"sheet_row_note", row.note},
                    {"sheet_row_has_note", !row.note.empty()},
                    {"cells", cells}});
  }
  return rows;
}

}  // namespace

Json worksheet_values(const Sheet& sheet, const std::string& page) {
  Json tables = Json::array();
  for (const SheetWorksheet& table : sheet.worksheets) {
    if (table.page != page) continue;
    Json values = {{"worksheet_id", fragment("", table.id)},
                   {"worksheet_title", table.title},
                   {"worksheet_words", table.words},
                   {"worksheet_date", table.date},
                   {"rows_title", table.rows_title},
                   {"heads", heads_of(table)},
                   {"sheet_rows", rows_of(table)}};
    put_source(values, "source", table.source);
    tables.push_back(values);
  }
  return tables;
}

}  // namespace sizesheet
