// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <new>
#include <sstream>
#include <system_error>

#include "cli/build.h"
#include "cli/check.h"
#include "cli/cost.h"
#include "cli/diff.h"
#include "cli/estimate.h"
#include "cli/explain.h"
#include "cli/fits.h"
#include "cli/import_model.h"
#include "cli/import_prices.h"
#include "cli/list.h"
#include "cli/plain_number.h"
#include "cli/validate.h"
#include "cli/verify.h"
#include "support/error.h"
#include "support/parallel.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 the answer is no; 2 could not do it.\n"
    "stdout is data, stderr is talk.";

using Command = std::function<int()>;

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

void add_catalog(CLI::App& command, std::string& catalog) {
  command.add_option("--catalog", catalog, "Folder of facts")->capture_default_str();
}

void add_jobs(CLI::App& command, int& jobs) {
  command.add_option("--jobs", jobs, "Threads; the result does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void add_build(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand("build", "Write an edition: pages, PDF, JSON, CSV");
  command->add_option("--sheet", options->sheet, "Id of a sheet in the catalog, or a file")
      ->capture_default_str();
  add_catalog(*command, options->catalog);
  command->add_option("--templates", options->templates,
                      "Folder that overrides built-in templates");
  command->add_option("--out", options->out, "Folder of the edition")->capture_default_str();
  command->add_option("--paper", options->paper, "Paper of the PDF")
      ->check(CLI::IsMember({"a4", "letter"}))
      ->capture_default_str();
  command->add_option("--as-of", options->as_of, "The sheet's day, YYYY-MM-DD");
  command->add_option("--base-url", options->base_url, "Where the pages will stand, https://…");
  command->add_option("--baseline", options->baseline,
                      "Earlier sheet.json, or its edition's folder: adds a page of changes");
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_build(*options, streams.err); };
  });
}

void add_line_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  auto catalog = std::make_shared<std::string>("catalog");
  auto jobs = std::make_shared<int>(default_jobs());
  CLI::App* estimate =
      app.add_subcommand("estimate", "Answer sizing requests, JSON lines on stdin");
  add_catalog(*estimate, *catalog);
  add_jobs(*estimate, *jobs);
  estimate->callback([=, &streams, &chosen] {
    chosen = [=, &streams] { return run_estimate(*catalog, *jobs, streams.in, streams.out); };
  });
  CLI::App* cost = app.add_subcommand("cost", "Answer rent-or-buy questions, JSON lines on stdin");
  cost->callback([&streams, &chosen] {
    chosen = [&streams] { return run_cost(streams.in, streams.out, streams.err); };
  });
}

void add_explain(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "Take one figure apart, term by term");
  add_catalog(*command, options->catalog);
  command->add_option("--model", options->model, "Model id")->required();
  command->add_option("--method", options->method, "Method id")->required();
  command->add_option("--gpu", options->gpu, "GPU id");
  command->add_option("--gpus", options->gpus, "Fix the number of GPUs");
  command->add_option("--stack", options->stack, "Stack id")->capture_default_str();
  command->add_option("--seq", options->seq_len, "Tokens of a sequence");
  command->add_option("--micro-batch", options->micro_batch, "Sequences of a micro-batch");
  command->add_option("--tokens", options->tokens, "Training tokens of the run");
  command
      ->add_option("--measured-gib", options->measured_gib, "What nvidia-smi showed, GiB per GPU")
      ->check(why_no_number);
  command->add_option("--format", options->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_explain(*options, streams.out); };
  });
}

void add_fits(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<FitsOptions>();
  options->jobs = default_jobs();
  CLI::App* command = app.add_subcommand("fits", "Say what can be trained on given GPUs");
  add_catalog(*command, options->catalog);
  command->add_option("--gpu", options->gpu, "GPU id")->required();
  command->add_option("--gpus", options->gpus, "How many there are")
      ->required()
      ->check(CLI::Range(1, 1000000));
  command->add_option("--budget-usd", options->budget_usd, "Dollars for one run at most");
  command->add_option("--deadline-hours", options->deadline_hours, "Hours for one run at most")
      ->check(why_no_number);
  command->add_option("--stack", options->stack, "Stack id")->capture_default_str();
  command->add_option("--seq", options->seq_len, "Tokens of a sequence")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command->add_option("--tokens", options->tokens, "Training tokens of the run")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 53))
      ->capture_default_str();
  command->add_option("--sheet", options->sheet, "Sheet whose rules for prices hold")
      ->capture_default_str();
  command->add_option("--as-of", options->as_of, "The day of the prices, YYYY-MM-DD");
  command->add_option("--format", options->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_fits(*options, streams.out); };
  });
}

void add_catalog_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  auto catalog = std::make_shared<std::string>("catalog");
  CLI::App* check = app.add_subcommand("check", "Report every fault in the catalog");
  add_catalog(*check, *catalog);
  check->callback([=, &streams, &chosen] {
    chosen = [=, &streams] { return run_check(*catalog, streams.out, streams.err); };
  });
  auto what = std::make_shared<std::string>();
  CLI::App* list = app.add_subcommand("list", "List what the catalog holds");
  add_catalog(*list, *catalog);
  list->add_option("what", *what, "models, gpus, methods, stacks, prices or sheets")
      ->required()
      ->check(CLI::IsMember({"models", "gpus", "methods", "stacks", "prices", "sheets"}));
  list->callback([=, &streams, &chosen] {
    chosen = [=, &streams] { return run_list(*what, *catalog, streams.out); };
  });
}

void add_import_model(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ImportModelOptions>();
  CLI::App* command =
      app.add_subcommand("import-model", "Turn a Hugging Face config.json into a catalog entry");
  command->add_option("config", options->config, "The model's config.json")->required();
  command->add_option("--id", options->id, "Id of the entry")->required();
  command->add_option("--title", options->title, "Title; the id where left out");
  command->add_option("--source", options->source, "Where the config stands");
  command->add_option("--date", options->date, "When it was read, YYYY-MM-DD");
  command->add_option("--repository", options->repository, "Repository on the Hub, owner/name");
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_import_model(*options, streams.out); };
  });
}

void add_import_prices(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ImportPricesOptions>();
  CLI::App* command =
      app.add_subcommand("import-prices", "Turn a CSV of prices into a price file of the catalog");
  command->add_option("file", options->file, "The CSV file")->required();
  command
      ->add_option("--format", options->format,
                   "skypilot: a vms.csv of its catalog; sizesheet: the keys of a price row")
      ->required()
      ->check(CLI::IsMember({"skypilot", "sizesheet"}));
  command->add_option("--provider", options->provider,
                      "Provider; the file's name where left out, for vms.csv its folder's");
  command->add_option("--as-of", options->as_of, "The day of the prices, YYYY-MM-DD");
  command->add_option("--source", options->source, "Where the prices were read");
  add_catalog(*command, options->catalog);
  CLI::Option* merge = command->add_flag("--merge", options->merge,
                                         "Show what the prices would change in the catalog");
  command->add_flag("--yes", options->yes, "With --merge: write the change")->needs(merge);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_import_prices(*options, streams.out, streams.err); };
  });
}

void add_validate(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ValidateOptions>();
  options->jobs = default_jobs();
  CLI::App* command =
      app.add_subcommand("validate", "Compare the engine with published measurements");
  add_catalog(*command, options->catalog);
  command->add_option("--format", options->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag("--held-out", options->held_out, "Only the sources no constant is fitted to");
  command->add_option("--write-intervals", options->write_intervals,
                      "Fit the intervals anew and write them to this file");
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_validate(*options, streams.out); };
  });
}

void add_verify(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand(
      "verify", "Say whether an edition is whole and what its own sheet.json gives");
  command->footer("Exit codes: 0 whole and equal; 1 not, file by file; 2 could not tell.");
  command->add_option("folder", options->folder, "Folder of the edition; nothing is written to it")
      ->required();
  command->add_option("--templates", options->templates,
                      "Folder that overrode built-in templates when it was built");
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_verify(*options, streams.out); };
  });
}

void add_diff(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<DiffCommand>();
  options->jobs = default_jobs();
  CLI::App* command = app.add_subcommand("diff", "Say what changed between two editions, and why");
  command->footer("Exit codes: 0 equal; 1 different, see --fail-on; 2 could not compare.");
  command->add_option("old", options->old_path, "sheet.json, folder of an edition, or a catalog")
      ->required();
  command->add_option("new", options->new_path, "The same")->required();
  command->add_option("--format", options->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "markdown", "html", "json"}))
      ->capture_default_str();
  command
      ->add_option("--threshold", options->thresholds,
                   "Moves below are only counted: usd=1%,hours=2%,memory=0.1GiB")
      ->allow_extra_args(false);
  command->add_option("--fail-on", options->fail_on, "Least level of a change that exits with 1")
      ->check(CLI::IsMember({"breaking", "notable", "any", "none"}))
      ->capture_default_str();
  command->add_flag("--all", options->all, "Every change, not only the first of each table");
  command->add_option("--sort", options->sort, "Order: severity, or size in dollars")
      ->check(CLI::IsMember({"kind", "usd"}))
      ->capture_default_str();
  command->add_option("--explain", options->explain,
                      "One row side by side: MODEL/METHOD[/GPU[/SCENARIO]]");
  command->add_option("--sheet", options->sheet, "Sheet of a catalog, an id or a file [quarterly]");
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] {
      options->colour = may_colour(streams.out);
      return run_diff(*options, streams.out);
    };
  });
}

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
  add_build(app, streams, chosen);
  add_line_commands(app, streams, chosen);
  add_explain(app, streams, chosen);
  add_fits(app, streams, chosen);
  add_catalog_commands(app, streams, chosen);
  add_import_model(app, streams, chosen);
  add_import_prices(app, streams, chosen);
  add_validate(app, streams, chosen);
  add_verify(app, streams, chosen);
  add_diff(app, streams, chosen);
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
