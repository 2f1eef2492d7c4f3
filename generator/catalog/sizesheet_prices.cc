// SPDX-License-Identifier: Apache-2.0
// Our own CSV of prices: the columns are the keys of a price row.
#include "catalog/price_import.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A number where the text is one; else the text, which the reader of the row will refuse.
Json number_or_text(const std::string& text) {
  const Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);
}

bool is_number_column(const std::string& name) {
  return name == "gpus" || name.ends_with("per_instance_hour");
}

Json row_of(const CsvTable& table, const CsvRow& row) {
  Json json = Json::object();
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    // An empty cell is a key left out; only the instance may be empty text.
    if (name == "provider" || (row.cells[i].empty() && name != "instance")) continue;
    json[name] = is_number_column(name) ? number_or_text(row.cells[i]) : Json(row.cells[i]);
  }
  return json;
}

/// A value for all rows stands either in its column or in its option.
void check_shared(const CsvTable& table, const std::string& file, const std::string& column,
                  const std::string& option, const std::string& value) {
  if (table.column(column) && !value.empty()) {
    throw InputError(option + ": expected no such option, since " + file + " has a column " +
                     in_quotes(column));
  }
  if (!table.column(column) && value.empty()) {
    throw InputError(file + ": expected a column " + in_quotes(column) + " or the option " +
                     option + ", got " + column_names(table) + did_you_mean(column, table.header));
  }
}

}  // namespace

PriceCandidates read_sizesheet_prices(const CsvTable& table, const std::string& file,
                                      const std::string& provider, const std::string& as_of,
                                      const std::string& source) {
  check_shared(table, file, "as_of", "--as-of", as_of);
  check_shared(table, file, "source", "--source", source);
  PriceCandidates result;
  result.provider = provider;
  const auto named = table.column("provider");
  for (const CsvRow& row : table.rows) {
    const auto refuse = [&](const std::string& text) {
      result.notes.push_back({row.line, ImportNote::Kind::kRefuse, text});
    };
    if (row.cells.size() != table.header.size()) {
      refuse("expected " + std::to_string(table.header.size()) + " fields, got " +
             std::to_string(row.cells.size()));
      continue;
    }
    if (named && row.cells[*named] != provider) {
      refuse("provider: expected " + in_quotes(provider) +
             ", the one provider of this import, got " + in_quotes(row.cells[*named]));
      continue;
    }
    Json json = row_of(table, row);
    if (!as_of.empty()) json["as_of"] = as_of;
    if (!source.empty()) json["source"] = source;
    result.rows.push_back({row.line, "", std::move(json)});
  }
  return result;
}

}  // namespace sizesheet
