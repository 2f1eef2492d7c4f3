// SPDX-License-Identifier: Apache-2.0
#include "cli/fits.h"

#include <algorithm>
#include <iomanip>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "cli/said_generation.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/value_options.h"
#include "render/change_words.h"
#include "sheet/assemble/fits.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

struct FitsOptions : QuestionOptions {
  std::string vram;  ///< of a card that the catalog need not know; or `gpu`
};

std::optional<MicroUsd> budget_of(const QuestionOptions& options) {
  return options.budget ? std::optional(rounded_usd(*options.budget)) : std::nullopt;
}

/// What is asked, as the text and the JSON tell it.
struct FitsAsked {
  std::string gpu;
  std::int64_t gpus = 1;
  std::string stack;
  std::int64_t seq_len = 0;
  std::int64_t tokens = 0;
  std::optional<std::int64_t> adapter_tokens;  ///< of a run that trains adapters, if others
  std::optional<MicroUsd> budget;
  std::optional<double> deadline_hours;
  std::string as_of;
  bool says_length = false;  ///< the sequence is not the sheet's

  static constexpr Key kKeys[] = {{"budget", "budget_usd"}};
};
BOOST_DESCRIBE_STRUCT(FitsAsked, (),
                      (gpu, gpus, stack, seq_len, tokens, adapter_tokens, budget, deadline_hours,
                       as_of))

FitsAsked asked_fits(const FitsOptions& options, const SheetSpec& rules) {
  return {.gpu = options.gpu,
          .gpus = rules.max_gpus,
          .stack = rules.scenarios.front().stack,
          .seq_len = rules.scenarios.front().request.at("workload").at("seq_len"),
          .tokens = rules.tokens,
          .adapter_tokens = rules.adapter_tokens,
          .budget = budget_of(options),
          .deadline_hours = rules.deadline_hours,
          .as_of = rules.as_of,
          .says_length = options.seq_len.has_value()};
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

void print_head(const Fits& fits, const FitsAsked& asked, std::ostream& out) {
  out << asked.gpus << " × " << asked.gpu << ", " << format_gib(fits.capacity, 1)
      << " GiB usable on each; stack " << asked.stack << ", sequence "
      << format_integer(asked.seq_len) << ", " << format_integer(asked.tokens) << " tokens per run"
      << (asked.adapter_tokens ? " (adapters: " + format_integer(*asked.adapter_tokens) + ")" : "")
      << '\n';
  if (fits.usd_per_hour) {
    out << "$" << format_usd(*fits.usd_per_hour, 2) << " per hour on demand (" << fits.price_key
        << ")\n";
  } else {
    out << "no current on-demand price on " << asked.as_of << ": costs unknown\n";
  }
}

/// The command that says what a run needs: of the one that was asked about, where it is one.
std::string need_words(const FitsAsked& asked, const Catalog& catalog) {
  const bool one = catalog.models.size() == 1 && catalog.methods.size() == 1;
  if (!one) return "sizesheet ask MODEL METHOD says what each needs";
  const bool known = !catalog.gpus.at(asked.gpu).vendor.empty();  // no card that only --vram says
  return "sizesheet " + catalog.models.ids().front() + ' ' + catalog.methods.begin()->first +
         (known ? ' ' + std::to_string(asked.gpus) + 'x' + asked.gpu : "") +
         (asked.says_length ? " --seq " + std::to_string(asked.seq_len) : "") +
         " says what it needs";
}

void print_foot(const Fits& fits, const FitsAsked& asked, const Catalog& catalog,
                std::ostream& out) {
  const auto excluded =
      std::ranges::count_if(fits.rows, [](const FitRow& row) { return !row.excluded.empty(); });
  out << '\n' << counted(std::ssize(fits.rows), "run fits", "runs fit");
  if (excluded > 0) out << ", " << excluded << " of them outside budget or deadline";
  out << "; " << counted(fits.too_large, "does", "do") << " not fit";
  if (!fits.refused.empty()) {
    out << "; " << counted(std::ssize(fits.refused), "is", "are")
        << " not modelled (--json says why)";
  }
  out << '\n';
  if (fits.rows.empty()) {
    out << need_words(asked, catalog) << '\n';
    return;
  }
  const bool beyond = std::ranges::any_of(
      fits.rows, [](const FitRow& row) { return row.seq_len_beyond_positions; });
  const bool choice =
      std::ranges::any_of(fits.rows, [](const FitRow& row) { return row.frontier.size() > 1; });
  out << "accum.: micro-batches of a step on each GPU; most: the largest micro-batch that fits; "
         "tokens: the longest sequence that fits\n";
  if (choice) out << "below a line: the best trade-offs of time and cost, on these GPUs or fewer\n";
  if (beyond) out << "* by memory; longer than the model was built for\n";
}

void print_fits(const Fits& fits, const Catalog& catalog, const FitsAsked& asked,
                const std::vector<std::string>& taken, std::ostream& out) {
  print_head(fits, asked, out);
  for (const std::string& sentence : taken) out << sentence << '\n';
  std::string method;
  for (const FitRow& row : fits.rows) {
    if (row.method != method) {
      method = row.method;
      out << '\n'
          << catalog.method(method).title << " (" << method << ")" << adapter_words(row.choices)
          << "\n  model                                GiB per GPU  layout                "
             "micro-batch  accum.  recompute   most      tokens        hours        $/run\n";
    }
    print_row(row, fits.capacity, out);
  }
  print_foot(fits, asked, catalog, out);
}

Json fits_json(const Fits& fits, const FitsAsked& asked) {
  Json json = sizesheet::written(asked);
  json.update(written(fits));
  for (Json& row : json["rows"]) {
    // The choices stand beside the layout.
    for (const char* left_out : {"etp", "vpp", "recompute", "loss", "grad_accum", "micro_batch"})
      row["layout"].erase(left_out);
  }
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

void check_card(const FitsOptions& options) {
  if (options.gpu.empty() == options.vram.empty()) {
    throw InputError(
        "fits: expected either --gpu, a type of the catalog, or --vram, a card's memory");
  }
}

/// Sets the names to ids, and leaves the model and the method that are asked for in the catalog.
void keep_asked(FitsOptions& options, Catalog& catalog, const SheetSpec& sheet, TakenNames& taken) {
  const UsualNames usual{sheet.methods, sheet.gpus};
  take_words(options, catalog, usual, "fits", &options.vram);
  check_card(options);
  if (!options.vram.empty()) add_card(options.gpu = options.vram, catalog);
  std::optional<ModelTaken> model;
  if (names_model(options, "fits")) {
    model = take_question(options, catalog, usual, taken);
  } else {
    take_names(options, catalog, usual, taken);
  }
  if (!options.method.empty()) {
    keep({options.method}, catalog.methods);
  } else if (options.rank) {
    keep(methods_of_rank(*options.rank, methods_in_order(catalog, sheet), catalog),
         catalog.methods);
  }
  if (!model) return;
  keep({options.model}, catalog.models.all());
  keep(methods_for(*model, keys_of(catalog.methods), catalog, taken), catalog.methods);
}

/// The sheet's rules as the question has them, on one GPU and without a deadline if it leaves them
/// out.
SheetSpec rules_of(const FitsOptions& options, const Catalog& catalog, SheetSpec sheet,
                   TakenNames& taken) {
  sheet.deadline_hours.reset();
  sheet.max_gpus = 1;
  ask_scenario(options, catalog, methods_in_order(catalog, sheet), options.gpu, sheet, taken);
  return sheet;
}

/// 0; 1 when nothing fits, or nothing within budget and deadline.
int run_fits(const FitsOptions& asked, const Streams& streams) {
  FitsOptions options = asked;
  Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  const SheetSpec sheet = sheet_asked_for(options, catalog);
  TakenNames taken(streams.err);
  keep_asked(options, catalog, sheet, taken);
  take_generation(options.generation, keys_of(catalog.methods), catalog, taken);
  const SheetSpec rules = rules_of(options, catalog, sheet, taken);
  const Fits fits = what_fits(catalog, rules, options.gpu, budget_of(options), options.jobs);
  const FitsAsked question = asked_fits(options, rules);
  if (options.as_json()) {
    Json json = fits_json(fits, question);
    put_ids(options.model_id(), options.vram.empty() ? options.gpu : "", options.method, json);
    json["warnings"] = taken.sentences();
    streams.out << json_text(json) << '\n';
  } else {
    print_fits(fits, catalog, question, taken.sentences_in(streams.out), streams.out);
  }
  return fits.any() ? 0 : 1;
}

}  // namespace

void add_fits(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "fits", "Say what can be trained on given GPUs", run_fits);
  add_question(command, options,
               {.words = "What there is, and what of: 2xh100, 24GB, llama-3.1-8b lora 2xh100",
                .method = "This method alone: lora, QLoRA r16 …",
                .gpu = "The GPU: 4090, H100, 2xH100, an id …",
                .gpus = "How many there are [1]",
                .sheet = "Sheet whose rules and first scenario hold",
                .most_gpus = kGpusAtMost});
  command.add_option(all_names("--vram"), options.vram, question_word("--vram")->words)
      ->type_name(memory_kind().id);
  add_jobs(command, options.jobs);
}

}  // namespace sizesheet
