// SPDX-License-Identifier: Apache-2.0
#include "cli/explanation_text.h"

#include <cstdlib>
#include <iomanip>

#include "calculator/estimates.h"
#include "cli/command_parts.h"
#include "cli/explanation.h"
#include "render/choices.h"
#include "sheet/measures.h"
#include "sheet/money_words.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/residual.h"
#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/projections.h"
#include "sizing/search/candidate.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

// Causes that explain less than nothing are not worth a line; the JSON has them.
constexpr std::size_t kCausesShown = 8;

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
  std::string inputs;
  for (const NamedValue& input : term.formula.inputs) {
    inputs += (inputs.empty() ? "" : ", ") + input.name + " = " + shortest(input.value);
  }
  if (!inputs.empty()) out << std::string(41, ' ') << "with " << inputs << '\n';
}

std::string configuration(std::int64_t gpus, const std::string& gpu) {
  return std::to_string(gpus) + " GPU" + (gpus == 1 ? "" : "s") + (gpu.empty() ? "" : " " + gpu);
}

/// "dp 1, tp 2, cp 4, zero3 over dp x cp": context-parallel ranks share the states like
/// data-parallel ones.
std::string spread_words(const Job& job) {
  const Layout& layout = job.layout;
  std::string words = "dp " + std::to_string(layout.dp) + ", tp " + std::to_string(layout.tp);
  for (const auto& [key, ranks] :
       {std::pair("pp", layout.pp), {"cp", layout.cp}, {"ep", layout.ep}}) {
    if (ranks > 1) words += std::string(", ") + key + " " + std::to_string(ranks);
  }
  if (layout.shard == Shard::kNone) return words + ", unsharded";
  if (layout.replicas() == 1) {
    return words + (job.shards_experts() ? ", experts " + name_of(layout.shard) + " over tp"
                                         : ", unsharded");
  }
  return words + ", " + name_of(layout.shard) + (layout.cp > 1 ? " over dp x cp" : "");
}

/// What the job is run with, whoever chose it.
void print_choices(const Job& job, std::ostream& out) {
  out << full_choice_words(choices_of(job)) << '\n';
}

/// What nobody on the command line said.
void print_defaults(const Json& defaults, std::ostream& out) {
  if (defaults.at("taken").empty()) return;
  const Json& stack = defaults.at("stack");
  out << "left open and taken from "
      << (stack.is_null() ? "the neutral values" : stack.get<std::string>()) << ':';
  const char* mark = " ";
  for (const auto& [key, value] : defaults.at("taken").items()) {
    out << mark << key << ' ' << (value.is_string() ? value.get<std::string>() : value.dump());
    mark = ", ";
  }
  out << '\n';
}

void print_layout(const Explanation& explanation, std::ostream& out) {
  const Sizing& sizing = explanation.sizing;
  const Job& job = sizing.plan.chosen.job;
  out << explanation.model << ", " << explanation.method << ", "
      << configuration(job.layout.gpus(), explanation.gpu) << " (" << spread_words(job) << "), "
      << (explanation.stack.empty() ? "no stack" : "stack " + explanation.stack) << ", sequence "
      << job.seq_len << '\n';
  const std::int64_t total = sizing.parameters.total();
  out << format_integer(total) << " parameters, " << format_integer(sizing.trainable)
      << " trained ("
      << format_number(100 * static_cast<double>(sizing.trainable) / static_cast<double>(total), 2)
      << " %); headroom " << format_number(100 * job.headroom, 0) << " %\n";
  if (job.layout.gpus() > 1) out << "device mesh: " << device_mesh(job) << '\n';
  print_choices(job, out);
  print_defaults(sizing.defaults.json(), out);
  out << '\n';
}

void print_device(const Sizing& sizing, std::ostream& out) {
  const MemoryBill& bill = sizing.plan.chosen.bill;
  out << std::left << std::setw(26) << "On the device" << std::right << std::setw(9)
      << format_gib(bill.device, 2) << " GiB";
  if (sizing.plan.chosen.verdict != Verdict::kUnknown) {
    out << " of " << format_gib(bill.capacity, 2) << " usable: "
        << (holds(sizing.plan.chosen.verdict)
                ? standing_words(sizing.plan.chosen.verdict, bill.device_high, bill.capacity)
                : std::string(id_of(sizing.plan.chosen.verdict)));
  }
  out << "\nwithout activations, while the optimizer steps: " << format_gib(floor_bytes(bill), 2)
      << " GiB; no checkpointing goes below that\npeak in " << bill.peak_phase
      << "; 90 % of published measurements would lie between " << format_gib(sizing.device_low, 1)
      << " and " << format_gib(sizing.device_high, 1) << " GiB (confidence " << sizing.grade
      << ")\n";
  if (!sizing.binding.empty()) out << sizing.binding << '\n';
}

void print_phases(const Explanation& explanation, std::ostream& out) {
  out << "\nGiB on the device          step 1         later\n";
  const auto cell = [&](std::int64_t bytes, bool over) {
    out << std::right << std::setw(9) << format_gib(bytes, 2) << (over ? " over" : "     ");
  };
  for (const PhaseCheck& check : explanation.phases) {
    out << std::left << std::setw(26) << phase_title(check.phase);
    cell(check.step1, check.step1_over);
    cell(check.steady, check.steady_over);
    out << '\n';
  }
  if (explanation.smaller_gpus == 0) return;
  const Death& death = explanation.smaller;
  out << configuration(explanation.smaller_gpus, explanation.gpu);
  if (death.where.empty()) {
    out << " would hold it, but without the headroom\n";
    return;
  }
  out << " would run out in " << death.where << ": " << death.bill << ". Helps: " << death.remedy
      << '\n';
}

void print_limits(const Sizing& sizing, std::ostream& out) {
  if (!sizing.limits) return;
  const Limits& limits = *sizing.limits;
  out << "\nthis layout holds a micro-batch of " << or_absent(limits.micro_batch, format_integer)
      << " (power of two " << or_absent(limits.micro_batch_power_of_two, format_integer)
      << ") or sequences of " << or_absent(limits.seq_len, format_integer) << " tokens"
      << (limits.seq_len_beyond_positions ? ", more than the model has positions" : "") << '\n';
  out << "this count of GPUs no longer holds sequences of "
      << or_absent(limits.next_count_seq_len, format_integer) << "; with 30 % headroom this takes "
      << or_absent(sizing.comfortable, format_integer) << " GPUs\n";
}

std::string signed_gib(std::int64_t bytes) { return (bytes > 0 ? "+" : "") + format_gib(bytes, 2); }

void print_part(const char* title, const std::vector<MemoryTerm>& terms, std::ostream& out) {
  if (terms.empty()) return;
  out << '\n' << title << '\n';
  for (const MemoryTerm& term : terms) print_term(term, out);
}

void print_residual(const Explanation& explanation, double measured_gib, std::ostream& out) {
  const MemoryBill& bill = explanation.sizing.plan.chosen.bill;
  const double predicted = static_cast<double>(bill.device) / kGiB;
  out << "\nmeasured " << format_number(measured_gib, 2) << " GiB: the estimate is "
      << format_number(100 * (predicted / measured_gib - 1), 1) << " % away\n";
  const auto residual = static_cast<std::int64_t>(measured_gib * kGiB) - bill.device;
  out << signed_gib(residual) << " GiB to explain; each of these alone, worked out again:\n";
  std::size_t shown = 0;
  for (const ResidualCause& cause : explanation.residual) {
    if (std::abs(cause.left) >= std::abs(residual) || shown == kCausesShown) continue;
    ++shown;
    out << std::right << std::setw(10) << signed_gib(cause.bytes) << " GiB, leaves "
        << signed_gib(cause.left) << ": " << cause.words << '\n';
  }
  if (shown == 0) out << "    none of the changes known here comes closer\n";
}

void print_batching(const Job& job, std::ostream& out) {
  if (!job.samples) return;
  const SampleBatches& samples = *job.samples;
  out << "batching " << id_of(kBatchings, samples.batching) << ": samples of "
      << format_number(samples.spread.mean, 0) << " tokens (coefficient of variation "
      << shortest(samples.spread.variation) << ") in rows of " << format_number(samples.cost.row, 0)
      << " on average, " << format_number(samples.cost.computed, 3)
      << " tokens computed for each that is trained; attention over "
      << format_number(samples.cost.attended, 0) << '\n';
  if (job.layout.dp == 1) return;
  out << "of " << job.layout.dp << " ranks the slowest takes "
      << format_number(samples.waiting(job.layout.dp), 2) << " times the time of the mean rank"
      << (samples.rows * job.grad_accum > 1 ? ", at most" : "") << '\n';
}

void print_speed(const Sizing& sizing, std::ostream& out) {
  if (!sizing.speed) return;
  out << "\n"
      << format_number(sizing.speed->tokens_per_second_per_gpu, 0) << " tokens/s per GPU, MFU "
      << format_number(100 * sizing.speed->mfu, 1) << " %\n";
  print_batching(sizing.plan.chosen.job, out);
  const std::optional<StepSeconds>& rollout = sizing.speed->rollout;
  const double step = rollout ? rollout->step : sizing.speed->clocks.total();
  out << "a step of " << format_number(step, 3) << " s:\n";
  for (const NamedClock& part : parts_of(*sizing.speed)) {
    out << std::setw(10) << format_number(part.seconds, 4) << " s  " << std::setw(5)
        << format_number(100 * part.seconds / step, 1) << " %  " << part.title << '\n';
  }
  if (!sizing.hours) return;
  out << format_number(sizing.hours->mid, 1) << " h for the run (" << (rollout ? "assumed" : "90 %")
      << " range " << format_number(sizing.hours->low, 1) << " to "
      << format_number(sizing.hours->high, 1) << " h)\n";
}

/// Whether the run is sure to keep the deadline, and on how many GPUs one is expected to.
void print_deadline(const Explanation& explanation, std::ostream& out) {
  const auto& deadline = explanation.against.deadline;
  if (!deadline) return;
  const auto late = explanation.late();
  const auto& enough = explanation.sizing.recommended;
  out << (!late   ? "the deadline cannot be checked"
          : *late ? "the upper end is past the deadline of " + limit_words(*deadline)
                  : "the upper end is within the deadline of " + limit_words(*deadline))
      << "; "
      << (enough ? configuration(*enough, explanation.gpu) + (*enough == 1 ? " is" : " are") +
                       " the fewest expected to meet it"
                 : "no count is expected to meet it")
      << '\n';
}

void print_money(const Explanation& explanation, std::ostream& out) {
  if (!explanation.money) return;
  out << money_words(*explanation.money) << '\n';
  if (!explanation.against.budget) return;
  const auto over = explanation.over_budget();
  out << (!over   ? "the budget cannot be checked"
          : *over ? "the upper end is over the budget"
                  : "the upper end is within the budget")
      << '\n';
}

}  // namespace

void print_explanation(const Explanation& explanation, std::ostream& out) {
  const Sizing& sizing = explanation.sizing;
  print_layout(explanation, out);
  for (const MemoryTerm& term : explanation.terms.memory) print_term(term, out);
  print_device(sizing, out);
  print_phases(explanation, out);
  print_part("the engine that generates, on one of its GPUs:", explanation.terms.generation, out);
  print_part("files of the run, and host memory:", explanation.terms.files, out);
  print_limits(sizing, out);
  print_speed(sizing, out);
  print_deadline(explanation, out);
  print_money(explanation, out);
  if (const auto& measured = explanation.against.measured_gib) {
    print_residual(explanation, *measured, out);
  }
  for (const std::string& warning : sizing.warnings) out << "note: " << warning << '\n';
}

}  // namespace sizesheet
