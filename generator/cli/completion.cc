// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "--gpu --gpus …" of a command, those that take a value among them.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  return names;
}

/// Text between single quotes of a shell.
std::string quoted(std::string text) {
  std::erase(text, '\'');
  return "'" + text + "'";
}

/// A function that offers the commands as the first word, else the options of the command, where
/// `at` and `first` are the place of the word and the command, and `offer` takes what is `offered`.
std::string shell_function(const CLI::App& app, const std::string& at, const std::string& first,
                           const std::string& offer) {
  std::vector<std::string> commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands.push_back(command->get_name());
    cases += "    " + command->get_name() + ") offered=" + quoted(join(options_of(*command), " ")) +
             " ;;\n";
  }
  return "_sizesheet() {\n"
         "  local offered=" +
         quoted(join(commands, " ")) + "\n  [ \"" + at + "\" -gt 1 ] && case \"" + first +
         "\" in\n" + cases +
         "    *) offered='' ;;\n"
         "  esac\n  " +
         offer + "\n}\n";
}

std::string bash_script(const CLI::App& app) {
  return shell_function(app, "$COMP_CWORD", "${COMP_WORDS[1]}",
                        "COMPREPLY=($(compgen -W \"$offered\" -- \"${COMP_WORDS[COMP_CWORD]}\"))") +
         "complete -o default -F _sizesheet sizesheet\n";
}

/// Sourced, or installed as the file _sizesheet, whose first call completes already.
std::string zsh_script(const CLI::App& app) {
  return "#compdef sizesheet\n" +
         shell_function(app, "$((CURRENT - 1))", "${words[2]}",
                        "compadd -- ${=offered} || _files") +
         "if [ \"${funcstack[1]}\" = _sizesheet ]; then _sizesheet; "
         "else compdef _sizesheet sizesheet; fi\n";
}

std::string fish_script(const CLI::App& app) {
  std::string script;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    script += "complete -c sizesheet -n __fish_use_subcommand -a " + name + " -d " +
              quoted(command->get_description()) + "\n";
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_lnames().empty()) continue;
      script += "complete -c sizesheet -n '__fish_seen_subcommand_from " + name + "' -l " +
                option->get_lnames().front() + (option->get_items_expected_max() > 0 ? " -r" : "") +
                " -d " + quoted(option->get_description()) + "\n";
    }
  }
  return script;
}

constexpr std::pair<const char*, std::string (*)(const CLI::App&)> kShells[] = {
    {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

void add_completion(CLI::App& app, const Streams& streams, Command& chosen) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes commands and options");
  std::vector<std::string> known;
  for (const auto& [name, script] : kShells) known.emplace_back(name);
  add_choice(*command, "shell", *shell, "The shell", known);
  command->get_option("shell")->required();
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "The script as a text in JSON");
  command->footer("For this shell alone: source <(sizesheet completion bash)");
  set_run(*command, chosen, [shell, json, &app, &streams] {
    for (const auto& [name, script] : kShells) {
      if (*shell != name) continue;
      const std::string text = script(app);
      streams.out << (*json ? json_text(Json{{"script", text}, {"shell", name}}) + "\n" : text);
    }
    return 0;
  });
}

}  // namespace sizesheet
