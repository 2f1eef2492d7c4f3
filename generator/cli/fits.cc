// SPDX-License-Identifier: Apache-2.0
// `fits`: what can be trained on the GPUs that one has.

#include "sheet/build/fits.h"

#include <algorithm>
#include <iomanip>
#include <optional>

#include "cli/command_parts.h"
#include "cli/commands.h"
#include "sheet/fields.h"
#include "support/text.h"

namespace sizesheet {
namespace {

struct FitsOptions : CommonOptions {
  FitsQuestion question;
  std::string vram;           ///< of a card that the catalog need not know; or `gpu`
  std::string model, method;  ///< those alone; "" all
  std::string seq_len, tokens;
  std::optional<std::string> budget_usd;  ///< as typed: money is read from its digits
  std::string format = "text";
};

FitsQuestion question_of(const FitsOptions& options) {
  FitsQuestion question = options.question;
  if (options.budget_usd) question.budget = parse_usd(*options.budget_usd).value_or(MicroUsd{});
  if (question.budget && question.budget->value <= 0) {
    throw InputError("--budget-usd: expected dollars above 0 with at most six decimals, got " +
                     in_quotes(*options.budget_usd));
  }
  if (!options.seq_len.empty()) question.seq_len = count("--seq", options.seq_len, kLength);
  if (!options.tokens.empty()) question.tokens = count("--tokens", options.tokens, kTokens);
  check_amount("--deadline-hours", "hours", question.deadline_hours, {1e-6, 1e9},
               "0.000001 to 1e9");
  return question;
}

std::string layout_words(const LayoutShape& layout) {
  std::string words;
  for (const Degree& degree : kDegrees) {
    const std::int64_t ranks = layout.*degree.ranks;
    if (ranks > 1) words += (words.empty() ? "" : " ") + (degree.key + std::to_string(ranks));
  }
  if (words.empty()) words = "one GPU";
  if (layout.shard != "none") words += " " + layout.shard;
  return words;
}

void print_row(const FitRow& row, std::ostream& out) {
  out << "  " << std::left << std::setw(32) << row.model << std::setw(6) << id_of(row.verdict)
      << padded_left(format_gib(row.device, 1), 8) << "  " << std::setw(22)
      << layout_words(row.layout) << padded_left(or_absent(row.micro_batch, format_integer), 7)
      << padded_left(or_absent(row.seq_len, format_integer), 12)
      << (row.seq_len_beyond_positions ? "*" : " ")
      << padded_left(or_absent(row.hours, [](double h) { return format_number(h, 1); }), 11)
      << padded_left(or_absent(row.usd_per_run, [](MicroUsd usd) { return format_usd(usd, 2); }),
                     13);
  if (!row.excluded.empty()) out << "  " << join(row.excluded, ", ");
  out << '\n';
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
  if (choice) out << "below a line: GPUs, of these and fewer, of which none is slower and dearer\n";
  if (beyond) out << "* by memory; longer than the model was built for\n";
}

void print_text(const Fits& fits, const Catalog& catalog, const FitsQuestion& asked,
                const SheetSpec& policy, std::ostream& out) {
  print_head(fits, asked, policy, out);
  std::string method;
  for (const FitRow& row : fits.rows) {
    if (row.method != method) {
      method = row.method;
      out << '\n'
          << catalog.method(method).title << " (" << method << ")\n"
          << "  model                                GiB a GPU  layout                  "
             "batch    sequence       hours        $/run\n";
    }
    print_row(row, out);
  }
  print_foot(fits, out);
}

Json fits_json(const Fits& fits, const FitsQuestion& question, const SheetSpec& policy) {
  Json json = written(question);
  json.update(written(fits));
  for (Json& row : json["rows"]) {
    for (const char* left_out : {"etp", "vpp", "recompute", "loss", "grad_accum"})
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
  card.driver_total_gib = amount("--vram", vram, {{"GiB", 1}, {"GB", 1}, {"G", 1}});
  card.rentable_counts = {1, 2, 4, 8};
  card.bf16 = true;
  if (card.capacity_bytes().value_or(0) <= 0 || *card.driver_total_gib > 10000) {
    throw InputError("--vram: expected the memory of a card from 1 to 10000 GB, got " +
                     in_quotes(vram));
  }
  catalog.gpus[vram] = card;
}

/// Leaves the one that is asked for.
template <typename Entry>
void keep(std::string asked, const std::string& what, const std::vector<CalledEntry>& called,
          std::map<std::string, Entry>& entries, std::ostream& err) {
  if (asked.empty()) return;
  take_name(asked, what, called, err);
  std::erase_if(entries, [&](const auto& entry) { return entry.first != asked; });
}

void check_card(const FitsOptions& options) {
  if (options.question.gpu.empty() == options.vram.empty()) {
    throw InputError(
        "fits: expected either --gpu, a type of the catalog, or --vram, a card's memory");
  }
}

/// 0; 1 when nothing fits, or nothing within budget and deadline.
int run_fits(const FitsOptions& options, const Streams& streams) {
  check_card(options);
  FitsQuestion question = question_of(options);
  Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  const SheetSpec policy = sheet_asked_for(options, catalog);
  if (!options.vram.empty()) add_card(question.gpu = options.vram, catalog);
  take_name(question.gpu, "GPU", called_gpus(catalog), streams.err);
  take_name(question.stack, "stack", called_stacks(catalog), streams.err);
  keep(options.model, "model", called_models(catalog), catalog.models, streams.err);
  keep(options.method, "method", called_methods(catalog), catalog.methods, streams.err);
  const Fits fits = what_fits(catalog, policy, question, options.jobs);
  if (options.format == "json") {
    streams.out << json_text(fits_json(fits, question, policy)) << '\n';
  } else {
    print_text(fits, catalog, question, policy, streams.out);
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
  command.add_option("--vram", options.vram, "Or the memory of any card: 24GB");
  command.add_option("--model", options.model, "This model alone");
  command.add_option("--method", options.method, "This method alone: lora-r16, QLoRA r16 …");
  command.add_option("--gpus", question.gpus, "How many there are")
      ->check(why_no_count)
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_option("--budget-usd", options.budget_usd, "Dollars for one run at most");
  command.add_option("--deadline-hours", question.deadline_hours, "Hours for one run at most")
      ->check(why_no_number);
  command.add_option("--stack", question.stack, "Stack id")->capture_default_str();
  command.add_option("--seq", options.seq_len, "Tokens of a sequence: 4096, 8k");
  command.add_option("--tokens", options.tokens, "Training tokens of the run: 50M");
  add_sheet(command, options, "Sheet whose rules for prices hold");
  add_format(command, options.format, {"text", "json"});
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
