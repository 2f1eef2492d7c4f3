// SPDX-License-Identifier: Apache-2.0
#include "cli/record.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "catalog/published/team_runs.h"
#include "cli/common_options.h"
#include "cli/explained_request.h"
#include "cli/json_lines.h"
#include "cli/question_table.h"
#include "cli/run_log.h"
#include "cli/run_request.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "render/choices.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/job/job.h"
#include "sizing/request/question.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostLogBytes = 256U << 20U;

struct RecordOptions : ExplainOptions {
  std::optional<double> gib, tokens_per_second, hours;
  std::string counter = "device";  ///< what --gib was read from
  std::vector<std::string> logs;
  std::string date, host;
  bool dry_run = false;
};

// ---- What was measured.

/// A counter of memory: its name in a row, its figure, and where the estimate has it.
struct Counter {
  const char* id;
  std::optional<double> RunFigures::*figure;
  std::int64_t MemoryBill::*estimated;
};
constexpr Counter kCounters[] = {{"allocated", &RunFigures::allocated_gib, &MemoryBill::allocated},
                                 {"reserved", &RunFigures::reserved_gib, &MemoryBill::reserved},
                                 {"device", &RunFigures::device_gib, &MemoryBill::device}};

void say_once(const char* option, std::optional<double>& figure,
              const std::optional<double>& value) {
  if (!value) return;
  if (figure) throw InputError(std::string(option) + ": is said twice, a log says it too");
  figure = value;
}

std::string logged(const RecordOptions& options) {
  std::string all;
  for (const std::string& log : options.logs) all += read_file(log, kMostLogBytes) + "\n";
  return all;
}

/// The request that `measure-script` printed beside its figures.
std::optional<Json> logged_request(const std::string& log) {
  for (const std::string& line : split(log, '\n')) {
    if (!line.starts_with('{') || line.find("\"request\"") == line.npos) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && at_dotted(json, "request").is_object()) return json.at("request");
  }
  return std::nullopt;
}

RunFigures figures_of(const RecordOptions& options, const std::string& log) {
  RunFigures figures = figures_in(log);
  for (const Counter& one : kCounters) {
    if (options.counter == one.id) say_once("--gib", figures.*one.figure, options.gib);
  }
  say_once("--tokens-per-second", figures.tokens_per_second_per_gpu, options.tokens_per_second);
  if (options.tokens.has_value() != options.hours.has_value()) {
    throw InputError("record: --tokens and --hours go together: they say how fast the run was");
  }
  if (!figures.empty() || options.tokens) return figures;
  if (options.logs.empty()) {
    throw InputError(
        "record: expected what the run took: --gib, --tokens-per-second, --tokens with --hours, or "
        "--log FILE");
  }
  throw InputError(shown_path(options.logs.front()) + ": expected a figure such as " +
                   join(known_log_keys(), ", ") + ", got none");
}

/// The speed of a run of so many tokens and hours.
void settle_hours(const RecordOptions& options, const Job& job, RunFigures& figures) {
  if (!options.tokens) return;
  const double per_gpu = static_cast<double>(*options.tokens) / (*options.hours * 3600) /
                         static_cast<double>(job.layout.gpus());
  say_once("--tokens", figures.tokens_per_second_per_gpu, per_gpu);
}

/// Steps become tokens where every step has as many.
void settle_steps(const Job& job, RunFigures& figures) {
  if (!figures.steps_per_second || figures.tokens_per_second_per_gpu) return;
  if (!job.packed) {
    throw InputError(
        "record: steps per second are no tokens per second where lengths vary; expected "
        "--tokens-per-second, of one GPU");
  }
  const double tokens = static_cast<double>(job.batch()) * static_cast<double>(job.seq_len);
  figures.tokens_per_second_per_gpu =
      *figures.steps_per_second * tokens / static_cast<double>(job.layout.gpus());
}

// ---- What contradicts itself.

std::string gib_words(double gib) { return format_number(gib, 1) + " GiB"; }

void refuse_memory(const RunFigures& figures, const Sizing& sizing, const Gpu& gpu) {
  std::optional<double> before;
  std::string before_id;
  for (const Counter& one : kCounters) {
    const auto& gib = figures.*one.figure;
    if (!gib) continue;
    const std::string fault = memory_fault(*gib, one.id, sizing, gpu);
    if (!fault.empty()) throw InputError("record: " + fault);
    if (before && *gib < *before) {
      throw InputError("record: " + gib_words(*gib) + " " + one.id + " is less than " +
                       gib_words(*before) + " " + before_id);
    }
    before = gib;
    before_id = one.id;
  }
}

void refuse_speed(const RunFigures& figures, const Sizing& sizing, const Gpu& gpu) {
  if (!figures.tokens_per_second_per_gpu) return;
  const std::string fault = speed_fault(*figures.tokens_per_second_per_gpu, sizing, gpu);
  if (!fault.empty()) throw InputError("record: " + fault);
}

// ---- The rows.

Json row_of(const std::string& id, const Json& request, const std::string& evidence) {
  return {{"id", id}, {"request", request}, {"confidence", "high"}, {"evidence", evidence}};
}

/// The file as the layers have it, or an empty one.
Json known_runs(const CatalogLayers& catalog) {
  if (catalog.holds(kTeamRunsFile)) {
    return parse_json(read_catalog_file(catalog.place(kTeamRunsFile)), catalog.shown(kTeamRunsFile),
                      kMostValues);
  }
  return {{"id", kTeamRuns},
          {"title", "Our own runs"},
          {"framework", "hf-trl"},
          {"source", "measured by ourselves"},
          {"date", ""},
          {"held_out", false}};
}

/// "run-7": behind the highest number of a row.
std::string next_id(const Json& runs) {
  std::int64_t highest = 0;
  for (const char* place : {"rows", "speeds.rows"}) {
    for (const Json& row : at_dotted(runs, place)) {
      const std::vector<std::string> parts = split(row.value("id", ""), '-');
      const auto number =
          parts.size() > 1 ? parsed<std::int64_t>(parts[1]) : std::optional<std::int64_t>();
      highest = std::max(highest, number.value_or(0));
    }
  }
  return "run-" + std::to_string(highest + 1);
}

/// Throws InputError for what the catalog would not take as a text.
void check_host(const std::string& host) {
  constexpr std::size_t kLongest = 100;
  if (unfit_character(host).empty() && unsafe_address(host).empty() && host.size() <= kLongest) {
    return;
  }
  throw InputError("--host: expected a name of at most 100 letters, without addresses, got " +
                   shown(Json(host)));
}

std::string evidence_of(const RecordOptions& options, const std::string& day,
                        const std::string& figure) {
  std::string words = day + (options.host.empty() ? "" : " on " + options.host) + ": " + figure;
  for (const std::string& log : options.logs) {
    constexpr std::size_t kMostOfName = 100;
    const std::string name = fs::path(log).filename().string();
    words += ", " + plain_text(beginning_of(name, kMostOfName));
  }
  return words;
}

/// Adds the figures as rows; their id.
std::string add_rows(const RecordOptions& options, const std::string& day, const Json& request,
                     const RunFigures& figures, Json& runs) {
  const std::string id = next_id(runs);
  for (const Counter& one : kCounters) {
    const auto& gib = figures.*one.figure;
    if (!gib) continue;
    Json row = row_of(id + "-" + one.id, request,
                      evidence_of(options, day, gib_words(*gib) + " " + one.id));
    row["measured"] = {{"kind", one.id},
                       {"kind_stated", true},
                       {"unit_as_published", "GiB"},
                       {"relation", "equal"},
                       {"bytes", std::llround(*gib * kGiB)}};
    runs["rows"].push_back(std::move(row));
  }
  if (figures.tokens_per_second_per_gpu) {
    const double speed = *figures.tokens_per_second_per_gpu;
    Json row = row_of(id + "-speed", request,
                      evidence_of(options, day, shortest(speed) + " tokens per second and GPU"));
    row["tokens_per_s_per_gpu"] = speed;
    runs["speeds"].emplace("held_out", false);
    runs["speeds"]["rows"].push_back(std::move(row));
  }
  runs["date"] = day;
  return id;
}

// ---- What it changes.

std::string moved_words(double measured, double estimated) {
  const double percent = (measured / estimated - 1) * 100;
  return (percent < 0 ? "" : "+") + format_number(percent, 0) + " %";
}

struct Recorded {
  std::string id, folder, file, set_up;
  RunFigures figures;
  Sizing before, after;  ///< the estimate of the same request
};

void print_text(const Recorded& run, bool dry, std::ostream& out) {
  out << (dry ? "would be " : "") << run.id << " in " << run.file << ": " << run.set_up << '\n';
  const auto line = [&](const std::string& what, const std::string& measured,
                        const std::string& before, const std::string& move,
                        const std::string& after) {
    out << "  " << padded_right(what, 10) << measured << " measured, " << before << " estimated ("
        << move << "), " << after << " from now on\n";
  };
  for (const Counter& one : kCounters) {
    const auto& gib = run.figures.*one.figure;
    if (!gib) continue;
    const auto estimated = [&](const Sizing& sizing) {
      return static_cast<double>(sizing.plan.chosen.bill.*one.estimated) / kGiB;
    };
    line(one.id, gib_words(*gib), gib_words(estimated(run.before)),
         moved_words(*gib, estimated(run.before)), gib_words(estimated(run.after)));
  }
  if (run.figures.tokens_per_second_per_gpu && run.before.speed) {
    const double measured = *run.figures.tokens_per_second_per_gpu;
    const auto estimated = [](const Sizing& sizing) {
      return sizing.speed->tokens_per_second_per_gpu;
    };
    line("speed", format_number(measured, 0) + " tokens per second and GPU",
         format_number(estimated(run.before), 0), moved_words(measured, estimated(run.before)),
         format_number(estimated(run.after), 0));
  }
  if (!dry) {
    out << "ask, explain, estimate and build use it with --catalog " << run.folder << '\n';
  }
}

Json to_json(const Recorded& run, bool dry) {
  Json json = {{"id", run.id}, {"file", run.file}, {"written", !dry}};
  for (const Counter& one : kCounters) {
    const auto& gib = run.figures.*one.figure;
    if (gib) json["measured"][std::string(one.id) + "_bytes"] = std::llround(*gib * kGiB);
  }
  if (run.figures.tokens_per_second_per_gpu) {
    json["measured"]["tokens_per_second_per_gpu"] = *run.figures.tokens_per_second_per_gpu;
  }
  json["estimate_before"] = sizesheet::to_json(run.before);
  json["estimate_after"] = sizesheet::to_json(run.after);
  return json;
}

/// The run of the request; an `id` so that no key of the request is in its place.
Sizing sized(const Json& request, const Catalog& catalog) {
  return answer(read_whole_question(request, catalog, catalog.engine.current));
}

/// The day of the run: that of the command, else of the sheet, which `err` hears of.
std::string day_of(const RecordOptions& options, const Catalog& catalog, std::ostream& err) {
  if (!options.date.empty()) return options.date;
  const std::string said = as_of_day(options.as_of, "");
  if (!said.empty()) return said;
  const std::string day = sheet_asked_for(options, catalog).as_of;
  err << "date: " << day << ", the day of the sheet; --date gives another\n";
  return day;
}

/// A folder that is not there yet says that it is a layer.
void write_runs(const fs::path& folder, const Json& runs) {
  std::error_code none;
  const bool is_new = !fs::exists(folder, none);
  const fs::path file = folder / kTeamRunsFile;
  make_folders(file.parent_path());
  if (is_new) replace_file(folder / kLayerManifest, "{\"over\": \"builtin\"}\n");
  replace_file(file, runs.dump(1) + "\n");
}

/// The catalog with these runs in the place of those it had.
void take_runs(const Json& runs, const std::string& file, Catalog& catalog) {
  Faults faults;
  catalog.team_runs = read_measured_source(ObjectReader(runs, file, "", faults));
  faults.refuse();
  correct_by({}, catalog);
  correct_by(team_runs_of(catalog), catalog);
}

Question question_of_run(RecordOptions& options, const std::string& log, Catalog& catalog,
                         std::ostream& err) {
  TakenNames taken(err);
  const auto tokens = std::exchange(options.tokens, std::nullopt);  // its speed, and no length
  const bool asked = !options.words.empty() || !options.model.empty() || !options.config.empty();
  const auto told = asked ? std::nullopt : logged_request(log);
  const Json open = told ? *told : explained_request(options, "record", catalog, taken).request;
  const Json request = request_of_run(open, "record");
  options.tokens = tokens;
  Question question = read_whole_question(request, catalog, catalog.engine.current);
  if (question.gpu == nullptr) throw InputError("record: expected the GPU that ran it, as 8xh100");
  if (question.single().grpo) {
    throw InputError("record: a run that generates corrects nothing; " + question.kind + " is one");
  }
  return question;
}

/// 0. Throws InputError for what contradicts itself: then nothing is written.
int run_record(const RecordOptions& asked, const Streams& streams) {
  RecordOptions options = asked;
  if (options.catalog.folders().back() == kBuiltInCatalog) {
    throw InputError("record: expected --catalog, the folder that keeps your runs: --catalog ours");
  }
  check_host(options.host);
  const fs::path folder = folder_to_merge_into(options.catalog);
  std::optional<FolderLock> turn;
  if (!options.dry_run) turn.emplace(folder);
  const CatalogLayers layers = options.catalog = layers_to_read(options.catalog);
  Catalog catalog = load_catalog_to_ask(layers, {CatalogPart::kMoney});
  const std::string log = logged(options);
  RunFigures figures = figures_of(options, log);
  const Question question = question_of_run(options, log, catalog, streams.err);
  Recorded run{.id = {},
               .folder = shown_path(folder),
               .file = shown_path(folder / kTeamRunsFile),
               .set_up = {},
               .figures = {},
               .before = answer(question),
               .after = {}};
  const Job& job = run.before.plan.chosen.job;
  settle_hours(options, job, figures);
  settle_steps(job, figures);
  refuse_memory(figures, run.before, *question.gpu);
  refuse_speed(figures, run.before, *question.gpu);
  run.figures = figures;
  run.set_up = format_integer(job.layout.gpus()) + " x " + question.gpu->short_name + ", " +
               choice_words(choices_of(job));
  Json runs = known_runs(layers);
  run.id =
      add_rows(options, day_of(options, catalog, streams.err), question.request, figures, runs);
  take_runs(runs, run.file, catalog);
  run.after = sized(question.request, catalog);
  if (!options.dry_run) write_runs(folder, runs);
  if (options.as_json()) {
    streams.out << json_text(to_json(run, options.dry_run)) << '\n';
  } else {
    print_text(run, options.dry_run, streams.out);
  }
  return 0;
}

}  // namespace

void add_record(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "record",
                  "Keep what a run of yours took, so that estimates learn from it", run_record);
  const QuestionHelp help = {.words = "What ran: llama-3.1-8b lora 1xh100",
                             .method = "The method: full, lora, QLoRA r16 …",
                             .gpu = "The GPU: 4090, H100, 2xH100, an id …",
                             .gpus = "How many GPUs ran it",
                             .sheet = "Sheet whose rules and first scenario apply",
                             .most_gpus = count_kind().bounds};
  add_set_up(command, options, help);
  add_answer(command, options, help);
  command.add_option("--request", options.request,
                     "Other keys of an estimate request: {\"kernels\": {\"recompute\": \"full\"}}");
  add_number(command, "--tokens", options.tokens, "With --hours: tokens that the run trained on");
  add_number(command, "--hours", options.hours, "With --tokens: hours that it took");
  add_value(command, "--gib,--peak-memory", options.gib, memory_kind(),
            "Peak memory of one GPU, GiB");
  add_choice(command, "--counter", options.counter,
             "Which memory --gib is: of tensors, of the allocator, or of nvidia-smi",
             {"allocated", "reserved", "device"});
  add_value(command, "--tokens-per-second", options.tokens_per_second, number_kind(),
            "Tokens per second of one GPU", Bounds<double>{1e-3, 1e7});
  command
      .add_option(
          "--log", options.logs,
          "A trainer's log or trainer_state.json, or what nvidia-smi printed; again for each")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_day(command, "--date", options.date, "When it ran, YYYY-MM-DD");
  command.add_option("--host", options.host, "Where it ran: a name for the evidence");
  command.add_flag("--dry-run", options.dry_run, "Show what it would change, and write nothing");
}

}  // namespace sizesheet
