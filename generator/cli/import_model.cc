// SPDX-License-Identifier: Apache-2.0
#include "cli/import_model.h"

#include "catalog/model_entry.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// An entry without its source would be a number nobody can check.
void require_origin(const ImportModelOptions& options) {
  std::vector<std::string> missing;
  if (options.source.empty()) missing.emplace_back("--source (where the config stands)");
  if (options.date.empty()) missing.emplace_back("--date (when it was read, YYYY-MM-DD)");
  if (missing.empty()) return;
  throw InputError("import-model: a catalog entry needs " + join(missing, " and "));
}

}  // namespace

int run_import_model(const ImportModelOptions& options, std::ostream& out) {
  require_origin(options);
  const std::string file = options.config.string();
  const Json config = parse_json(read_file(options.config, kMostCatalogBytes), file);
  const ModelIdentity identity{options.id, options.title.empty() ? options.id : options.title,
                               options.repository, options.source, options.date};
  Faults faults;
  const EntryKeys keys = model_entry(config, file, identity, faults);
  faults.refuse();
  std::string text;
  for (const auto& [key, value] : keys) {
    text += (text.empty() ? "{\n  " : ",\n  ") + json_text(key) + ": " + json_text(value);
  }
  out << text << "\n}\n";
  return 0;
}

}  // namespace sizesheet
