// SPDX-License-Identifier: Apache-2.0
#include "render/verdict_verbs.h"

namespace sizesheet {

const std::vector<KindVerb>& verdict_verbs() {
  static const std::vector<KindVerb> kVerbs{
      {"no_longer_fits", "no longer fits", "no longer fit"},
      {"needs_more", "needs more GPUs", "need more GPUs"},
      {"headroom_low", "fits only tightly now", "fit only tightly now"},
      {"now_fits", "fits now", "fit now"},
      {"headroom_back", "fits with headroom now", "fit with headroom now"},
      {"needs_less", "needs fewer GPUs", "need fewer GPUs"}};
  return kVerbs;
}

}  // namespace sizesheet
