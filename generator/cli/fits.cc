// SPDX-License-Identifier: Apache-2.0
#include "cli/fits.h"

#include <algorithm>
#include <iomanip>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/rows/fits.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/verdict.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

struct FitsOptions : CommonOptions {
  FitsQuestion question;
  std::string vram;           ///< of a card that the catalog need not know; or `gpu`
  std::string model, method;  ///< those alone; "" all
  std::optional<double> budget_usd;
  std::string format = "text";
};

FitsQuestion question_of(const FitsOptions& options) {
  FitsQuestion question = options.question;
  if (options.budget_usd) question.budget = rounded_usd(*options.budget_usd);
  return question;
}

std::string layout_words(const LayoutShape& layout) {
  std::string words;
  for (const Degree& degree : kDegrees) {
    const std::int64_t ranks = layout.*degree.ranks;
    if (ranks > 1) words += (words.empty() ? "" : " ") + (degree.key + std::to_string(ranks));
  }
  if (words.empty()) words = "one GPU";
  if (layout.shard != "none" && layout.gpus > 1) words += " " + layout.shard;
  return words;
}

/// ", rank 16 on all-linear" of adapters; "" where every weight trains.
std::string adapter_words(const JobChoices& choices) {
  if (!choices.lora_rank) return "";
  return ", rank " + std::to_string(*choices.lora_rank) + " on " + *choices.lora_targets;
}

void print_row(const FitRow& row, std::int64_t capacity, std::ostream& out) {
  out << "  " << std::left << std::setw(32) << row.model << std::setw(6)
      << id_of(row.verdict) + (row.certain.value_or(true) ? "" : kDoubtMark)
      << padded_left(format_gib(row.device, 1), 8) << "  " << std::setw(22)
      << layout_words(row.layout) << padded_left(format_integer(row.choices.micro_batch), 11)
      << padded_left(format_integer(row.choices.grad_accum), 8) << "  " << std::setw(10)
      << row.choices.recompute << padded_left(or_absent(row.largest_micro_batch, format_integer), 7)
      << padded_left(or_absent(row.seq_len, format_integer), 12)
      << (row.seq_len_beyond_positions ? "*" : " ")
      << padded_left(or_absent(row.hours, [](double h) { return format_number(h, 1); }), 11)
      << padded_left(or_absent(row.usd_per_run, [](MicroUsd usd) { return format_usd(usd, 2); }),
                     13);
  if (!row.excluded.empty()) out << "  " << join(row.excluded, ", ");
  out << '\n';
  if (!row.certain.value_or(true)) {
    out << "    " << standing_words(row.verdict, row.device_high, capacity) << '\n';
  }
  if (row.frontier.size() < 2) return;
  std::vector<std::string> points;
  for (const RunCandidate& one : row.frontier) {
    const char* unit = !points.empty() ? "" : one.gpus == 1 ? " GPU" : " GPUs";
    points.push_back(std::to_string(one.gpus) + unit + " in " + format_number(one.hours.mid, 1) +
                     " h for $" + format_usd(one.usd.mid, 2));
  }
  out << "    " << join(points, "; ") << '\n';
}

void print_head(const Fits& fits, const FitsQuestion& asked, const SheetSpec& policy,
                std::ostream& out) {
  out << asked.gpus << " × " << asked.gpu << ", " << format_gib(fits.capacity, 1)
      << " GiB usable on each; stack " << asked.stack << ", sequence "
      << format_integer(asked.seq_len) << ", " << format_integer(asked.tokens) << " tokens a run\n";
  if (fits.usd_per_hour) {
    out << "$" << format_usd(*fits.usd_per_hour, 2) << " an hour on demand (" << fits.price_key
        << ")\n";
  } else {
    out << "no current on-demand price on " << policy.as_of << ": costs unknown\n";
  }
}

void print_foot(const Fits& fits, std::ostream& out) {
  const auto excluded =
      std::ranges::count_if(fits.rows, [](const FitRow& row) { return !row.excluded.empty(); });
  out << '\n' << fits.rows.size() << " pairs of model and method hold";
  if (excluded > 0) out << ", " << excluded << " of them outside budget or deadline";
  out << "; " << fits.too_large << " do not, " << fits.refused.size()
      << " are refused (--format json names them)\n";
  const bool beyond = std::ranges::any_of(
      fits.rows, [](const FitRow& row) { return row.seq_len_beyond_positions; });
  const bool choice =
      std::ranges::any_of(fits.rows, [](const FitRow& row) { return row.frontier.size() > 1; });
  out << "accum.: micro-batches of a step on each GPU; most: the largest micro-batch that fits; "
         "tokens: the longest sequence that fits\n";
  if (choice) out << "below a line: GPUs, of these and fewer, of which none is slower and dearer\n";
  if (beyond) out << "* by memory; longer than the model was built for\n";
}

void print_text(const Fits& fits, const Catalog& catalog, const FitsQuestion& asked,
                const SheetSpec& policy, const std::vector<std::string>& taken, std::ostream& out) {
  print_head(fits, asked, policy, out);
  for (const std::string& sentence : taken) out << sentence << '\n';
  std::string method;
  for (const FitRow& row : fits.rows) {
    if (row.method != method) {
      method = row.method;
      out << '\n'
          << catalog.method(method).title << " (" << method << ")" << adapter_words(row.choices)
          << "\n  model                                GiB a GPU  layout                "
             "micro-batch  accum.  recompute   most      tokens        hours        $/run\n";
    }
    print_row(row, fits.capacity, out);
  }
  print_foot(fits, out);
}

Json fits_json(const Fits& fits, const FitsQuestion& question, const SheetSpec& policy) {
  Json json = written(question);
  json.update(written(fits));
  for (Json& row : json["rows"]) {
    // The choices stand beside the layout.
    for (const char* left_out : {"etp", "vpp", "recompute", "loss", "grad_accum", "micro_batch"})
      row["layout"].erase(left_out);
  }
  json["as_of"] = policy.as_of;
  if (fits.price_key.empty()) json["price"] = nullptr;
  return json;
}

/// A card of which nothing but its memory is known: no speed, no price.
void add_card(const std::string& vram, Catalog& catalog) {
  Gpu card;
  card.id = card.name = card.short_name = vram;
  card.driver_total_gib = value_in("--vram", vram, memory_kind(), {1, 10000});
  card.rentable_counts = {1, 2, 4, 8};
  card.bf16 = true;
  catalog.gpus[vram] = card;
}

/// Leaves those whose ids are asked for.
template <typename Entry>
void keep(const std::vector<std::string>& ids, std::map<std::string, Entry>& entries) {
  std::erase_if(entries, [&](const auto& entry) { return !contains(ids, entry.first); });
}

/// Leaves the model and the method that are asked for, and sets them to their ids.
void keep_asked(FitsOptions& options, Catalog& catalog, TakenNames& taken) {
  if (!options.method.empty()) {
    take_name(options.method, "method", called_methods(catalog), taken);
    keep({options.method}, catalog.methods);
  }
  if (options.model.empty()) return;
  const ModelTaken model = take_model(options.model, catalog, options, taken);
  keep({options.model}, catalog.models);
  keep(methods_for(model, keys_of(catalog.methods), catalog, taken), catalog.methods);
}

void check_card(const FitsOptions& options) {
  if (options.question.gpu.empty() == options.vram.empty()) {
    throw InputError(
        "fits: expected either --gpu, a type of the catalog, or --vram, a card's memory");
  }
}

/// 0; 1 when nothing fits, or nothing within budget and deadline.
int run_fits(const FitsOptions& asked, const Streams& streams) {
  FitsOptions options = asked;
  check_card(options);
  FitsQuestion question = question_of(options);
  Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  const SheetSpec policy = sheet_asked_for(options, catalog);
  if (!options.vram.empty()) add_card(question.gpu = options.vram, catalog);
  TakenNames taken(streams.err);
  take_name(question.gpu, "GPU", called_gpus(catalog), taken);
  take_name(question.stack, "stack", called_stacks(catalog), taken);
  keep_asked(options, catalog, taken);
  const Fits fits = what_fits(catalog, policy, question, options.jobs);
  if (options.format == "json") {
    Json json = fits_json(fits, question, policy);
    put_ids(options.model, options.vram.empty() ? question.gpu : "", options.method, json);
    json["warnings"] = taken.sentences();
    streams.out << json_text(json) << '\n';
  } else {
    print_text(fits, catalog, question, policy, taken.sentences_in(streams.out), streams.out);
  }
  return fits.any() ? 0 : 1;
}

}  // namespace

void add_fits(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "fits", "Say what can be trained on given GPUs", run_fits);
  FitsQuestion& question = options.question;
  question.stack = "hf-trl";
  question.tokens = 50000000;
  add_catalog(command, options.catalog);
  command.add_option("--gpu", question.gpu, "The GPU: 4090, H100, an id …");
  command.add_option("--vram", options.vram, "Or the memory of any card: 24GB")
      ->type_name(memory_kind().id);
  command.add_option("--model", options.model, "This model alone");
  command.add_option("--method", options.method, "This method alone: lora-r16, QLoRA r16 …");
  add_value(command, "--gpus", question.gpus, count_kind(), "How many there are", kGpusAtMost)
      ->default_str("1");
  add_value(command, "--budget-usd", options.budget_usd, dollars_kind(),
            "Dollars for one run at most: 100, $1,500, 2k");
  add_value(command, "--deadline-hours", question.deadline_hours, hours_kind(),
            "Hours for one run at most: 24, 24h, 3d");
  command.add_option("--stack", question.stack, "Stack id")->capture_default_str();
  add_value(command, "--seq", question.seq_len, length_kind(), "Tokens of a sequence: 4096, 8k");
  add_value(command, "--tokens", question.tokens, tokens_kind(),
            "Training tokens of the run: 50M, 1B");
  add_sheet(command, options, "Sheet whose rules for prices hold");
  add_format(command, options.format, {"text", "json"});
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
