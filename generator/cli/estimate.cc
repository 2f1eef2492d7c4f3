// SPDX-License-Identifier: Apache-2.0
#include "cli/estimate.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <utility>

#include "calculator/estimates.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/json_lines.h"
#include "cli/sheet_choice.h"
#include "cli/value_options.h"
#include "support/json.h"

namespace sizesheet {
namespace {

int run_estimate(const CommonOptions& options, const Streams& streams) {
  refuse_unknown_sheet(options);
  Estimates estimates(estimate_rules(options),
                      [&](const std::string& words) { streams.err << words << '\n'; });
  const auto handler = [&](const Json& request, std::int64_t) { return estimates.answer(request); };
  return for_each_json_line(streams.in, streams.out, options.jobs, handler);
}

}  // namespace

void add_estimate(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "estimate", "Answer sizing requests, JSON lines on stdin",
                  run_estimate);
  add_catalog(command, options.catalog);
  command.add_flag_callback(
      "--json", [] {}, "Answers are JSON lines already");
  add_jobs(command, options.jobs);
  command.add_option("--sheet", options.sheet, "Sheet whose rules decide what is rented")
      ->capture_default_str();
  add_day(command, "--as-of", options.as_of, "Day of the prices then, YYYY-MM-DD");
}

}  // namespace sizesheet
