// SPDX-License-Identifier: Apache-2.0
// `man`: the manual page, made from the command line's own description as the help is. `schema`:
// what an editor has to know of a file.

#include <memory>

#include "catalog/loader.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "support/error.h"

namespace sizesheet {
namespace {

/// Text as roff takes it: its own signs escaped, no line that begins as a request does.
std::string roff(const std::string& text) {
  static const std::map<char, std::string> kSigns = {
      {'\\', "\\e"}, {'-', "\\-"}, {'"', "\\(dq"}, {'\'', "\\(aq"}, {'\n', "\n.br\n"}};
  std::string escaped;
  for (const char letter : text) {
    const bool begins = escaped.empty() || escaped.back() == '\n';
    if (begins && (letter == '.' || letter == '\'')) escaped += "\\&";
    const auto sign = kSigns.find(letter);
    escaped += sign != kSigns.end() ? sign->second : std::string(1, letter);
  }
  return escaped;
}

/// "ask [OPTIONS] [model]": the help's line of usage.
std::string usage_of(const CLI::App& command) {
  const std::string line = CLI::Formatter().make_usage(&command, command.get_name());
  const std::size_t name = line.find(": ") + 2;
  return line.substr(name, line.find_last_not_of('\n') + 1 - name);
}

/// Arguments and options, --help only where `with_help`: every command has it.
std::string options_of_page(const CLI::App& command, bool with_help) {
  const CLI::Formatter formatter;
  std::string lines;
  for (const CLI::Option* option : command.get_options()) {
    if (option == command.get_help_ptr() && !with_help) continue;
    lines += ".TP\n\\fB" + roff(formatter.make_option_name(option, option->get_positional())) +
             "\\fR" + roff(formatter.make_option_opts(option)) + "\n" +
             roff(formatter.make_option_desc(option)) + "\n";
  }
  return lines;
}

/// Its day is that of the catalog that is compiled in.
std::string manual_page(const CLI::App& app) {
  const Json sheet = parse_json(embedded_catalog().at("sheets/quarterly.json"), kBuiltInCatalog);
  std::string page = ".TH SIZESHEET 1 " + as_of_day("", sheet.at("as_of").get<std::string>()) +
                     " \"sizesheet " + tool_version() + "\" \"User Commands\"\n.SH NAME\n" +
                     app.get_name() + " \\- " + roff(app.get_description()) + "\n.SH SYNOPSIS\n" +
                     roff(usage_of(app)) + "\n.SH OPTIONS\n" + options_of_page(app, true) +
                     ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    page += ".SS \"" + roff(usage_of(*command)) + "\"\n" + roff(command->get_description()) +
            ".\n" + options_of_page(*command, false);
    if (command->get_footer() != app.get_footer()) {
      page += ".PP\n" + roff(command->get_footer()) + "\n";
    }
  }
  return page + ".SH EXIT STATUS\n" + roff(app.get_footer()) + "\n";
}

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

int print_schema(const std::string& name, std::ostream& out) {
  const std::map<std::string, std::string> all = schemas();
  const std::vector<std::string> names = keys_of(all);
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
  set_run(*command, chosen, [name, &streams] { return print_schema(*name, streams.out); });
}

void add_man(CLI::App& app, const Streams& streams, Command& chosen) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page");
  command->footer("To read it: sizesheet man | man -l -");
  set_run(*command, chosen, [&app, &streams] {
    streams.out << manual_page(app);
    return 0;
  });
}

}  // namespace sizesheet
