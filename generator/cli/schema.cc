// SPDX-License-Identifier: Apache-2.0
#include "cli/schema.h"

#include <memory>

#include "catalog/files/loader.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Of the catalog's files and of all others, by name.
std::map<std::string, std::string> schemas() {
  constexpr std::string_view kFolder = "schema/";
  constexpr std::string_view kEnd = ".schema.json";
  std::map<std::string, std::string> all;
  for (const auto* files : {&embedded_documents(), &embedded_catalog()}) {
    for (const auto& [path, text] : *files) {
      if (!path.starts_with(kFolder) || !path.ends_with(kEnd)) continue;
      const std::size_t length = path.size() - kFolder.size() - kEnd.size();
      all.emplace(path.substr(kFolder.size(), length), text);
    }
  }
  return all;
}

int print_schema(const std::string& name, bool json, std::ostream& out) {
  const std::map<std::string, std::string> all = schemas();
  const std::vector<std::string> names = keys_of(all);
  if (name.empty() && json) {
    out << json_text(Json(names)) << '\n';
    return 0;
  }
  if (name.empty()) {
    out << join(names, "\n") << '\n';
    return 0;
  }
  if (!all.contains(name)) {
    throw InputError("no schema " + in_quotes(name) + did_you_mean(name, names) +
                     "; sizesheet schema lists them");
  }
  out << all.at(name);
  return 0;
}

}  // namespace

void add_schema(CLI::App& app, const Streams& streams, Command& chosen) {
  auto name = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of a file that is read or written");
  command->add_option("name", *name, "request, answer, diff …; left out: their names, one a line");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "The names as JSON; a schema is JSON already");
  set_run(*command, chosen,
          [name, json, &streams] { return print_schema(*name, *json, streams.out); });
}

}  // namespace sizesheet
