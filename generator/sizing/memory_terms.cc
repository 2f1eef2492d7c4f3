// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory_terms.h"

namespace sizesheet {
namespace {

// Short enough for a table cell; the engine constants carry the whole citations.
constexpr const char* kStateSource = "transformers, DeepSpeed and Megatron-LM memory docs";
constexpr const char* kBaseSource = "the base's dtype as the stack loads it; config.json";
constexpr const char* kNf4Source = "bitsandbytes @95f9af30; arXiv:2305.14314, section 3";
constexpr const char* kActivationSource = "arXiv:2205.05198, table 2; derived";
constexpr const char* kLossSource = "transformers loss_utils; Liger-Kernel @ead96b61";
constexpr const char* kShardingSource = "PyTorch FSDP; DeepSpeed stage3 @edaa7221";
constexpr const char* kSlackSource = "fitted to published allocated and reserved bytes";
constexpr const char* kOverheadSource = "torchcomms PR 777; nccl issue 964";

const char* term_source(const Job& job, std::size_t index) {
  constexpr std::array<const char*, 8> kSources = {
      kStateSource,      kStateSource,      kStateSource, kStateSource,
      kActivationSource, kActivationSource, kLossSource,  kShardingSource};
  if (index == 0 && job.nf4()) return kNf4Source;
  return index == 0 && !job.full() ? kBaseSource : kSources[index];
}

}  // namespace

std::vector<MemoryTerm> memory_terms(const Job& job, const Stage& stage, const MemoryBill& bill) {
  const Pieces<Traced> pieces = memory_pieces<Traced>(job, stage);
  const auto traced =
      in_order(phase_terms(job, pieces, phase_named(bill.peak_phase).value(), Timeline::kSteady));
  const auto whole = terms_of(bill);
  std::vector<MemoryTerm> terms;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    terms.push_back({kTermNames[i], term_name(kTermNames[i])->title, whole[i],
                     formula_of(traced[i]), term_source(job, i)});
  }
  terms.push_back({"allocator_slack", term_name("allocator_slack")->title,
                   bill.reserved - bill.allocated,
                   formula_of(slack_bytes<Traced>(job, pieces, bill.allocated)), kSlackSource});
  terms.push_back({"overhead", term_name("overhead")->title, bill.overhead,
                   formula_of(overhead_bytes<Traced>(job)), kOverheadSource});
  return terms;
}

}  // namespace sizesheet
