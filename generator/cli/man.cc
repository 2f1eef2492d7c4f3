// SPDX-License-Identifier: Apache-2.0
#include "cli/man.h"

#include <memory>

#include "catalog/files/loader.h"
#include "cli/commands.h"
#include "cli/sheet_choice.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"

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
  const std::shared_ptr<CLI::Formatter> formatter = help_formatter();
  std::string lines;
  for (const CLI::Option* option : command.get_options()) {
    if (option == command.get_help_ptr() && !with_help) continue;
    if (option->get_group().empty()) continue;  // an older spelling
    lines += ".TP\n\\fB" + roff(formatter->make_option_name(option, option->get_positional())) +
             "\\fR" + roff(formatter->make_option_opts(option)) + "\n" +
             roff(formatter->make_option_desc(option)) + "\n";
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

}  // namespace

void add_man(CLI::App& app, const Streams& streams, Command& chosen) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "The page as a text in JSON");
  command->footer("To read it: sizesheet man | man -l -");
  set_run(*command, chosen, [&app, &streams, json] {
    const std::string page = manual_page(app);
    streams.out << (*json ? json_text(Json{{"page", page}}) + "\n" : page);
    return 0;
  });
}

}  // namespace sizesheet
