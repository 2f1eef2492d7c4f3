// SPDX-License-Identifier: Apache-2.0
// `estimate`: sizing requests as JSON lines.

#include <memory>

#include "cli/command_parts.h"
#include "cli/commands.h"

namespace sizesheet {

void add_estimate(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<CommonOptions>();
  CLI::App* sizing = app.add_subcommand("estimate", "Answer sizing requests, JSON lines on stdin");
  add_catalog(*sizing, options->catalog);
  add_jobs(*sizing, options->jobs);
  sizing->add_option("--sheet", options->sheet, "Sheet whose rules decide what is rented")
      ->capture_default_str();
  sizing->add_option("--as-of", options->as_of, "Day of the prices then, YYYY-MM-DD");
  set_run(*sizing, chosen, [=, &streams] {
    Estimates estimates(estimate_rules(*options),
                        [&](const std::string& words) { streams.err << words << '\n'; });
    const auto handler = [&](const Json& request, std::int64_t) {
      return estimates.answer(request);
    };
    return for_each_json_line(streams.in, streams.out, options->jobs, handler);
  });
}

EstimateRules estimate_rules(const CommonOptions& options) {
  return {options.catalog, options.sheet, as_of_day(options.as_of, "")};
}

}  // namespace sizesheet
