// SPDX-License-Identifier: Apache-2.0
#include "cli/explain.h"

#include <iomanip>
#include <sstream>

#include "catalog/catalog.h"
#include "sizing/estimate.h"
#include "sizing/memory_terms.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json request_of(const ExplainOptions& options) {
  Json request = {{"model", options.model}, {"method", options.method}, {"stack", options.stack}};
  if (!options.gpu.empty()) request["gpu"] = options.gpu;
  if (options.gpus) request["layout"]["gpus"] = *options.gpus;
  request["workload"] = {{"seq_len", options.seq_len.value_or(4096)},
                         {"micro_batch", options.micro_batch.value_or(1)},
                         {"grad_accum", 1},
                         {"packed", true}};
  if (options.tokens) request["workload"]["tokens"] = *options.tokens;
  // Without a GPU nothing can be searched: the count is spread by data parallelism alone.
  if (options.gpu.empty() && options.gpus) request["layout"]["tp"] = 1;
  return request;
}

std::string inputs_text(const Formula& formula) {
  std::string text;
  for (const NamedValue& input : formula.inputs) {
    text += (text.empty() ? "" : ", ") + input.name + " = " + shortest(input.value);
  }
  return text;
}

Json term_json(const MemoryTerm& term) {
  Json inputs = Json::object();
  for (const NamedValue& input : term.formula.inputs) inputs[input.name] = input.value;
  Json steps = Json::array();
  for (const FormulaStep& step : term.formula.steps) {
    steps.push_back({{"name", step.name}, {"formula", step.formula}, {"value", step.value}});
  }
  return {{"name", term.name}, {"bytes", term.bytes}, {"formula", term.formula.text},
          {"inputs", inputs},  {"steps", steps},      {"source", term.source}};
}

void print_term(const MemoryTerm& term, std::ostream& out) {
  out << std::left << std::setw(26) << term.title << std::right << std::setw(9)
      << format_gib(term.bytes, 2) << " GiB";
  if (term.bytes == 0) {
    out << '\n';
    return;
  }
  out << "   " << term.formula.text << '\n';
  for (const FormulaStep& step : term.formula.steps) {
    out << std::string(41, ' ') << step.name << " = " << step.formula << '\n';
  }
  const std::string inputs = inputs_text(term.formula);
  if (!inputs.empty()) out << std::string(41, ' ') << "with " << inputs << '\n';
}

void print_layout(const Sizing& sizing, const ExplainOptions& options, std::ostream& out) {
  const Job& job = sizing.plan.chosen.job;
  out << options.model << ", " << options.method << ", " << job.layout.gpus() << " GPU"
      << (job.layout.gpus() == 1 ? "" : "s");
  if (!options.gpu.empty()) out << " " << options.gpu;
  out << " (dp " << job.layout.dp << ", tp " << job.layout.tp << ", "
      << (job.layout.dp > 1 ? name_of(job.layout.shard) : "unsharded") << "), stack "
      << options.stack << ", sequence " << job.seq_len << "\n\n";
}

void print_measured(const MemoryBill& bill, double measured_gib, std::ostream& out) {
  const double predicted = static_cast<double>(bill.device) / kGiB;
  out << "\nmeasured " << format_number(measured_gib, 2) << " GiB: the estimate is "
      << format_number(100 * (predicted / measured_gib - 1), 1) << " % away\n";
}

void print_speed(const Sizing& sizing, std::ostream& out) {
  if (!sizing.speed) return;
  out << "\n"
      << format_number(sizing.speed->tokens_per_second_per_gpu, 0) << " tokens/s per GPU, MFU "
      << format_number(100 * sizing.speed->mfu, 1) << " %\n";
  if (!sizing.hours) return;
  out << format_number(sizing.hours->mid, 1) << " h for the run (90 % range "
      << format_number(sizing.hours->low, 1) << " to " << format_number(sizing.hours->high, 1)
      << " h)\n";
}

void print_text(const Sizing& sizing, const std::vector<MemoryTerm>& terms,
                const ExplainOptions& options, std::ostream& out) {
  const MemoryBill& bill = sizing.plan.chosen.bill;
  print_layout(sizing, options, out);
  for (const MemoryTerm& term : terms) print_term(term, out);
  out << std::left << std::setw(26) << "On the device" << std::right << std::setw(9)
      << format_gib(bill.device, 2) << " GiB";
  if (!sizing.plan.chosen.verdict.empty()) {
    out << " of " << format_gib(bill.capacity, 2) << " usable: " << sizing.plan.chosen.verdict;
  }
  out << "\npeak in " << bill.peak_phase << "; 90 % of published measurements would lie between "
      << format_gib(sizing.device_low, 1) << " and " << format_gib(sizing.device_high, 1)
      << " GiB (confidence " << sizing.grade << ")\n";
  if (!sizing.plan.binding.empty()) out << sizing.plan.binding << '\n';
  print_speed(sizing, out);
  if (options.measured_gib) print_measured(bill, *options.measured_gib, out);
  for (const std::string& warning : sizing.warnings) out << "note: " << warning << '\n';
}

}  // namespace

int run_explain(const ExplainOptions& options, std::ostream& out) {
  const Catalog catalog = load_sound_catalog(options.catalog);
  const Sizing sizing = estimate(request_of(options), catalog, catalog.engine.current);
  const std::vector<MemoryTerm> terms = memory_terms(
      sizing.plan.chosen.job, sizing.plan.chosen.worst_stage(), sizing.plan.chosen.bill);
  if (options.format == "json") {
    Json json = to_json(sizing);
    for (const MemoryTerm& term : terms) json["terms"].push_back(term_json(term));
    if (options.measured_gib) json["measured_gib"] = *options.measured_gib;
    out << json.dump(2) << '\n';
    return 0;
  }
  print_text(sizing, terms, options, out);
  return 0;
}

}  // namespace sizesheet
