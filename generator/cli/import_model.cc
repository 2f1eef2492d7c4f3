// SPDX-License-Identifier: Apache-2.0
// `import-model`: a published config.json in, a catalog entry out.

#include <algorithm>
#include <optional>

#include "catalog/loader.h"
#include "catalog/models/families.h"
#include "catalog/models/model.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "support/durable.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

/// The day of the catalog's own sheet; "" where it has none.
std::string day_of_sheet(const fs::path& catalog) {
  const fs::path file = catalog / "sheets/quarterly.json";
  std::error_code none;
  if (!fs::exists(file, none)) return "";
  const Json sheet = parse_json(read_file(file, kMostCatalogBytes), shown_path(file));
  return sheet.is_object() && sheet.contains("as_of") && sheet.at("as_of").is_string()
             ? sheet.at("as_of").get<std::string>()
             : "";
}

std::string date_of(const ImportModelOptions& options, std::ostream& err) {
  if (!options.date.empty()) return options.date;
  const std::string day = as_of_day(options.as_of, "");
  if (!day.empty()) return day;
  const std::string sheet = day_of_sheet(options.catalog);
  if (sheet.empty()) {
    throw InputError(
        "--date: expected the day the config was read, YYYY-MM-DD; got nothing, nor "
        "--as-of, SOURCE_DATE_EPOCH or a sheet with a day in " +
        options.catalog);
  }
  err << "date: " << sheet << ", the day of the sheet in " << options.catalog
      << "; --date gives another\n";
  return sheet;
}

Json* value_of(EntryKeys& keys, const std::string& key) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const auto& each) { return each.first == key; });
  return found == keys.end() ? nullptr : &found->second;
}

/// The catalog's entry of this id; nullopt where there is none, or an empty file.
std::optional<Json> known_entry(const fs::path& file) {
  std::error_code none;
  if (!fs::exists(file, none)) return std::nullopt;
  const std::string bytes = read_file(file, kMostCatalogBytes);
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos) return std::nullopt;
  Json entry = parse_json(bytes, shown_path(file));
  if (!entry.is_object()) {
    throw InputError(shown_path(file) + ": expected an object, got " + shown(entry));
  }
  return entry;
}

/// What no config says stays as the catalog has it.
void keep_known(const ImportModelOptions& options, const Json& known, EntryKeys& keys) {
  const std::vector<std::pair<std::string, bool>> said = {
      {"title", !options.title.empty()},
      {"repository", !options.repository.empty()},
      {"source", !options.source.empty()},
      {"date", !options.date.empty()},
      {"published", false},
      {"extras", false},
      {"family", false}};
  for (const auto& [key, given] : said) {
    if (!given && known.contains(key)) *value_of(keys, key) = known.at(key);
  }
  for (const char* key : {"was", "note"}) {
    if (known.contains(key) && value_of(keys, key) == nullptr)
      keys.emplace_back(key, known.at(key));
  }
  Faults faults;
  static_cast<void>(entry_model(keys, faults));
  faults.refuse();
  if (known.contains("$schema")) keys.emplace(keys.begin(), "$schema", known.at("$schema"));
}

/// One line a key that differs.
std::vector<std::string> changes_of(const Json& known, const EntryKeys& keys) {
  std::vector<std::string> lines;
  Json entry = Json::object();
  for (const auto& [key, value] : keys) {
    entry[key] = value;
    if (!known.contains(key)) {
      lines.push_back("added\t" + key + "\t" + shown(value));
    } else if (known.at(key) != value) {
      lines.push_back("changed\t" + key + "\t" + shown(known.at(key)) + " -> " + shown(value));
    }
  }
  for (const auto& [key, value] : known.items()) {
    if (!entry.contains(key)) lines.push_back("removed\t" + key + "\t" + shown(value));
  }
  return lines;
}

void merge(const ImportModelOptions& options, EntryKeys keys, std::ostream& out,
           std::ostream& err) {
  const fs::path file = fs::path(options.catalog) / "models" / (options.id + ".json");
  const auto known = known_entry(file);
  if (known) keep_known(options, *known, keys);
  const std::vector<std::string> changes =
      known ? changes_of(*known, keys) : std::vector<std::string>{};
  for (const std::string& line : changes) out << line << '\n';
  if (!known) out << entry_text(keys);
  out << shown_path(file) << ": "
      << (known ? std::to_string(changes.size()) + " keys differ" : "new") << '\n';
  if (known && changes.empty()) {
    err << "nothing to write\n";
  } else if (!options.yes) {
    err << "nothing is written; --yes writes " << shown_path(file) << '\n';
  } else {
    replace_file(file, entry_text(keys));
    err << "written: " << shown_path(file) << '\n';
  }
}

}  // namespace

int run_import_model(const ImportModelOptions& options, std::ostream& out, std::ostream& err) {
  const std::string file = shown_path(options.config);
  const Json config = parse_json(read_file(options.config, kMostCatalogBytes), file);
  const ModelIdentity identity{
      options.id, options.title.empty() ? options.id : options.title, options.repository,
      options.source.empty() ? options.config.filename().string() : options.source,
      date_of(options, err)};
  Faults faults;
  const EntryKeys keys = model_entry(config, file, identity, faults);
  faults.refuse();
  for (const UncountedPart& part : uncounted_parts(config)) {
    err << file << ':' << part.pointer << ": not counted: " << part.what << '\n';
  }
  if (options.merge) {
    std::optional<Turn> turn;
    if (options.yes) turn.emplace(options.catalog);
    merge(options, keys, out, err);
  } else {
    out << entry_text(keys);
  }
  return 0;
}

}  // namespace sizesheet
