// SPDX-License-Identifier: Apache-2.0
#include "cli/estimate.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "calculator/estimates.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/json_lines.h"
#include "cli/sheet_choice.h"
#include "cli/training_config.h"
#include "cli/value_options.h"
#include "config/reading.h"
#include "support/json.h"
#include "support/object_text.h"

namespace sizesheet {
namespace {

/// Answers requests that have a training config. The formats are read at the first of them.
class ConfigAnswers {
 public:
  ConfigAnswers(const CatalogLayers& layers, Estimates& estimates)
      : formats_(sound_config_formats(layers)),
        estimates_(estimates),
        names_(estimates.catalog(), [] { return std::vector<SizeRow>(); }) {}

  ObjectText answer(const Json& request) {
    Json said;
    const auto whole = request_of_config(request, formats_, estimates_.catalog(), names_, said);
    ObjectText text = estimates_.answer(whole.value_or(request));
    if (whole) said["request"] = *whole;
    text.add({{"config", said}});
    return text;
  }

 private:
  ConfigFormats formats_;
  Estimates& estimates_;
  ModelNames names_;
};

int run_estimate(const CommonOptions& options, const Streams& streams) {
  refuse_unknown_sheet(options);
  Estimates estimates(estimate_rules(options),
                      [&](const std::string& words) { streams.err << words << '\n'; });
  std::once_flag once;
  std::optional<ConfigAnswers> configs;
  const auto handler = [&](const Json& request, std::int64_t) {
    if (!request.contains("config")) return estimates.answer(request);
    std::call_once(once, [&] { configs.emplace(options.catalog, estimates); });
    return configs->answer(request);
  };
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
