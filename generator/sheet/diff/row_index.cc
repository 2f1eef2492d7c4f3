// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/row_index.h"

#include "support/error.h"
#include "support/printable.h"

namespace sizesheet {
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
