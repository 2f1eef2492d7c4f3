// SPDX-License-Identifier: Apache-2.0
#include "sizing/layout_rules.h"

#include "sizing/question.h"

namespace sizesheet {
namespace {

std::string indivisible(std::int64_t count, const std::string& what, std::int64_t tp) {
  return std::to_string(count) + " " + what + " are not divisible by " + std::to_string(tp) + " " +
         nearest_divisors(count, tp);
}

std::string block_fault(const Block& block, std::int64_t tp) {
  if (block.attention) {
    if (block.attention->heads % tp != 0) {
      return indivisible(block.attention->heads, "attention heads", tp);
    }
    if (block.attention->kv_heads % tp != 0) {
      return indivisible(block.attention->kv_heads, "key-value heads", tp);
    }
  }
  if (block.mlp && block.mlp->width % tp != 0) {
    return indivisible(block.mlp->width, "MLP columns", tp);
  }
  return "";
}

std::string stack_fault(const Question& question, std::int64_t tp) {
  if (question.stack == nullptr || tp == 1) return "";
  for (const std::string& what : {std::string("tp"), question.kind + "+tp"}) {
    const auto entry = question.stack->refused.find(what);
    if (entry != question.stack->refused.end()) {
      return question.stack->id + " refuses it: " + entry->second;
    }
  }
  return "";
}

}  // namespace

std::string nearest_divisors(std::int64_t whole, std::int64_t wanted) {
  std::int64_t below = 0;
  std::int64_t above = 0;
  for (std::int64_t divisor = 1; divisor <= whole; ++divisor) {
    if (whole % divisor != 0) continue;
    if (divisor < wanted) below = divisor;
    if (divisor > wanted) {
      above = divisor;
      break;
    }
  }
  std::string text = "(nearest: ";
  if (below > 0) text += std::to_string(below);
  if (below > 0 && above > 0) text += ", ";
  if (above > 0) text += std::to_string(above);
  return text + ")";
}

std::string tensor_parallel_fault(const Question& question, std::int64_t tp) {
  if (tp == 1) return "";
  for (const BlockRun& run : question.model->runs) {
    if (const std::string fault = block_fault(run.block, tp); !fault.empty()) return fault;
  }
  const Job& job = question.jobs.at(Spread::kSingle).job;
  if (job.layout.sequence_parallel && job.seq_len % tp != 0) {
    return "sequence parallelism splits workload.seq_len, and " + std::to_string(job.seq_len) +
           " is not divisible by " + std::to_string(tp) + " " + nearest_divisors(job.seq_len, tp);
  }
  if (question.gpu != nullptr && tp > question.gpu->gpus_per_node) {
    return "tensor parallelism stays inside a node of " +
           std::to_string(question.gpu->gpus_per_node) + " GPUs, got " + std::to_string(tp);
  }
  return stack_fault(question, tp);
}

std::vector<std::int64_t> tensor_parallel_degrees(const Question& question, std::int64_t gpus) {
  const std::int64_t node = question.gpu != nullptr ? question.gpu->gpus_per_node : 8;
  std::vector<std::int64_t> degrees;
  for (std::int64_t tp = 1; tp <= std::min(gpus, node); tp *= 2) {
    if (gpus % tp == 0 && tensor_parallel_fault(question, tp).empty()) degrees.push_back(tp);
  }
  return degrees;
}

}  // namespace sizesheet
