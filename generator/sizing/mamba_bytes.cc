// SPDX-License-Identifier: Apache-2.0
// A Mamba-2 mixer run by the fused scan kernel, which saves its packed input, its output and the
// norm's scale, and rebuilds the states and the convolution in backward.
#include "sizing/sublayer_bytes.h"

namespace sizesheet {

template <typename N>
SublayerBytes<N> mamba_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                             std::int64_t norms) {
  const Mamba& mamba = *block.mamba;
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N heads = scope.in("heads_m", mamba.heads);
  const N inner = scope.in("inner_m", mamba.heads * mamba.head_dim);
  const N groups = scope.in("groups_m", mamba.groups);
  const N states = scope.in("state_m", mamba.state);
  const N chunk = scope.in("chunk_m", mamba.chunk);
  const N convolved = 2.0 * inner + 2.0 * groups * states;
  SublayerBytes<N> bytes;
  bytes.replicated = norm_bytes(job, norms, h);
  bytes.split = 2.0 * (convolved + heads) + 2.0 * inner + 4.0 * groups;
  bytes.transient =
      4.0 * h + 3.0 * inner * states * 4.0 / chunk + groups * chunk * 4.0 + 2.0 * convolved;
  const auto list = linears(*job.model, block, Sublayer::kMamba);
  InputGroups saved;
  if (job.full()) saved = {InputGroup::kBlock, InputGroup::kMiddle};
  bytes.split = bytes.split + adapter_bytes(job, scope, block, Sublayer::kMamba, list, saved) +
                frozen_input_bytes(job, scope, block, Sublayer::kMamba, list);
  return bytes;
}

template SublayerBytes<double> mamba_bytes(const Job&, const BlockScope<double>&, const Block&,
                                           std::int64_t);
template SublayerBytes<Traced> mamba_bytes(const Job&, const BlockScope<Traced>&, const Block&,
                                           std::int64_t);

}  // namespace sizesheet
