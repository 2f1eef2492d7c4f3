// SPDX-License-Identifier: Apache-2.0
// The commands that size: their options; `estimate`, `cost` and `list`.

#include <memory>

#include "catalog/catalog.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cost/ownership.h"
#include "sizing/estimate.h"
#include "sizing/memory/parameters.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {

// ---- Commands that size or price.

namespace {

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
  command->footer("Exit codes: 0 it fits, or no GPU is named; 1 nothing fits; 2 could not tell.");
  add_catalog(*command, options->catalog);
  command->add_option("--model", options->model, "Model id")->required();
  command->add_option("--method", options->method, "Method id")->required();
  command->add_option("--gpu", options->gpu, "GPU id");
  command->add_option("--gpus", options->gpus, "Fix the number of GPUs")->check(why_no_count);
  command
      ->add_option("--stack", options->stack,
                   "Stack whose practice holds for what is left open; none: estimate's own values")
      ->capture_default_str();
  command->add_option("--seq", options->seq_len, "Tokens of a sequence")->check(why_no_count);
  command->add_option("--micro-batch", options->micro_batch, "Sequences of a micro-batch")
      ->check(why_no_count);
  command->add_option("--tokens", options->tokens, "Training tokens of the run")
      ->check(why_no_count);
  command->add_option("--request", options->request,
                      "Other keys of an estimate request: {\"workload\": {\"packed\": true}}");
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
      ->check(why_no_count)
      ->check(CLI::Range(1, 1000000));
  command->add_option("--budget-usd", options->budget_usd, "Dollars for one run at most");
  command->add_option("--deadline-hours", options->deadline_hours, "Hours for one run at most")
      ->check(why_no_number);
  command->add_option("--stack", options->stack, "Stack id")->capture_default_str();
  command->add_option("--seq", options->seq_len, "Tokens of a sequence")
      ->check(why_no_count)
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command->add_option("--tokens", options->tokens, "Training tokens of the run")
      ->check(why_no_count)
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

void add_sweep(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Write a table of models x methods x GPU types x lengths, or a part of it");
  add_catalog(*command, options->catalog);
  command->add_option("--sheet", options->sheet, "Sheet whose rules and first scenario hold")
      ->capture_default_str();
  command->add_option("--models", options->models, "Model ids, with commas between them [all]");
  command->add_option("--methods", options->methods, "Method ids, likewise [all]");
  command->add_option("--gpus", options->gpus, "GPU ids, likewise [all]");
  command->add_option("--seq", options->lengths, "Tokens of a sequence [1024,2048 … 32768]");
  command->add_option("--shard", options->shard, "K/N: part K of N; the parts are the whole");
  command->add_option("--format", options->format, "Form of a row")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->capture_default_str();
  command->add_option("--out", options->out, "File, written whole or not at all [stdout]");
  command->add_option("--as-of", options->as_of, "The day of the prices, YYYY-MM-DD");
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_sweep(*options, streams.out, streams.err); };
  });
}

}  // namespace

void add_catalog(CLI::App& command, std::string& catalog) {
  command.add_option("--catalog", catalog, "Folder of facts")->capture_default_str();
}

void add_jobs(CLI::App& command, int& jobs) {
  command.add_option("--jobs", jobs, "Threads; the result does not depend on it")
      ->check(why_no_count)
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void add_sizing_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  add_build(app, streams, chosen);
  add_line_commands(app, streams, chosen);
  add_explain(app, streams, chosen);
  add_fits(app, streams, chosen);
  add_sweep(app, streams, chosen);
}

int run_estimate(const std::filesystem::path& catalog, int jobs, std::istream& in,
                 std::ostream& out) {
  const Catalog facts = load_sound_catalog(catalog, {});
  return for_each_json_line(in, out, jobs, [&](const Json& request, std::int64_t) {
    return to_json(estimate(request, facts, facts.engine.current));
  });
}

int run_cost(std::istream& in, std::ostream& out, std::ostream& /*err*/) {
  return for_each_json_line(in, out, 1, [](const Json& request, std::int64_t /*line_number*/) {
    return answer_cost_request(request);
  });
}

namespace {

void list_models(const Catalog& catalog, std::ostream& out) {
  for (const auto& [id, model] : catalog.models) {
    const ComponentCounts counts = count_parameters(model.architecture);
    out << id << '\t' << counts.total() << '\t' << model.title << '\n';
  }
}

void list_gpus(const Catalog& catalog, std::ostream& out) {
  for (const auto& [id, gpu] : catalog.gpus) {
    const auto capacity = gpu.capacity_bytes();
    out << id << '\t' << (capacity ? format_gib(*capacity, 1) + " GiB" : std::string(kAbsent))
        << '\t' << gpu.name << '\n';
  }
}

void list_prices(const Catalog& catalog, std::ostream& out) {
  for (const Price& price : catalog.prices) {
    out << price.key() << '\t' << shortest(to_usd(price.usd_per_instance_hour)) << '\t'
        << (price.settled.empty() ? "" : "settled: " + price.settled) << '\n';
  }
  for (const ExcludedPrice& price : catalog.excluded_prices) {
    out << "excluded " << price.provider << '/' << price.gpu << "\t" << kAbsent << "\t"
        << price.reason << '\n';
  }
}

}  // namespace

int run_list(const std::string& what, const std::filesystem::path& catalog, std::ostream& out) {
  const CatalogParts parts = what == "prices" ? CatalogParts{CatalogPart::kMoney} : CatalogParts{};
  const Catalog facts = load_sound_catalog(catalog, parts);
  if (what == "models") list_models(facts, out);
  if (what == "gpus") list_gpus(facts, out);
  if (what == "prices") list_prices(facts, out);
  if (what == "methods") {
    for (const auto& [id, method] : facts.methods) out << id << '\t' << method.title << '\n';
  }
  if (what == "stacks") {
    for (const auto& [id, stack] : facts.stacks) out << id << '\t' << stack.title << '\n';
  }
  if (what == "sheets") {
    for (const std::string& id : facts.sheets) out << id << '\n';
  }
  return 0;
}

}  // namespace sizesheet
