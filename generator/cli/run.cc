// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <new>
#include <sstream>
#include <system_error>

#include "cli/commands.h"
#include "support/error.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 the answer is no; 2 could not do it.\n"
    "stdout is data, stderr is talk.";

/// CLI11 takes an empty value for none at all.
void refuse_empty(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool option = argument.starts_with("--") && argument.ends_with('=');
    if (!argument.empty() && !option) continue;
    const std::string name = option  ? argument.substr(0, argument.size() - 1)
                             : i > 0 ? arguments[i - 1]
                                     : "the command";
    throw InputError(name + ": expected a value, got \"\"");
  }
}

/// Parses, runs the chosen command; CLI11's help and version go to `out`, its complaints to `err`.
int dispatch(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("GPU sizing sheets for fine-tuning: memory, counts, hours, money", "sizesheet");
  app.footer(kFooter);
  app.set_version_flag("--version", tool_version());
  app.require_subcommand(1);
  Command chosen;
  add_sizing_commands(app, streams, chosen);
  add_data_commands(app, streams, chosen);
  refuse_empty(arguments);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    std::ostringstream complaint;
    const int code = app.exit(error, streams.out, complaint);
    streams.err << plain_lines(complaint.str());
    return code == 0 ? 0 : 2;
  }
  return chosen();
}

}  // namespace

std::string tool_version() { return SIZESHEET_VERSION; }

int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err) {
  const Streams streams{in, out, err};
  try {
    const int code = dispatch(arguments, streams);
    out.flush();
    if (!out) throw InputError("stdout: could not be written");
    return code;
  } catch (const InputError& error) {
    err << "sizesheet: " << plain_lines(error.what()) << '\n';
  } catch (const std::system_error& error) {  // the machine refused: no threads, no memory file
    err << "sizesheet: " << error.what() << '\n';
  } catch (const std::bad_alloc&) {
    err << "sizesheet: out of memory\n";
  } catch (const std::exception& error) {
    err << "sizesheet: internal error, please report: " << error.what() << '\n';
  }
  return 2;
}

}  // namespace sizesheet
