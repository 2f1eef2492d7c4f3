// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/edition.h"

#include <map>
#include <utility>

#include "sheet/build/parts.h"
#include "sheet/fields.h"
#include "sheet/sheet_json.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The parts of a sheet that name its rows; read without the rest.
struct EditionHead {
  SheetMeta meta;
  std::vector<SheetModel> models;
  std::vector<SheetMethod> methods;
  std::vector<SheetGpu> gpus;
  std::vector<Scenario> scenarios;
  std::vector<Pick> picks;
  Json inputs;
};
BOOST_DESCRIBE_STRUCT(EditionHead, (), (meta, models, methods, gpus, scenarios, picks, inputs))

EditionLabel label_of(const SheetMeta& meta) {
  return {meta.title,       meta.edition,      meta.as_of,
          meta.price_as_of, meta.catalog_hash, meta.tool_version};
}

/// Earlier ids of an entry, from the entry itself.
std::vector<std::string> earlier_ids(const Json& entry) {
  std::vector<std::string> ids;
  const auto was = entry.find("was");
  if (was == entry.end() || !was->is_array()) return ids;
  for (const Json& id : *was) {
    if (id.is_string()) ids.push_back(id.get<std::string>());
  }
  return ids;
}

/// The ids in sheet order, each with those it had before.
template <typename T>
std::vector<EditionName> names_of(const std::vector<T>& listed, const Json& inputs,
                                  const char* kind) {
  std::map<std::string, std::vector<std::string>> earlier;
  const Json entries = inputs.is_object() ? inputs.value(kind, Json()) : Json();
  if (entries.is_array()) {
    for (const Json& entry : entries) {
      if (entry.is_object() && entry.contains("id") && entry.at("id").is_string()) {
        earlier[entry.at("id").get<std::string>()] = earlier_ids(entry);
      }
    }
  }
  std::vector<EditionName> names;
  for (const T& item : listed) names.push_back({item.id, earlier[item.id]});
  return names;
}

/// The specification among the inputs; null where an older program kept none.
Json spec_of(const Json& inputs) {
  return inputs.is_object() ? inputs.value("sheet", Json()) : Json();
}

std::vector<EditionPick> picks_of(const std::vector<Pick>& picks) {
  std::vector<EditionPick> slim;
  for (const Pick& pick : picks) {
    slim.push_back({pick.model, pick.method, pick.scenario, pick.rent_key, pick.buy_key});
  }
  return slim;
}

/// Everything but the rows.
Edition edition_without_rows(EditionHead head, const std::string& file) {
  Edition edition;
  edition.file = file;
  edition.label = label_of(head.meta);
  edition.models = names_of(head.models, head.inputs, "models");
  edition.methods = names_of(head.methods, head.inputs, "methods");
  edition.gpus = names_of(head.gpus, head.inputs, "gpus");
  edition.scenarios = names_of(head.scenarios, spec_of(head.inputs), "scenarios");
  edition.picks = picks_of(head.picks);
  edition.inputs = std::move(head.inputs);
  return edition;
}

template <typename T>
std::map<std::string, std::string> gpu_names(const std::vector<T>& gpus) {
  std::map<std::string, std::string> names;
  for (const SheetGpu& gpu : gpus) names[gpu.id] = gpu.short_name;
  return names;
}

std::string verdict_of(const Row& row) { return row.modelled ? row.verdict : "refused"; }

ChangeSide side_of(const Row& row, const std::string& gpu_name) {
  ChangeSide side;
  side.row_key = row.key();
  side.gpu = row.gpu;
  side.gpu_name = gpu_name;
  side.verdict = verdict_of(row);
  side.gpus = row.layout.gpus;
  side.device_bytes = row.memory.device;
  side.capacity_bytes = row.memory.capacity;
  if (!side.holds()) return side;
  side.hours = row.hours_mid;
  if (row.rents[kOnDemand]) {
    side.price_key = row.rents[kOnDemand]->price_key;
    side.instances = row.rents[kOnDemand]->instances;
    side.usd_per_instance_hour = scaled(row.rents[kOnDemand]->usd_per_hour, 1, side.instances);
    side.list_usd_per_hour = row.rents[kOnDemand]->usd_per_hour;
    side.list_usd_per_run = row.rents[kOnDemand]->usd_per_run;
  }
  if (row.own) {
    side.own_usd_per_month = row.own->own_usd_per_month;
    side.break_even_hours_per_month = row.own->break_even_hours_per_month;
    side.advice = row.own->advice;
  }
  return side;
}

std::optional<MicroUsd> hourly(const std::optional<RentLine>& line) {
  return line ? std::optional(line->usd_per_hour) : std::nullopt;
}

void check_row(const Row& row, const std::string& file, const std::string& pointer) {
  const std::pair<const char*, const std::string&> needed[] = {
      {"model", row.model}, {"method", row.method}, {"gpu", row.gpu}, {"scenario", row.scenario}};
  for (const auto& [key, value] : needed) {
    if (value.empty()) {
      throw InputError(file + ":" + pointer + "/" + key + ": expected a name, got nothing");
    }
  }
  const std::string verdict = verdict_of(row);
  for (const char* known : {"fits", "tight", "no", "refused"}) {
    if (verdict == known) return;
  }
  throw InputError(file + ":" + pointer + "/verdict: expected fits, tight or no, got " +
                   shown(verdict));
}

/// What is multiplied later must make sense.
void check_figures(const Row& row, const std::string& file, const std::string& pointer) {
  if (row.rents[kOnDemand] && row.rents[kOnDemand]->instances < 1) {
    throw InputError(file + ":" + pointer + "/rent/list/instances: expected 1 or more, got " +
                     std::to_string(row.rents[kOnDemand]->instances));
  }
  constexpr double kMostHours = 1e9;
  if (row.hours_mid && !(*row.hours_mid >= 0 && *row.hours_mid <= kMostHours)) {
    throw InputError(file + ":" + pointer + "/hours/mid: expected a number from 0 to 1e9, got " +
                     shortest(*row.hours_mid));
  }
}

/// Rows were handed over one by one; what stays must be the list they stood in, now empty.
void check_rows_list(const Json& json, const std::string& file) {
  const auto rows = json.find("rows");
  if (rows == json.end() || !rows->is_array()) {
    throw InputError(file + ":/rows: expected a list, got " +
                     (rows == json.end() ? "nothing" : shown(*rows)));
  }
}

}  // namespace

EditionRow edition_row(const Row& row, const std::string& gpu_name) {
  EditionRow slim;
  slim.model = row.model;
  slim.method = row.method;
  slim.gpu = row.gpu;
  slim.scenario = row.scenario;
  slim.side = side_of(row, gpu_name);
  if (slim.side.verdict != "refused") {
    for (const MemoryTerm& term : row.terms) {
      slim.terms.push_back({term.name, term.title, term.bytes});
    }
  }
  for (std::size_t i = 0; i < slim.other_usd_per_hour.size(); ++i) {
    slim.other_usd_per_hour[i] = hourly(row.rents[kRentTiers[i + 1]]);
  }
  slim.spread = row.spread;
  slim.grade = row.confidence;
  slim.notes = row.warnings;
  if (!row.refusal.empty()) slim.notes.push_back(row.refusal);
  return slim;
}

Edition edition_of(const Sheet& sheet, const std::string& file) {
  Edition edition = edition_without_rows({sheet.meta, sheet.models, sheet.methods, sheet.gpus,
                                          sheet.scenarios, sheet.picks, sheet.inputs},
                                         file);
  const auto names = gpu_names(sheet.gpus);
  for (const Row& row : sheet.rows) {
    const auto name = names.find(row.gpu);
    edition.rows.push_back(edition_row(row, name == names.end() ? row.gpu : name->second));
  }
  return edition;
}

Edition read_edition(const std::filesystem::path& path) {
  return parse_edition(read_file(path), shown_path(path));
}

Edition parse_edition(const std::string& text, const std::string& file) {
  std::vector<EditionRow> rows;
  std::optional<InputError> first_fault;  // told after a schema of another major
  const Json json = parse_json(text, file, "rows", [&](Json&& element, std::size_t index) {
    if (first_fault) return;
    try {
      const std::string pointer = "/rows/" + std::to_string(index);
      refuse_unfit_texts(element, file, pointer);
      const Row row = row_from_json(element, file, pointer);
      check_row(row, file, pointer);
      check_figures(row, file, pointer);
      rows.push_back(edition_row(row, row.gpu));
    } catch (const InputError& fault) {
      first_fault = fault;
    }
  });
  check_schema_version(json, file);
  if (first_fault) throw *first_fault;
  check_rows_list(json, file);
  refuse_unfit_texts(json, file, "");
  EditionHead head;
  FieldReader reader(json, file, "", Missing::kSkip);
  fields(reader, head);
  refuse_repeated_picks(head.picks, file);
  const auto names = gpu_names(head.gpus);
  Edition edition = edition_without_rows(std::move(head), file);
  edition.rows = std::move(rows);
  for (EditionRow& row : edition.rows) {
    const auto name = names.find(row.gpu);
    if (name != names.end()) row.side.gpu_name = name->second;
  }
  return edition;
}

namespace {

void add_ranks(const std::vector<EditionName>& names, std::map<std::string, std::size_t>& ranks) {
  for (const EditionName& name : names) ranks.emplace(name.id, ranks.size());
}

std::size_t rank_in(const std::map<std::string, std::size_t>& ranks, const std::string& id) {
  const auto entry = ranks.find(id);
  return entry == ranks.end() ? ranks.size() : entry->second;
}

}  // namespace

RowIndex::RowIndex(const Edition& edition) {
  rows_.reserve(edition.rows.size());
  for (const EditionRow& row : edition.rows) {
    if (!rows_.emplace(row.key(), &row).second) {
      throw InputError(edition.file + ":/rows: expected a key that stands once, got " +
                       in_quotes(row.key()) + " again");
    }
    holds_[row.model + "/" + row.method + "/" + row.scenario] |= row.side.holds();
  }
}

const EditionRow* RowIndex::find(const std::string& key) const {
  const auto entry = rows_.find(key);
  return entry == rows_.end() ? nullptr : entry->second;
}

bool RowIndex::any_holds(const std::string& model, const std::string& method,
                         const std::string& scenario) const {
  const auto entry = holds_.find(model + "/" + method + "/" + scenario);
  return entry != holds_.end() && entry->second;
}

NewOrder::NewOrder(const Edition& old_edition, const Edition& new_edition) {
  for (const Edition* edition : {&new_edition, &old_edition}) {
    add_ranks(edition->models, models_);
    add_ranks(edition->methods, methods_);
    add_ranks(edition->gpus, gpus_);
    add_ranks(edition->scenarios, scenarios_);
  }
}

std::array<std::size_t, 4> NewOrder::place(const std::string& model, const std::string& method,
                                           const std::string& gpu,
                                           const std::string& scenario) const {
  return {rank_in(models_, model), rank_in(methods_, method), rank_in(gpus_, gpu),
          rank_in(scenarios_, scenario)};
}

}  // namespace sizesheet
