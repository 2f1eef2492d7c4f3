// SPDX-License-Identifier: Apache-2.0
#include "render/html/sheet_values.h"

#include <array>
#include <utility>

#include "render/html/cells.h"
#include "sheet/grouped_fields.h"
#include "sheet/tiers.h"

namespace sizesheet {
namespace {

/// Writes the one member that is asked for.
struct MemberWriter {
  std::string_view key;
  Json& out;
  bool found = false;

  template <typename T>
  void operator()(const char* name, const T& value) {
    if (key != name) return;
    found = true;
    FieldWriter writer(out);
    writer(name, value);
  }
};

/// Writes a row without the long lists behind its figures.
struct RowWriter {
  FieldWriter writer;

  template <typename T>
  void operator()(const char* name, const T& value) {
    for (const std::string_view list :
         {"terms", "counts", "cost_terms", "quantity_terms", "warnings"}) {
      if (list == name) return;
    }
    writer(name, value);
  }
  template <typename F>
  void group(const char* name, F&& walk) {
    writer.group(name, walk);
  }
};

}  // namespace

const Json* SheetValues::member(std::string_view key) const {
  const auto made = members_.find(key);
  if (made != members_.end()) return &made->second;
  Json out = Json::object();
  MemberWriter writer{key, out};
  fields(writer, sheet_);
  if (!writer.found) return nullptr;
  return &members_.emplace(key, std::move(out[std::string(key)])).first->second;
}

const Json* SheetValues::entry(std::string_view kind, const std::string& id) const {
  auto entries = entries_.find(kind);
  if (entries == entries_.end()) {
    Entries made;
    for (const char* of : {"model", "method", "gpu", "scenario"}) {
      if (kind != of) continue;
      for (const Json& one : *member(std::string(kind) + "s")) made[one.at("id")] = &one;
    }
    entries = entries_.emplace(kind, std::move(made)).first;
  }
  const auto found = entries->second.find(id);
  return found == entries->second.end() ? nullptr : found->second;
}

Json row_json(const Sheet& sheet, const Row& row) {
  Json json = Json::object();
  RowWriter writer{FieldWriter(json)};
  fields(writer, row);
  json["key"] = row.key();
  json["href"] = proof_href(sheet, row);
  for (const RentTier& tier : kRentTiers) {
    const auto& line = row.rents[tier];
    if (!line) continue;
    Json& more = json["rent"][tier.name]["gpus_more"];
    if (line->gpus_paid > row.layout.gpus) more = line->gpus_paid;
  }
  return json;
}

}  // namespace sizesheet
