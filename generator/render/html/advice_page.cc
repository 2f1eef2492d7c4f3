// SPDX-License-Identifier: Apache-2.0
#include "render/html/advice_page.h"

#include <set>

#include "render/phrases.h"
#include "render/range_charts.h"
#include "sheet/fields.h"
#include "sheet/framework.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

// ---- Advice and guides.

const SheetCardAnswer* answer_of(const SheetCard& card, std::int64_t gpus,
                                 const std::string& method) {
  for (const SheetCardAnswer& answer : card.answers) {
    if (answer.gpus == gpus && answer.method == method) return &answer;
  }
  return nullptr;
}

/// "full up to 3B, LoRA up to 14B, QLoRA up to 32B" of one card: the tier's best.
std::string best_sizes(const Sheet& sheet, const SheetCardTier& tier) {
  std::vector<std::string> parts;
  std::vector<std::string> missing;
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* best = nullptr;  // the last one in the sheet's order
    bool certain = false;              // on some card
    for (const SheetCard& card : tier.cards) {
      const SheetCardAnswer* answer = answer_of(card, 1, method.id);
      const auto* model =
          answer != nullptr ? entry_with(sheet.models, &SheetModel::id, answer->model) : nullptr;
      if (model == nullptr || (best != nullptr && model < best)) continue;
      certain = answer->certain.value_or(true) || (certain && model == best);
      best = model;
    }
    if (best == nullptr) {
      missing.push_back(method.short_title);
    } else {
      parts.push_back(method.short_title + " up to " + best->size +
                      (certain ? "" : " (not certain)"));
    }
  }
  if (!missing.empty()) parts.push_back("no model for " + join(missing, " or "));
  return join(parts, ", ");
}

void put_cards(Json& values, const Sheet& sheet, const SheetAdvice& advice) {
  std::set<std::int64_t> counts;
  for (const SheetCardTier& tier : advice.tiers) {
    for (const SheetCard& card : tier.cards) {
      for (const SheetCardAnswer& answer : card.answers) counts.insert(answer.gpus);
    }
  }
  values["card_counts"] = counts;
  values["count_span"] = 2 * sheet.methods.size();
  values["card_columns"] = 3 + 2 * counts.size() * sheet.methods.size();
  values["tiers"] = Json::array();
  for (const SheetCardTier& tier : advice.tiers) {
    if (tier.cards.empty()) continue;
    Json& values_of = values["tiers"].emplace_back(written(tier));
    values_of["tier_words"] = best_sizes(sheet, tier);
    for (std::size_t i = 0; i < tier.cards.size(); ++i) {
      Json& answers = values_of["cards"][i]["answers"] = Json::array();
      for (const std::int64_t count : counts) {
        for (const SheetMethod& method : sheet.methods) {
          const SheetCardAnswer* answer = answer_of(tier.cards[i], count, method.id);
          answers.push_back({{"of", answer ? written(*answer) : Json()}});
        }
      }
    }
  }
}

/// "8 × H100" of a request's answer; "8 GPUs" where it names none.
std::string run_set_up(const Sheet& sheet, const SheetAdviceRun& run) {
  const std::string gpu = run.request.value("gpu", "");
  if (entry_with(sheet.gpus, &SheetGpu::id, gpu)) return set_up(sheet, gpu, run.layout.gpus);
  return gpu.empty() ? gpu_count(run.layout.gpus)
                     : format_integer(run.layout.gpus) + "\u00a0×\u00a0" + gpu;
}

/// "+31 %", "±0 %", or – where either speed is not known.
std::string time_words(const SheetAdviceRun& without, const SheetAdviceRun& with) {
  if (!without.tokens_per_second_per_gpu || !with.tokens_per_second_per_gpu) {
    return std::string(kAbsent);
  }
  const double change =
      100 * (*without.tokens_per_second_per_gpu / *with.tokens_per_second_per_gpu - 1);
  const std::string text = format_number(change, 0);
  if (text == "0" || text == "-0" || text == "\u22120") return "0\u00a0%";
  return (change > 0 ? "+" : "") + text + "\u00a0%";
}

/// What a technique saves: the first run is without it, the second with.
Json saving_of(const SheetAdviceEntry& entry) {
  if (entry.runs.size() != 2) return nullptr;
  const SheetAdviceRun& without = entry.runs[0];
  const SheetAdviceRun& with = entry.runs[1];
  return {{"without", written(without)},
          {"with", written(with)},
          {"saved_bytes", without.device - with.device},
          {"time", time_words(without, with)}};
}

/// Sentences of one part together, in the sheet's order.
Json rule_groups(const Json& rules) {
  Json groups = Json::array();
  for (const Json& rule : rules) {
    if (groups.empty() || rule.at("part") != groups.back().at("part")) {
      groups.push_back({{"part", rule.at("part")}, {"sentences", Json::array()}});
    }
    groups.back()["sentences"].push_back(rule);
  }
  return groups;
}

/// A topic of advice with what its runs and its techniques say.
Json topic_json(const Sheet& sheet, const SheetAdviceTopic& topic) {
  Json json = written(topic);
  json["topic"] = topic.id;
  for (std::size_t i = 0; i < topic.entries.size(); ++i) {
    const SheetAdviceEntry& entry = topic.entries[i];
    json["entries"][i]["saving"] = saving_of(entry);
    for (std::size_t k = 0; k < entry.runs.size(); ++k) {
      const SheetAdviceRun& run = entry.runs[k];
      Json& values = json["entries"][i]["runs"][k];
      values["command"] = "echo '" + run.request.dump() + "' | sizesheet estimate";
      values["says"] = run.refusal.empty() ? run.note : run.refusal;
      if (run.refusal.empty()) values["set_up"] = run_set_up(sheet, run);
    }
  }
  return json;
}

// ---- Tables of frameworks.

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
    const Verdict verdict = verdict_named(words->second).value;
    return cell(standing_facts(verdict, row.certain).mark +
                    (" " + verdict_words(verdict, row.device, row.device_high, row.capacity)),
                shortest(static_cast<double>(row.capacity - row.device)),
                "left words " + standing_class(verdict, row.certain));
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

Json advice_values(const Sheet& sheet) {
  const SheetAdvice& advice = *sheet.advice;
  Json values = Json::object();
  put_cards(values, sheet, advice);
  values["topics"] = Json::array();
  for (const SheetAdviceTopic& topic : advice.topics) {
    if (topic.kind != "settings") values["topics"].push_back(topic_json(sheet, topic));
  }
  return values;
}

Json guides_values(const Sheet& sheet) {
  Json values = Json::object();
  values["worksheets"] = worksheet_values(sheet, "guides");
  values["guides"] = Json::array();
  SheetGuide sum;
  const auto figures_of = [](const SheetGuide& guide) {
    return guide.exact + guide.within_rounding + guide.inconsistent + guide.not_derivable;
  };
  for (const SheetGuide& guide : sheet.guides) {
    Json& json = values["guides"].emplace_back(written(guide));
    json["rules"] = rule_groups(json["rules"]);
    json["all"] = figures_of(guide);
    sum.exact += guide.exact;
    sum.within_rounding += guide.within_rounding;
    sum.inconsistent += guide.inconsistent;
    sum.not_derivable += guide.not_derivable;
  }
  values["all_guides"] = written(sum);
  values["all_guides"]["all"] = figures_of(sum);
  return values;
}

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
