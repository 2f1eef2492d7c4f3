// SPDX-License-Identifier: Apache-2.0
#include "cli/fits.h"

#include <algorithm>
#include <iomanip>

#include "cli/as_of.h"
#include "sheet/fits.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

MicroUsd budget_of(const std::string& text) {
  const auto budget = parse_usd(text);
  if (budget && budget->value > 0) return *budget;
  throw InputError("--budget-usd: expected dollars above 0 with at most six decimals, got " +
                   in_quotes(text));
}

FitsQuestion question_of(const FitsOptions& options) {
  FitsQuestion question;
  question.gpu = options.gpu;
  question.gpus = options.gpus;
  question.stack = options.stack;
  question.seq_len = options.seq_len;
  question.tokens = options.tokens;
  if (options.budget_usd) question.budget = budget_of(*options.budget_usd);
  if (options.deadline_hours && !(*options.deadline_hours > 0)) {
    throw InputError("--deadline-hours: expected hours above 0, got " +
                     shortest(*options.deadline_hours));
  }
  constexpr double kLeastHours = 1e-6;
  constexpr double kMostHours = 1e9;
  if (options.deadline_hours &&
      (*options.deadline_hours < kLeastHours || *options.deadline_hours > kMostHours)) {
    throw InputError("--deadline-hours: expected hours from 0.000001 to 1e9, got " +
                     shortest(*options.deadline_hours));
  }
  question.deadline_hours = options.deadline_hours;
  return question;
}

std::string layout_words(const LayoutShape& layout) {
  std::string words;
  const std::pair<const char*, std::int64_t> dimensions[] = {{"dp", layout.dp},
                                                             {"tp", layout.tp},
                                                             {"pp", layout.pp},
                                                             {"cp", layout.cp},
                                                             {"ep", layout.ep}};
  for (const auto& [name, ranks] : dimensions) {
    if (ranks > 1) words += (words.empty() ? "" : " ") + (name + std::to_string(ranks));
  }
  if (words.empty()) words = "one GPU";
  if (layout.shard != "none") words += " " + layout.shard;
  return words;
}

template <typename T, typename Format>
std::string or_absent(const std::optional<T>& value, const Format& format) {
  return value ? format(*value) : std::string(kAbsent);
}

/// Right-aligned by characters: the sign of absence takes three bytes.
std::string padded(const std::string& text, int width) {
  const int characters = text == kAbsent ? 1 : static_cast<int>(text.size());
  return std::string(static_cast<std::size_t>(std::max(0, width - characters)), ' ') + text;
}

void print_row(const FitRow& row, std::ostream& out) {
  const auto count = [](std::int64_t n) { return format_integer(n); };
  out << "  " << std::left << std::setw(32) << row.model << std::setw(6) << row.verdict
      << padded(format_gib(row.device, 1), 8) << "  " << std::setw(22) << layout_words(row.layout)
      << padded(or_absent(row.micro_batch, count), 7) << padded(or_absent(row.seq_len, count), 12)
      << (row.seq_len_beyond_positions ? "*" : " ")
      << padded(or_absent(row.hours, [](double h) { return format_number(h, 1); }), 11)
      << padded(or_absent(row.usd_per_run, [](MicroUsd usd) { return format_usd(usd, 2); }), 13);
  if (!row.excluded.empty()) out << "  " << join(row.excluded, ", ");
  out << '\n';
}

void print_head(const Fits& fits, const FitsOptions& options, const SheetSpec& policy,
                std::ostream& out) {
  out << options.gpus << " × " << options.gpu << ", " << format_gib(fits.capacity, 1)
      << " GiB usable on each; stack " << options.stack << ", sequence "
      << format_integer(options.seq_len) << ", " << format_integer(options.tokens)
      << " tokens a run\n";
  if (fits.usd_per_hour) {
    out << "$" << format_usd(*fits.usd_per_hour, 2) << " an hour on demand (" << fits.price_key
        << ")\n";
  } else {
    out << "no current on-demand price on " << policy.as_of << ": costs unknown\n";
  }
}

void print_foot(const Fits& fits, std::ostream& out) {
  const auto excluded = std::count_if(fits.rows.begin(), fits.rows.end(),
                                      [](const FitRow& row) { return !row.excluded.empty(); });
  out << '\n' << fits.rows.size() << " pairs of model and method hold";
  if (excluded > 0) out << ", " << excluded << " of them outside budget or deadline";
  out << "; " << fits.too_large << " do not, " << fits.refused.size()
      << " are refused (--format json names them)\n";
  const bool beyond = std::any_of(fits.rows.begin(), fits.rows.end(),
                                  [](const FitRow& row) { return row.seq_len_beyond_positions; });
  if (beyond) out << "* by memory; longer than the model was built for\n";
}

void print_text(const Fits& fits, const Catalog& catalog, const FitsOptions& options,
                const SheetSpec& policy, std::ostream& out) {
  print_head(fits, options, policy, out);
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

Json layout_json(const LayoutShape& layout) {
  return {{"gpus", layout.gpus},   {"dp", layout.dp},          {"tp", layout.tp},
          {"pp", layout.pp},       {"cp", layout.cp},          {"ep", layout.ep},
          {"shard", layout.shard}, {"offload", layout.offload}};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json usd_or_null(const std::optional<MicroUsd>& usd) { return usd ? Json(to_usd(*usd)) : Json(); }

Json row_json(const FitRow& row) {
  return {{"model", row.model},
          {"method", row.method},
          {"parameters", row.parameters},
          {"verdict", row.verdict},
          {"device", row.device},
          {"layout", layout_json(row.layout)},
          {"micro_batch_power_of_two", or_null(row.micro_batch)},
          {"seq_len", or_null(row.seq_len)},
          {"seq_len_beyond_positions", row.seq_len_beyond_positions},
          {"hours", or_null(row.hours)},
          {"usd_per_run", usd_or_null(row.usd_per_run)},
          {"excluded", row.excluded}};
}

Json fits_json(const Fits& fits, const FitsQuestion& question, const SheetSpec& policy) {
  Json json = {{"gpu", question.gpu},
               {"gpus", question.gpus},
               {"stack", question.stack},
               {"seq_len", question.seq_len},
               {"tokens", question.tokens},
               {"as_of", policy.as_of},
               {"budget_usd", usd_or_null(question.budget)},
               {"deadline_hours", or_null(question.deadline_hours)},
               {"capacity", fits.capacity},
               {"usd_per_hour", usd_or_null(fits.usd_per_hour)},
               {"price", fits.price_key.empty() ? Json() : Json(fits.price_key)},
               {"rows", Json::array()},
               {"too_large", fits.too_large},
               {"refused", Json::array()}};
  for (const FitRow& row : fits.rows) json["rows"].push_back(row_json(row));
  for (const FitRefusal& refusal : fits.refused) {
    json["refused"].push_back(
        {{"model", refusal.model}, {"method", refusal.method}, {"reason", refusal.reason}});
  }
  return json;
}

}  // namespace

int run_fits(const FitsOptions& options, std::ostream& out) {
  const FitsQuestion question = question_of(options);
  const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  SheetSpec policy = load_sheet_spec(options.sheet, options.catalog, catalog);
  policy.as_of = as_of_day(options.as_of, policy.as_of);
  const Fits fits = what_fits(catalog, policy, question, options.jobs);
  if (options.format == "json") {
    out << json_text(fits_json(fits, question, policy)) << '\n';
  } else {
    print_text(fits, catalog, options, policy, out);
  }
  return fits.any() ? 0 : 1;
}

}  // namespace sizesheet
