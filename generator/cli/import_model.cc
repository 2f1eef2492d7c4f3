// SPDX-License-Identifier: Apache-2.0
#include "cli/import_model.h"

#include <algorithm>
#include <optional>

#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "catalog/models/families.h"
#include "catalog/models/model.h"
#include "catalog/models/model_entry.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/sheet_choice.h"
#include "cli/value_options.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

/// "" is what is left out.
struct ImportModelOptions : MergeOptions {
  fs::path config;
  std::string id;
  std::string title;
  std::string repository;
  std::string source;
  std::string date;
};

/// The catalog's document at this path; nullopt where there is none, or an empty file.
std::optional<Json> known_document(const CatalogLayers& catalog, const std::string& path,
                                   Comments comments = Comments::kRefused) {
  if (!catalog.holds(path)) return std::nullopt;
  const std::string bytes = read_catalog_file(catalog.place(path));
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos) return std::nullopt;
  Json document = parse_json(bytes, catalog.shown(path), kMostValues, comments);
  if (!document.is_object()) {
    throw InputError(catalog.shown(path) + ": expected an object, got " + shown(document));
  }
  return document;
}

/// The day that the command is given, else that of the catalog's own sheet.
std::string date_of(const ImportModelOptions& options, std::ostream& err) {
  if (!options.date.empty()) return options.date;
  const std::string day = as_of_day(options.as_of, "");
  if (!day.empty()) return day;
  const CatalogLayers catalog = layers_to_read(options.catalog);  // of a folder to be, the others
  const Json sheet =
      known_document(catalog, "sheets/quarterly.json", Comments::kSkipped).value_or(Json::object());
  const Json of_sheet = sheet.value("as_of", Json());
  if (!of_sheet.is_string() || of_sheet.get_ref<const std::string&>().empty()) {
    throw InputError(
        "--date: expected the day the config was read, YYYY-MM-DD; got nothing, nor "
        "--as-of, SOURCE_DATE_EPOCH or a sheet with a day in " +
        catalog.shown());
  }
  err << "date: " << of_sheet.get<std::string>() << ", the day of the sheet in " << catalog.shown()
      << "; --date gives another\n";
  return of_sheet;
}

Json* value_of(EntryKeys& keys, const std::string& key) {
  const auto found =
      std::ranges::find_if(keys, [&](const auto& each) { return each.first == key; });
  return found == keys.end() ? nullptr : &found->second;
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

/// Into the last layer, which then holds the entry whole.
void merge(const ImportModelOptions& options, const fs::path& folder, EntryKeys keys,
           std::ostream& out, std::ostream& err) {
  const std::string path = "models/" + options.id + ".json";
  const fs::path file = folder / path;
  const auto known = known_document(layers_to_read(options.catalog), path);
  if (known) keep_known(options, *known, keys);
  const std::vector<std::string> changes =
      known ? changes_of(*known, keys) : std::vector<std::string>{};
  // First what may fail, so that what is said below is what happened.
  write_merged(file, !known || !changes.empty(), entry_text(keys), options.yes, err);
  for (const std::string& line : changes) out << line << '\n';
  if (!known) out << entry_text(keys);
  out << shown_path(file) << ": "
      << (known ? std::to_string(changes.size()) + " keys differ" : "new") << '\n';
}

/// What the entry leaves out of the config, and what was taken for its date, is told on `err`.
int run_import_model(const ImportModelOptions& options, const Streams& streams) {
  const std::string file = shown_path(options.config);
  const Json config = read_config_file(options.config);
  const ModelIdentity identity{
      options.id, options.title.empty() ? options.id : options.title, options.repository,
      options.source.empty() ? options.config.filename().string() : options.source,
      date_of(options, streams.err)};
  // Also where nothing of it is needed: a folder that is none is not accepted and ignored.
  if (!options.merge) read_catalog_files(options.catalog, [](const std::string&) { return false; });
  Faults faults;
  const EntryKeys keys = model_entry(config, file, identity, faults);
  faults.refuse();
  for (const UncountedPart& part : uncounted_parts(config)) {
    streams.err << file << ':' << part.pointer << ": not counted: " << part.what << '\n';
  }
  for (const std::string& remark : config_remarks(config, Uncounted::kLeft)) {
    streams.err << remark << '\n';
  }
  if (options.merge) {
    const fs::path folder = folder_to_merge_into(options.catalog);
    std::optional<FolderLock> turn;
    if (options.yes) turn.emplace(folder);
    merge(options, folder, keys, streams.out, streams.err);
  } else {
    streams.out << entry_text(keys);
  }
  return 0;
}

}  // namespace

void write_merged(const fs::path& file, bool changes, const std::string& text, bool wanted,
                  std::ostream& err) {
  if (!changes) {
    err << "nothing to write\n";
  } else if (!wanted) {
    err << "nothing is written; --yes writes " << shown_path(file) << '\n';
  } else {
    make_folders(file.parent_path());
    replace_file(file, text);
    err << "written: " << shown_path(file) << '\n';
  }
}

void add_import_model(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "import-model",
                  "Turn a Hugging Face config.json into a catalog entry", run_import_model);
  command.add_option("config", options.config, "The model's config.json")->required();
  command.add_option("--id", options.id, "Id of the entry")->required();
  command.add_option("--title", options.title, "Title; the id where left out");
  command.add_option("--source", options.source,
                     "Where the config comes from; by default the file's name");
  CLI::Option* date = command.add_option("--date", options.date, "When it was read, YYYY-MM-DD");
  add_day(command, "--as-of", options.as_of, "The day of the command, where --date is left out")
      ->excludes(date);
  command.add_option("--repository", options.repository, "Repository on the Hub, owner/name");
  add_catalog(command, options.catalog);
  add_merge(command, "Show what the entry would change in the catalog", options);
  command
      .add_flag_callback(
          "--json", [] {}, "The entry is JSON already")
      ->excludes("--merge");
}

}  // namespace sizesheet
