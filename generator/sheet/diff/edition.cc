// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/edition.h"

#include <algorithm>
#include <utility>

#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/projections.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Earlier ids of every entry in a list that has some.
std::map<std::string, std::vector<std::string>> earlier_ids(const Json& entries) {
  std::map<std::string, std::vector<std::string>> earlier;
  if (!entries.is_array()) return earlier;
  for (const Json& entry : entries) {
    const auto* named = at_dotted(entry, "id").get_ptr<const std::string*>();
    const Json& was = at_dotted(entry, "was");
    if (named == nullptr || !was.is_array()) continue;
    auto& ids = earlier[*named];
    ids.clear();
    for (const Json& id : was) {
      if (id.is_string()) ids.push_back(id.get<std::string>());
    }
  }
  return earlier;
}

/// The short one where there are two; "" of an older program, which may lack it.
template <typename T>
const std::string& shown_name(const T& item) {
  if constexpr (requires { item.short_title; }) {
    return item.short_title;
  } else if constexpr (requires { item.short_name; }) {
    return item.short_name;
  } else {
    return item.title;
  }
}

/// The ids in sheet order, each with those it had before by the entries at a dotted path; an older
/// program kept none.
template <typename T>
std::vector<EditionName> names_of(const std::vector<T>& listed, const Json& inputs,
                                  const char* path) {
  auto earlier = earlier_ids(at_dotted(inputs, path));
  std::vector<EditionName> names;
  for (const T& item : listed) names.push_back({item.id, earlier[item.id], shown_name(item)});
  return names;
}

/// The machine to own; in an edition without one the row's own GPUs, bought.
void add_owned(const Row& row, ChangeSide& side) {
  if (!row.owned) {
    if (!row.own) return;
    side.own_usd_per_month = row.own->own_usd_per_month;
    side.break_even_hours_per_month = row.own->break_even_hours_per_month;
    return;
  }
  const OwnPick& own = *row.owned;
  side.own_usd_per_month = own.usd_per_month;
  side.break_even_hours_per_month = own.break_even_hours_per_month;
  side.advice = own.advice;
  if (own.decision) side.decision = own.word();
  side.advice_price_key = own.rent_price_key;
  side.machine = std::to_string(own.machines) + " × " + own.machine_title;
  side.machine_id = own.machine;
}

ChangeSide side_of(const Row& row) {
  ChangeSide side;
  side.row_key = row.key();
  side.gpu = row.gpu;
  side.gpu_name = row.gpu;
  side.verdict = row.standing();
  side.gpus = row.layout.gpus;
  side.device_bytes = row.memory.device;
  side.capacity_bytes = row.memory.capacity;
  side.device_high_bytes = row.device_high;
  side.service = row.service;
  if (!side.holds()) return side;
  side.hours = row.hours_mid;
  if (const std::optional<RentLine>& rent = row.rents[kOnDemand]) {
    side.price_key = rent->price_key;
    side.instances = rent->instances;
    // An older edition does not say how many are paid.
    side.gpus_billed = rent->gpus_paid > 0 ? rent->gpus_paid : side.gpus;
    side.usd_per_instance_hour = scaled(rent->usd_per_hour, 1, side.instances);
    side.list_usd_per_hour = rent->usd_per_hour;
    side.list_usd_per_run = rent->usd_per_run;
  }
  side.fewest = row.rentable ? row.rentable : row.tight;
  if (const RunCandidate* run = row.set_up()) {
    side.provider = run->provider;
    side.exposed = run->exposed;
    side.list_usd_per_run_high = run->usd.high;
  }
  add_owned(row, side);
  return side;
}

}  // namespace

const std::vector<const Measure*>& compared_measures() {
  static const std::vector<const Measure*> kCompared = [] {
    std::vector<const Measure*> compared;
    for (const Measure& measure : measures()) {
      if (!measure.change.empty()) compared.push_back(&measure);
    }
    return compared;
  }();
  return kCompared;
}

EditionRow edition_row(const Row& row) {
  EditionRow slim;
  slim.model = row.model;
  slim.method = row.method;
  slim.gpu = row.gpu;
  slim.scenario = row.scenario;
  slim.side = side_of(row);
  if (slim.side.verdict != Verdict::kNotModelled) {
    for (const MemoryTerm& term : row.terms) {
      slim.terms.push_back({term.name, term.title, term.bytes});
    }
  }
  for (const Measure* measure : compared_measures()) slim.figures.push_back(measure->of(row));
  for (const RunCandidate& one : row.candidates) slim.counts.push_back({one.gpus, one.hours.mid});
  slim.notes = row.warnings;
  if (!row.refusal.empty()) slim.notes.push_back(row.refusal);
  return slim;
}

Edition edition_of(const Sheet& sheet, const std::string& file) {
  std::vector<EditionRow> rows;
  for (const Row& row : sheet.rows) rows.push_back(edition_row(row));
  return edition_of(sheet, std::move(rows), file);
}

Edition edition_of(SheetHead head, std::vector<EditionRow> rows, const std::string& file) {
  Edition edition;
  edition.file = file;
  edition.label = head.meta;
  edition.models = names_of(head.models, head.inputs, "models");
  edition.methods = names_of(head.methods, head.inputs, "methods");
  edition.gpus = names_of(head.gpus, head.inputs, "gpus");
  edition.scenarios = names_of(head.scenarios, head.inputs, "sheet.scenarios");
  edition.picks = std::move(head.picks);
  edition.plan = std::move(head.plan);
  if (edition.plan) edition.plan->assignments.clear();
  edition.inputs = std::move(head.inputs);
  edition.knows_services = edition.inputs.is_object() && edition.inputs.contains("services");
  std::map<std::string, std::string> gpu_names;
  for (const SheetGpu& gpu : head.gpus) gpu_names[gpu.id] = gpu.short_name;
  edition.rows = std::move(rows);
  for (EditionRow& row : edition.rows) {
    const auto name = gpu_names.find(row.gpu);
    if (name != gpu_names.end()) row.side.gpu_name = name->second;
  }
  return edition;
}

namespace {

using Listed = std::vector<EditionName>;

/// {earlier id, later id} of the entries that only `later` has and whose earlier id only `earlier`
/// has.
std::vector<std::pair<std::string, std::string>> renamed(const Listed& earlier,
                                                         const Listed& later) {
  const auto has = [](const Listed& names, const std::string& id) {
    return entry_with(names, &EditionName::id, id) != nullptr;
  };
  std::vector<std::pair<std::string, std::string>> ids;
  for (const EditionName& name : later) {
    if (has(earlier, name.id)) continue;
    for (const std::string& was : name.was) {
      if (has(earlier, was) && !has(later, was)) ids.emplace_back(was, name.id);
    }
  }
  return ids;
}

void rename(std::string& id, const NewNames& names) {
  const auto entry = names.find(id);
  if (entry != names.end()) id = entry->second;
}

void rename_row(EditionRow& row, const Renames& renames) {
  for (const RowPart& part : kRowParts) rename(row.*part.row, renames.*part.renamed);
  row.side.gpu = row.gpu;
  // provider/region/instance/gpu/tier/gpus/as_of, from the end: an instance may have a '/'
  std::vector<std::string> parts = split(row.side.price_key, '/');
  if (parts.size() < 7) return;
  rename(parts[parts.size() - 4], renames.gpus);
  row.side.price_key = join(parts, "/");
}

void rename_key(std::string& key, const Renames& renames) {
  std::vector<std::string> ids = split(key, '/');
  if (ids.size() != kRowParts.size()) return;
  for (std::size_t i = 0; i < ids.size(); ++i) rename(ids[i], renames.*kRowParts[i].renamed);
  key = join(ids, "/");
}

}  // namespace

RowIndex::RowIndex(const Edition& edition) {
  rows_.reserve(edition.rows.size());
  for (const EditionRow& row : edition.rows) {
    if (!rows_.emplace(row.key(), &row).second) {
      throw InputError(edition.file + ":/rows: expected a key that is used once, got " +
                       in_quotes(row.key()) + " again");
    }
    holds_[row.model + "/" + row.method + "/" + row.scenario] |= row.side.holds();
  }
}

const EditionRow* RowIndex::find(const std::optional<std::string>& key) const {
  const auto entry = key ? rows_.find(*key) : rows_.end();
  return entry == rows_.end() ? nullptr : entry->second;
}

bool RowIndex::any_holds(const Pick& pick) const {
  const auto entry = holds_.find(pick.key() + "/" + pick.scenario);
  return entry != holds_.end() && entry->second;
}

std::optional<std::int64_t> EditionRow::bytes_of(const std::string& term) const {
  const EditionTerm* known = entry_with(terms, &EditionTerm::name, term);
  return known == nullptr ? std::nullopt : std::optional(known->bytes);
}

bool Renames::none() const {
  return std::ranges::all_of(kRowParts,
                             [&](const RowPart& part) { return (this->*part.renamed).empty(); });
}

Renames renames_between(const Edition& old_edition, const Edition& new_edition) {
  Renames renames;
  for (const RowPart& part : kRowParts) {
    NewNames& names = renames.*part.renamed;
    const Listed& before = old_edition.*part.listed;
    const Listed& after = new_edition.*part.listed;
    for (const auto& [was, id] : renamed(before, after)) names.emplace(was, id);
    for (const auto& [was, id] : renamed(after, before)) names.emplace(id, was);
  }
  return renames;
}

Edition under_new_names(Edition edition, const Renames& renames) {
  if (renames.none()) return edition;
  for (const RowPart& part : kRowParts) {
    const NewNames& names = renames.*part.renamed;
    for (EditionName& name : edition.*part.listed) rename(name.id, names);
    for (Pick& pick : edition.picks) {
      if (part.pick != nullptr) rename(pick.*part.pick, names);
    }
  }
  for (EditionRow& row : edition.rows) rename_row(row, renames);
  if (edition.plan) {
    for (PlanKindLine& kind : edition.plan->kinds) {
      rename(kind.model, renames.models);
      rename(kind.method, renames.methods);
    }
  }
  for (Pick& pick : edition.picks) {
    if (pick.rent_key) rename_key(*pick.rent_key, renames);
    if (pick.buy_key) rename_key(*pick.buy_key, renames);
    if (pick.runner_up) rename_key(pick.runner_up->row, renames);
  }
  return edition;
}

}  // namespace sizesheet
